// SPDX-License-Identifier: Apache-2.0
// The calls that are timed, and the check of their answers (declared in workload.hpp).
#include "bench/workload.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "oracles/error_bound.hpp"
#include "oracles/storage.hpp"

namespace kvcheck::bench {

Spec Workload::spec(Index capacity) const {
    Spec spec;
    spec.rows = rows;
    spec.query_heads = query_heads;
    spec.kv_heads = kv_heads;
    spec.key_width = spec.value_width = width;
    spec.capacity = capacity;
    if (window > 0) spec.window = window;
    spec.storage = storage;
    return spec;
}

Index Workload::first_seen(Index token) const {
    return window > 0 ? std::max<Index>(past + token + 1 - window, 0) : 0;
}

double Workload::flops() const {
    double keys = 0;
    for (Index token = 0; token < tokens; ++token) {
        keys += double(past + token + 1 - first_seen(token));
    }
    return 4.0 * double(rows * query_heads * width) * keys;
}

double Workload::bytes() const {
    const double entry = storage == Storage::element ? sizeof(float) : sizeof(std::uint16_t);
    return double(rows * kv_heads * (past + tokens) * 2 * width) * entry;
}

Workload prefill(std::string name, Index tokens) {
    return {std::move(name), 1, 8, 8, 64, 0, tokens};
}

Workload windowed(std::string name, Index tokens, Index window) {
    Workload workload = prefill(std::move(name), tokens);
    workload.window = window;
    return workload;
}

Workload decode(std::string name, Index rows, Index length) {
    return {std::move(name), rows, 32, 8, 128, length - 1, 1};
}

double worst_ratio(const Workload& w, const Call* prefix, const Call& last, const float* output,
                   const NumericProfile& profile) {
    const Rounding rounding(profile);
    const auto at = [&](bool key, Index row, Index slot, Index head) {
        const Call& call = slot < w.past ? *prefix : last;
        const Index tokens = slot < w.past ? w.past : w.tokens;
        const Index token = slot < w.past ? slot : slot - w.past;
        const auto& values = key ? call.key() : call.value();
        return values.data() + ((row * tokens + token) * w.kv_heads + head) * w.width;
    };
    const auto stored = [&](float x) { return nearest_stored(w.storage, double(x)); };
    double worst = 0;
    for (const Index row : std::set<Index>{0, w.rows - 1}) {
        for (const Index token : std::set<Index>{0, w.tokens / 2, w.tokens - 1}) {
            for (const Index head : std::set<Index>{0, w.query_heads / 2, w.query_heads - 1}) {
                const Index place = (row * w.tokens + token) * w.query_heads + head;
                const float* const q = last.query().data() + place * w.width;
                const Index kv_head = head / (w.query_heads / w.kv_heads);
                const Index keys = w.past + token + 1;
                QueryFacts facts;
                facts.slots = double(keys);
                facts.key_width = double(w.width);
                facts.scale = 1 / std::sqrt(double(w.width));
                for (Index d = 0; d < w.width; ++d) facts.query_sum += std::abs(double(q[d]));
                double largest = -INFINITY;
                for (Index slot = w.first_seen(token); slot < keys; ++slot) {
                    const float* const k = at(true, row, slot, kv_head);
                    double score = 0;
                    double product_sum = 0;
                    double key_sum = 0;
                    for (Index d = 0; d < w.width; ++d) {
                        const double product = double(q[d]) * stored(k[d]);
                        score += product;
                        product_sum += std::abs(product);
                        key_sum += std::abs(stored(k[d]));
                    }
                    facts.score.push_back(score * facts.scale);
                    facts.product_sum.push_back(product_sum);
                    facts.key_sum.push_back(key_sum);
                    facts.product_radius.push_back(0);
                    largest = std::max(largest, facts.score.back());
                }
                double sum = 0;
                for (const double score : facts.score) {
                    facts.weight.push_back(std::exp(score - largest));
                    sum += facts.weight.back();
                }
                for (double& weight : facts.weight) weight /= sum;
                const QueryBound bound(rounding, facts);
                for (const Index d : std::set<Index>{0, w.width / 3, w.width - 1}) {
                    ValueFacts values;
                    for (Index slot = w.first_seen(token); slot < keys; ++slot) {
                        values.value.push_back(stored(at(false, row, slot, kv_head)[d]));
                        values.output +=
                            facts.weight[values.value.size() - 1] * values.value.back();
                    }
                    for (const double value : values.value) {
                        values.deviation.push_back(std::abs(value - values.output));
                        values.radius.push_back(0);
                    }
                    const double error =
                        std::abs(double(output[place * w.width + d]) - values.output);
                    worst = std::max(worst, error / bound.output(values));
                }
            }
        }
    }
    return worst;
}

void require_right(const std::string& who, double ratio) {
    if (ratio <= 1) return;
    std::fprintf(stderr, "%s is wrong: %g times the bound; its time means nothing\n", who.c_str(),
                 ratio);
    std::exit(1);
}

}  // namespace kvcheck::bench
