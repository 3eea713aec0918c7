// SPDX-License-Identifier: Apache-2.0
// Sines at fifty digits (declared in sinusoid.hpp).
#include "oracles/sinusoid.hpp"

#include "oracles/number.hpp"

namespace kvcheck {

std::vector<float> sinusoidal_table(Index positions, Index width) {
    std::vector<float> table(std::size_t(positions * width));
    for (Index i = 0; i < width; ++i) {
        const Number exponent = Number(i - i % 2) / Number(width);
        const Number frequency = 1 / pow(Number(10000), exponent);
        for (Index position = 0; position < positions; ++position) {
            const Number angle = Number(position) * frequency;
            const Number value = i % 2 == 0 ? Number(sin(angle)) : Number(cos(angle));
            table[std::size_t(position * width + i)] = static_cast<float>(value);
        }
    }
    return table;
}

std::vector<float> rotary_table_of(Index positions, Index width, Index base) {
    std::vector<float> table(std::size_t(positions * width));
    const Index pairs = width / 2;
    for (Index pair = 0; pair < pairs; ++pair) {
        const Number step = 1 / pow(Number(base), Number(2 * pair) / Number(width));
        const Number step_cosine = cos(step);
        const Number step_sine = sin(step);
        // By the addition theorem, one step after the other: fifty digits have room for its errors.
        Number cosine(1);
        Number sine(0);
        for (Index position = 0; position < positions; ++position) {
            float* const row = table.data() + position * width;
            row[pair] = static_cast<float>(cosine);
            row[pairs + pair] = static_cast<float>(sine);
            const Number next = cosine * step_cosine - sine * step_sine;
            sine = sine * step_cosine + cosine * step_sine;
            cosine = next;
        }
    }
    return table;
}

}  // namespace kvcheck
