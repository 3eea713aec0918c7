// SPDX-License-Identifier: Apache-2.0
// The parts of shrinking in their order, and the stretches that are removed (declared in
// shrink.hpp).
#include "properties/search/shrink.hpp"

#include <algorithm>

namespace kvcheck {

std::vector<Candidate> simpler_structures(const std::shared_ptr<const Case>& base) {
    Candidates list;
    add_simpler_programs(base, list);
    add_simpler_shapes(base, list);
    add_fewer_tokens(base, list);
    add_simpler_specs(base, list);
    return list.take();
}

std::vector<Candidate> coarser_structures(const std::shared_ptr<const Case>& base) {
    std::vector<Candidate> list = simpler_structures(base);
    std::erase_if(list, [](const Candidate& candidate) { return !candidate.is_coarse; });
    return list;
}

namespace {

/// Lengths below `whole`, falling. Besides all short ones: a quarter less each time, so that what
/// must keep a certain length gets near it in few tries, and the powers of two, so that what must
/// stay a multiple of one can fall.
std::vector<Index> lengths_below(Index whole, Index short_max) {
    std::vector<Index> lengths;
    Index power = 1;
    while (2 * power < whole) power *= 2;
    for (Index length = whole - 1; length > 0;) {
        lengths.push_back(length);
        if (length <= short_max) {
            --length;
            continue;
        }
        while (power >= length) power /= 2;
        length = std::max({short_max, length * 3 / 4, power});
    }
    return lengths;
}

}  // namespace

std::vector<Neighbours> removals(Index whole) {
    constexpr Index few = 12;       // 77 stretches
    constexpr Index short_max = 8;  // of many
    if (whole == 1) return {{0, 1, false, true}};
    const std::vector<Index> lengths = lengths_below(whole, whole <= few ? few : short_max);
    std::vector<Neighbours> stretches;
    for (const Index length : lengths) {
        const bool is_coarse = 4 * length >= whole;
        stretches.push_back({0, length, false, is_coarse});
        stretches.push_back({whole - length, length, false, is_coarse});
    }
    for (const Index length : lengths) {
        const Index stride = whole <= few ? 1 : length;
        for (Index begin = stride; begin + length < whole; begin += stride) {
            stretches.push_back({begin, length, true, false});
        }
    }
    return stretches;
}

}  // namespace kvcheck
