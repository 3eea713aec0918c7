// SPDX-License-Identifier: Apache-2.0
// What a call must be before anything is touched (declared in admission.hpp).
#include "impl/admission.hpp"

#include <algorithm>

namespace kvcheck {
namespace {

template <class View>
bool fits(const View& view, const Shape& shape, ElementType element) {
    return view.shape == shape && view.type == element;
}

bool inputs_fit(const AppendCall& call, const Spec& spec, ElementType element, Index tokens) {
    for (const TokenArray& array : input_arrays(spec.level)) {
        const Shape shape = call_shape(array, spec, tokens);
        if (!fits(input_of(call, array.role), shape, element)) return false;
    }
    return true;
}

}  // namespace

std::string objection_to(const AppendCall& call, const Spec& spec, ElementType element,
                         const std::vector<Index>& lengths) {
    if (Index(call.counts.size()) != spec.rows) return "counts: not one per row";
    const InputView& input = input_of(call, input_arrays(spec.level).front().role);
    if (input.shape.rank < 2) return "inputs: too few dimensions";
    const Index tokens = input.shape.extent[1];
    if (!inputs_fit(call, spec, element, tokens)) return "inputs: wrong shape or element type";
    const Shape output = call_shape(output_array(spec.level), spec, tokens);
    if (!fits(call.output, output, element)) return "output: wrong shape or element type";
    if (Index(call.real.size()) != spec.rows * tokens) return "validity: not one per token";
    if (call.query_offset && call.query_offset->size() != lengths.size()) {
        return "query_offset: not one per row";
    }
    if (call.back && call.back->size() != call.real.size()) return "back: not one per token";
    Index longest = 0;
    for (std::size_t r = 0; r < lengths.size(); ++r) {
        const Index count = call.counts[r];
        if (count < 0 || count > tokens) return "counts: outside the given tokens";
        if (lengths[r] + count > spec.capacity) return "counts: beyond the capacity";
        if (call.query_offset && (*call.query_offset)[r] != lengths[r]) {
            return "query_offset: not the next slot of the row";
        }
        for (Index t = 0; call.back && t < count; ++t) {
            const Index back = (*call.back)[r * std::size_t(tokens) + std::size_t(t)];
            if (back < 1 || back > lengths[r] + t + 1) return "back: no slot of the row";
        }
        longest = std::max(longest, lengths[r] + count);
    }
    if (call.log_sum_exp &&
        !fits(*call.log_sum_exp, {spec.rows, tokens, spec.query_heads}, element)) {
        return "log_sum_exp: wrong shape or element type";
    }
    if (!call.weights) return {};
    const Shape& shape = call.weights->shape;
    const bool weights_fit =
        fits(*call.weights, {spec.rows, spec.query_heads, tokens, shape.extent[3]}, element) &&
        shape.extent[3] >= longest;
    return weights_fit ? "" : "weights: wrong shape or element type";
}

std::string objection_to_counts(std::span<const Index> counts, Index rows) {
    if (Index(counts.size()) != rows) return "counts: not one per row";
    const bool negative = std::any_of(counts.begin(), counts.end(), [](Index n) { return n < 0; });
    return negative ? "counts: below zero" : "";
}

std::string objection_to_ask(const AppendCall& call, const Spec& spec, ElementType element) {
    if (spec.rotary != Rotary::none || spec.slopes) return "queries without keys have no position";
    if (call.weights || call.log_sum_exp || call.back || call.query_offset)
        return "queries without keys have neither weights, log-sum-exps, back nor query_offset";
    Spec roomy = spec;
    roomy.capacity = extent_max;
    return objection_to(call, roomy, element, std::vector<Index>(std::size_t(spec.rows)));
}

}  // namespace kvcheck
