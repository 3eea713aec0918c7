// SPDX-License-Identifier: Apache-2.0
// Right rules, or a mutant's, with a count of the scores that are formed.
#pragma once

#include <memory>
#include <utility>

#include "impl/plain/rules.hpp"

namespace kvcheck {

class CountingRules final : public PlainRules {
public:
    explicit CountingRules(std::shared_ptr<const PlainRules> rules) : rules_(std::move(rules)) {}

    Index scores() const { return scores_; }

    bool sees(const TokenPlace& query, Index key) const override {
        return rules_->sees(query, key);
    }
    bool is_evicted(const TokenPlace& query, Index key) const override {
        return rules_->is_evicted(query, key);
    }
    bool in_window(const TokenPlace& query, Index key) const override {
        return rules_->in_window(query, key);
    }
    std::optional<float> softcap(const TokenPlace& query, float scale) const override {
        return rules_->softcap(query, scale);
    }
    /// Asked for once with every score.
    float score_offset(const TokenPlace& query, Index key) const override {
        ++scores_;
        return rules_->score_offset(query, key);
    }
    double bias(const TokenPlace& query, Index key, float slope) const override {
        return rules_->bias(query, key, slope);
    }
    std::optional<float> sink(float given) const override { return rules_->sink(given); }
    Index entry_of(Index query_head) const override { return rules_->entry_of(query_head); }
    Index position_id(const TokenPlace& token, PositionIds ids) const override {
        return rules_->position_id(token, ids);
    }
    std::optional<Lifecycle> carried_out(const Lifecycle& command) const override {
        return rules_->carried_out(command);
    }
    bool copies_a_fork() const override { return rules_->copies_a_fork(); }
    bool copies_evictions() const override { return rules_->copies_evictions(); }
    PlainRotation rotation(const Spec& spec) const override { return rules_->rotation(spec); }
    Index key_id(const TokenPlace& token, PositionIds ids) const override {
        return rules_->key_id(token, ids);
    }

private:
    std::shared_ptr<const PlainRules> rules_;
    mutable Index scores_ = 0;
};

}  // namespace kvcheck
