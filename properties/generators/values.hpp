// SPDX-License-Identifier: Apache-2.0
// The numbers of a case. A recipe is a family and a seed; filling a structure by a recipe is a pure
// function of both. The families are the kinds of data on which implementations differ: ties, one
// dominant key, huge and tiny scores, cancellation, subnormals, numbers that say where they come
// from.
#pragma once

#include <string_view>

#include "model/case.hpp"
#include "properties/generators/draw.hpp"

namespace kvcheck {

enum class Family {
    uniform,         // [-1, 1)
    bell,            // about normal, scores of a few units
    small_integers,  // -3 ... 3: many exact answers
    decodable,       // a value names its row, slot, head and element
    ties,            // two kinds of key only
    dominant,        // one key outweighs the others
    huge_scores,     // up to 1e5
    wide,            // any sign, exponents from -20 to 20
    subnormal,       // values, or products, below the smallest normal
    special,         // zeros of both signs, ones, neighbours of one, powers of two
    cancelling,      // large terms of alternating sign
    near_overflow,   // values a few powers of two below the largest float
    vast_scores,     // from 1e9 to near overflow, all negative in every other case
};
constexpr Index family_count = Index(Family::vast_scores) + 1;
std::string_view name_of(Family family);

struct Recipe {
    Family family = Family::uniform;
    std::uint64_t seed = 0;
    /// Of vast_scores at attention level: all are negative and about 2^score_exponent, or a few
    /// powers of two more. Both are drawn where it is zero.
    int score_exponent = 0;
};

/// Fills parameters and tokens whose sizes are already right. Padding gets contents of its own, NaN
/// and infinity among them where `nonfinite_padding` allows and nobody sees them.
void fill_values(Case& test_case, const Recipe& recipe, bool nonfinite_padding);

}  // namespace kvcheck
