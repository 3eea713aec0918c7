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

}  // namespace kvcheck
