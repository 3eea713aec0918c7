// SPDX-License-Identifier: Apache-2.0
// The calls that are timed, and the check of their answers (declared in workload.hpp).
#include "bench/workload.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "oracles/error_bound.hpp"

namespace kvcheck::bench {
namespace {

template <class View, class Float>
View dense(Float* data, const Shape& shape) {
    View view;
    view.data = reinterpret_cast<decltype(view.data)>(data);
    view.shape = shape;
    Index stride = 1;
    for (int i = shape.rank; i-- > 0;) {
        view.stride[std::size_t(i)] = stride;
        stride *= shape.extent[std::size_t(i)];
    }
    return view;
}

}  // namespace

void fill_with_numbers(float* data, Index count, std::uint64_t seed) {
    std::uint64_t state = 2 * seed + 1;
    for (Index i = 0; i < count; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        data[i] = float(std::int32_t(state >> 32)) / 2147483648.0F;
    }
}

Spec Workload::spec(Index capacity) const {
    Spec spec;
    spec.rows = rows;
    spec.query_heads = query_heads;
    spec.kv_heads = kv_heads;
    spec.key_width = spec.value_width = width;
    spec.capacity = capacity;
    return spec;
}

double Workload::flops() const {
    const double keys = double(tokens) * double(past) + double(tokens) * double(tokens + 1) / 2;
    return 4.0 * double(rows * query_heads * width) * keys;
}

double Workload::bytes() const {
    return double(rows * kv_heads * (past + tokens) * 2 * width) * sizeof(float);
}

Workload prefill(std::string name, Index tokens) {
    return {std::move(name), 1, 8, 8, 64, 0, tokens};
}

Workload decode(std::string name, Index rows, Index length) {
    return {std::move(name), rows, 32, 8, 128, length - 1, 1};
}

Call::Call(const Spec& spec, Index tokens, std::uint64_t seed)
    : counts_(std::size_t(spec.rows), tokens), real_(std::size_t(spec.rows * tokens), 1) {
    const auto input = [&](int which, const Shape& shape) {
        inputs_[which] = Array(shape.size());
        fill_with_numbers(inputs_[which].data(), shape.size(), seed + std::uint64_t(which));
        return dense<InputView>(inputs_[which].data(), shape);
    };
    const bool layer = spec.level == Level::layer;
    if (layer) {
        call_.x = input(0, {spec.rows, tokens, spec.model_width});
    } else {
        call_.query = input(0, {spec.rows, tokens, spec.query_heads, spec.key_width});
        call_.key = input(1, {spec.rows, tokens, spec.kv_heads, spec.key_width});
        call_.value = input(2, {spec.rows, tokens, spec.kv_heads, spec.value_width});
    }
    output_ = Array(spec.rows * tokens * spec.output_size());
    std::fill(output_.begin(), output_.end(), 0.0F);  // its pages are nobody else's expense
    call_.output = dense<OutputView>(
        output_.data(), layer ? Shape{spec.rows, tokens, spec.model_width}
                              : Shape{spec.rows, tokens, spec.query_heads, spec.value_width});
    call_.counts = counts_;
    call_.real = real_;
}

void Call::give(const std::vector<Index>& counts) {
    counts_ = counts;
    call_.counts = counts_;
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
                for (Index slot = 0; slot < keys; ++slot) {
                    const float* const k = at(true, row, slot, kv_head);
                    double score = 0;
                    double product_sum = 0;
                    double key_sum = 0;
                    for (Index d = 0; d < w.width; ++d) {
                        score += double(q[d]) * double(k[d]);
                        product_sum += std::abs(double(q[d]) * double(k[d]));
                        key_sum += std::abs(double(k[d]));
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
                    for (Index slot = 0; slot < keys; ++slot) {
                        values.value.push_back(double(at(false, row, slot, kv_head)[d]));
                        values.output += facts.weight[std::size_t(slot)] * values.value.back();
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
