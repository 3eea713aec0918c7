// SPDX-License-Identifier: Apache-2.0
// Made and recognised (declared in quarter_turns.hpp).
#include "model/quarter_turns.hpp"

#include <array>

namespace kvcheck {
namespace {

constexpr std::array<float, turns_period> cosines = {1, 0, -1, 0};
constexpr std::array<float, turns_period> sines = {0, 1, 0, -1};

}  // namespace

std::vector<float> quarter_turns(Index positions, const std::vector<Index>& steps) {
    std::vector<float> table;
    for (Index id = 0; id < positions; ++id) {
        for (const auto* numbers : {&cosines, &sines}) {
            for (const Index step : steps)
                table.push_back((*numbers)[std::size_t(id * step % turns_period)]);
        }
    }
    return table;
}

bool admits_shifts(const Spec& spec, const Parameters& parameters) {
    if (spec.rotary == Rotary::none) return true;
    const std::vector<float>& table = parameters.rotary_table;
    const Index width = spec.turned_width();
    const Index positions = width == 0 ? 0 : Index(table.size()) / width;
    if (spec.storage == Storage::int8 || positions < turns_period) return false;
    std::vector<Index> steps;
    for (Index pair = 0; pair < width / 2; ++pair) {
        // Whatever is no quarter turn differs from all of these in its own row.
        Index step = 0;
        while (step + 1 < turns_period &&
               (table[std::size_t(width + pair)] != cosines[std::size_t(step)] ||
                table[std::size_t(width + width / 2 + pair)] != sines[std::size_t(step)]))
            ++step;
        steps.push_back(step);
    }
    return table == quarter_turns(positions, steps);
}

}  // namespace kvcheck
