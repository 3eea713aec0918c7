// SPDX-License-Identifier: Apache-2.0
// Attention of one query of the textbook subject, as a book would write it: scores, softmax, the
// sum of values. Clauses 1 to 5, 13 and 17 of docs/contract.md; every decision is asked of the
// rules.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "impl/plain/narrow.hpp"
#include "impl/plain/row_cache.hpp"
#include "impl/plain/rules.hpp"
#include "impl/plain/storage.hpp"
#include "impl/plain/views.hpp"
#include "impl/subject.hpp"
#include "model/types/parameters.hpp"

namespace kvcheck {

template <class Scalar>
class PlainAttention {
public:
    using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

    PlainAttention(const Spec& spec, const Parameters& parameters,
                   std::shared_ptr<const PlainRules> rules)
        : spec_(spec),
          rules_(std::move(rules)),
          scale_(spec.scale ? Scalar(*spec.scale)
                            : Scalar(1) / std::sqrt(Scalar(rules_->scaled_width(spec)))),
          slopes_(parameters.slopes),
          sinks_(parameters.sinks) {}

    /// softmax(scale * q.k) v over the keys of the row that the query sees, and the sink, whose
    /// value is zero. What the call shows of row r beside outputs is written, too.
    template <class Query>
    Vector operator()(const AppendCall& call, Index r, Index head, const RowCache<Scalar>& cache,
                      const TokenPlace& place, const Query& query) const {
        const Index kv_head = rules_->kv_head(spec_, head);
        std::vector<Index> keys;
        std::vector<Scalar> weights;  // scores at first
        std::vector<Scalar> hidden;   // scores that are shown and not used
        for (Index key = 0; key < cache.length(); ++key) {
            const auto score = [&] {
                const auto product = Scalar(rules_->product(query.dot(cache.key(kv_head, key))));
                return capped(place, scale_ * product) + rules_->score_offset(place, key) +
                       bias(place, key, head);
            };
            if (call.log_sum_exp && rules_->sums_hidden(place, key)) hidden.push_back(score());
            if (!rules_->sees(place, key)) continue;
            keys.push_back(key);
            weights.push_back(score());
        }
        const std::optional<Scalar> sink = sink_of(head);
        if (call.log_sum_exp) {
            std::vector<Scalar> shown = weights;
            shown.insert(shown.end(), hidden.begin(), hidden.end());
            call.log_sum_exp->at<Scalar>(rules_->shown_row(r), place.index, head) =
                log_sum_exp(shown);
        }
        normalise(weights, sink, rules_->unused_keys(spec_.capacity - cache.length()));
        if (call.weights) write_weights<Scalar>(*call.weights, r, head, place.index, keys, weights);
        if (keys.empty() && !sink) return Vector::Constant(spec_.value_width, dead_value());
        return weighted_values(cache, kv_head, place, keys, weights);
    }

private:
    /// Scores to weights, beside a sink and so many keys more whose scores are zero.
    void normalise(std::vector<Scalar>& weights, const std::optional<Scalar>& sink,
                   Index zeros) const {
        if (weights.empty()) return;
        Scalar largest = *std::max_element(weights.begin(), weights.end());
        if (sink) largest = std::max(largest, *sink);
        largest = Scalar(rules_->reference(double(largest)));
        const Storage sums = rules_->sums(spec_);
        Scalar sum = sink ? std::exp(*sink - largest) : Scalar(0);
        if (zeros > 0) sum += Scalar(zeros) * std::exp(-largest);
        for (Scalar& weight : weights) {
            weight = std::exp(weight - largest);
            sum = Scalar(narrowed(sums, double(sum + weight)));
        }
        for (Scalar& weight : weights) weight /= sum;
    }

    Vector weighted_values(const RowCache<Scalar>& cache, Index kv_head, const TokenPlace& place,
                           const std::vector<Index>& keys,
                           const std::vector<Scalar>& weights) const {
        const Storage sums = rules_->sums(spec_);
        Vector output = Vector::Zero(spec_.value_width);
        for (std::size_t n = 0; n < keys.size(); ++n) {
            Vector value = cache.value(kv_head, keys[n]);
            if (rules_->reads_integers(place, keys[n]))
                value *= integers_per_unit<Scalar>({value.data(), std::size_t(value.size())});
            output += weights[n] * value;
            if (sums == Storage::element) continue;
            for (Scalar& sum : output) sum = Scalar(narrowed(sums, double(sum)));
        }
        return output;
    }

    Scalar log_sum_exp(const std::vector<Scalar>& scores) const {
        if (scores.empty()) return -std::numeric_limits<Scalar>::infinity();
        const Scalar largest = *std::max_element(scores.begin(), scores.end());
        Scalar sum = 0;
        for (const Scalar score : scores) sum += std::exp(score - largest);
        return Scalar(rules_->log_sum_exp(double(largest), double(sum)));
    }

    Scalar capped(const TokenPlace& query, Scalar score) const {
        const std::optional<float> cap = rules_->softcap(query, float(scale_));
        return cap ? *cap * std::tanh(score / *cap) : score;
    }

    Scalar bias(const TokenPlace& query, Index key, Index head) const {
        if (slopes_.empty()) return 0;
        const float given = slopes_[std::size_t(rules_->entry_of(head))];
        return Scalar(rules_->bias(query, key, rules_->slope(spec_, head, given)));
    }

    std::optional<Scalar> sink_of(Index head) const {
        if (sinks_.empty()) return std::nullopt;
        const std::optional<float> score =
            rules_->sink(sinks_[std::size_t(rules_->entry_of(head))]);
        return score ? std::optional<Scalar>(*score) : std::nullopt;
    }

    Scalar dead_value() const {
        return rules_->dead_row(spec_) == DeadRow::nan ? std::numeric_limits<Scalar>::quiet_NaN()
                                                       : Scalar(0);
    }

    Spec spec_;
    std::shared_ptr<const PlainRules> rules_;
    Scalar scale_;
    std::vector<float> slopes_;  // [H] or empty
    std::vector<float> sinks_;   // [H] or empty
};

}  // namespace kvcheck
