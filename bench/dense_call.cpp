// SPDX-License-Identifier: Apache-2.0
// Dense arrays and their views (declared in dense_call.hpp).
#include "bench/dense_call.hpp"

namespace kvcheck {
void fill_with_numbers(std::span<float> values, std::uint64_t seed) {
    std::uint64_t state = seed * 2 + 1;
    for (float& value : values) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        value = float(std::int32_t(state >> 32)) / 2147483648.0F;
    }
}

DenseCall::DenseCall(const Spec& spec, Index tokens)
    : counts_(std::size_t(spec.rows), tokens), real_(std::size_t(spec.rows * tokens), 1) {
    const auto input = [&](int which, const Shape& shape) {
        inputs_[std::size_t(which)] = Array(shape.size());
        return dense_view<InputView>(inputs_[std::size_t(which)].data(), shape);
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
    call_.output = dense_view<OutputView>(
        output_.data(), layer ? Shape{spec.rows, tokens, spec.model_width}
                              : Shape{spec.rows, tokens, spec.query_heads, spec.value_width});
    call_.counts = counts_;
    call_.real = real_;
}

void DenseCall::give(const std::vector<Index>& counts) {
    counts_ = counts;
    call_.counts = counts_;
}

void DenseCall::fill(std::uint64_t seed) {
    for (const Array& values : inputs_) fill_with_numbers({values.data(), values.size()}, seed++);
}

Parameters some_parameters(const Spec& spec, Index positions, std::uint64_t seed) {
    Parameters parameters = zero_parameters(spec, positions);
    for (Projection* projection :
         {&parameters.query, &parameters.key, &parameters.value, &parameters.output}) {
        fill_with_numbers(projection->weight, seed++);
        fill_with_numbers(projection->bias, seed++);
    }
    fill_with_numbers(parameters.position_table, seed);
    return parameters;
}

}  // namespace kvcheck
