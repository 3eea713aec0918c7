// SPDX-License-Identifier: Apache-2.0
// Drawing them (declared in rotary.hpp).
#include "properties/generators/rotary.hpp"

#include <algorithm>
#include <cmath>

#include "model/quarter_turns.hpp"
#include "oracles/sinusoid.hpp"

namespace kvcheck {
namespace {

/// A point of the unit circle from the rational parameter t, times a power of two now and then, as
/// long contexts stretch their tables. No libm: IEEE division is the same everywhere.
void draw_pair(Draw& draw, int exponent, float& cosine, float& sine) {
    const double t = std::ldexp(double(draw.range(-(1 << 20), 1 << 20)), -20);
    const bool swapped = draw.below(2) == 1;
    const bool negative = draw.below(2) == 1;
    const double square = t * t;
    const double across = (1 - square) / (1 + square);
    const double along = 2 * t / (1 + square);
    cosine = float(std::ldexp(negative ? -across : across, exponent));
    sine = float(std::ldexp(along, exponent));
    if (swapped) std::swap(cosine, sine);
}

}  // namespace

void draw_rotary(Draw& draw, FeatureSet allowed, const FeatureSet& focus, Spec& spec) {
    const auto can = [&](Feature feature) { return allowed.has(feature); };
    // What a shift turns back is what was turned.
    const bool is_turned = draw.percent(focus.has(Feature::shift) ? 70 : 25);
    const bool adjacent = draw.percent(50);
    const bool partial = draw.percent(35);
    const Index part = draw.below(std::max<Index>(spec.key_width / 2, 1));
    const bool counted = draw.percent(50);
    const Rotary pairing = adjacent && can(Feature::rotary_adjacent) ? Rotary::adjacent
                           : can(Feature::rotary_halves)             ? Rotary::halves
                           : can(Feature::rotary_adjacent)           ? Rotary::adjacent
                                                                     : Rotary::none;
    if (!is_turned || pairing == Rotary::none) return;
    const bool needs_part = spec.key_width % 2 != 0;
    if (spec.key_width == 1 || (needs_part && !can(Feature::partial_rotary))) {
        const bool is_fixed = spec.level == Level::layer && !can(Feature::free_model_width);
        if (is_fixed) return;
        if (spec.value_width == spec.key_width) ++spec.value_width;
        ++spec.key_width;
    }
    spec.rotary = pairing;
    const bool odd = spec.key_width % 2 != 0;
    if (can(Feature::partial_rotary) && (odd || partial)) {
        spec.rotary_width = 2 * std::clamp<Index>(part, 1, spec.key_width / 2);
    }
    if (counted && can(Feature::visible_count_ids)) spec.position_ids = PositionIds::visible_count;
}

std::vector<float> draw_rotary_table(Draw& draw, Index positions, Index width) {
    static const std::vector<Index> bases = {10000, 100, 500000};
    const Index base = draw.pick(bases);
    const bool by_formula = draw.percent(50);
    const bool stretched = draw.percent(10);
    if (by_formula) return rotary_table_of(positions, width, base);
    std::vector<float> table(std::size_t(positions * width));
    const Index pairs = width / 2;
    for (Index id = 0; id < positions; ++id) {
        float* const row = table.data() + id * width;
        for (Index pair = 0; pair < pairs; ++pair) {
            draw_pair(draw, stretched ? 1 : 0, row[pair], row[pairs + pair]);
        }
    }
    return table;
}

std::vector<float> draw_quarter_turns(Draw& draw, Index positions, Index width) {
    // Half a turn looks the same in both directions, so most are a quarter or three.
    static const std::vector<Index> any = {1, 1, 3, 3, 2, 0};
    std::vector<Index> steps;
    for (Index pair = 0; pair < width / 2; ++pair) steps.push_back(draw.pick(any));
    if (!steps.empty()) steps.front() = 1;
    return quarter_turns(positions, steps);
}

}  // namespace kvcheck
