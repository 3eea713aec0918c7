// SPDX-License-Identifier: Apache-2.0
// Decisions that are wrong in one point, for faults that are such a decision and nothing else.
#pragma once

#include <limits>
#include <numbers>

#include "impl/plain/rules.hpp"

namespace kvcheck {

/// What a window has left behind is outweighed, not left out.
class LeftBehindButMasked final : public PlainRules {
    bool in_window(const TokenPlace&, Index) const override { return true; }
    float score_offset(const TokenPlace& query, Index key) const override {
        return PlainRules::in_window(query, key) ? 0 : -1e4F;
    }
};

/// Other branches of a tree are outweighed, not left out.
class OtherBranchesButMasked final : public PlainRules {
    bool is_on_path(const TokenPlace&, Index) const override { return true; }
    float score_offset(const TokenPlace& query, Index key) const override {
        return PlainRules::is_on_path(query, key) ? 0 : -1e4F;
    }
};

/// Rules that see one token too many where the call already holds it.
class SeesNext final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override {
        return (is_on_path(query, key) || key == query.slot() + 1) &&
               query.real[std::size_t(key)] && !is_evicted(query, key);
    }
};

/// Logarithms of base 2.
class LogSumExpInBase2 final : public PlainRules {
    double log_sum_exp(double largest, double sum) const override {
        return PlainRules::log_sum_exp(largest, sum) * std::numbers::log2e;
    }
};

class ChunkLocal final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override {
        return key <= query.index && is_on_path(query, key) && query.real[std::size_t(key)] &&
               !is_evicted(query, key);
    }
};

class ZeroInsteadOfSkipped final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override {
        return key <= query.slot() && is_on_path(query, key) && !is_evicted(query, key);
    }
    float score_offset(const TokenPlace& query, Index key) const override {
        return query.real[std::size_t(key)] ? 0.0F : -std::numeric_limits<float>::infinity();
    }
};

/// What was evicted is outweighed, not left out.
class EvictedButMasked final : public PlainRules {
    bool is_evicted(const TokenPlace&, Index) const override { return false; }
    float score_offset(const TokenPlace& query, Index key) const override {
        return PlainRules::is_evicted(query, key) ? -1e4F : 0;
    }
};

class ForkSharesMemory final : public PlainRules {
    bool copies_a_fork() const override { return false; }
};

class ShiftTurnsKeysOn final : public PlainRules {
    PlainShift shift() const override { return {.direction = 1}; }
};

class AdmitsByCapacity final : public PlainRules {
    AdmissionRules admission() const override { return {.length = false}; }
};

class AskIsCausal final : public PlainRules {
    AskRules ask() const override { return {.causal = true}; }
};

class PrefixSharesMemory final : public PlainRules {
    PrefixRules prefixes() const override { return {.copies = false}; }
};

class TrustsTheHashOfAPrefix final : public PlainRules {
    PrefixRules prefixes() const override { return {.compares_keys = false}; }
};

class LoadsDamagedStates final : public PlainRules {
    bool checks_the_sum() const override { return false; }
};

}  // namespace kvcheck
