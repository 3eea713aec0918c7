// SPDX-License-Identifier: Apache-2.0
// Cases at the ends of what is drawn: one extent, or the size of the scores, is as large as an
// implementation's tiles, buffers and constants, and all else is small. A random stream meets each
// of them too rarely, so every property is given each of them (properties/extreme_cases.hpp).
#pragma once

#include <string_view>
#include <vector>

#include "model/case.hpp"
#include "properties/generators/draw.hpp"
#include "properties/generators/values.hpp"

namespace kvcheck {

struct Extreme {
    enum class Kind {
        rows,          // of the batch
        heads,         // any pair of counts
        width,         // of keys, values or both
        single_calls,  // calls of one token
        keys,          // that one query sees
        hidden_tile,   // padded slots before the first real token
        query_tile,    // queries in one call, among padding, with values a multiple of 16 wide
        exact_tile,    // slots, no more and no fewer
        scores,        // all negative, at least 2^extent in size
        scale,         // extent itself
    };
    Kind kind;
    Index extent;
    std::string_view what;  // for people
    FeatureSet needs;       // what a subject must have for the case to be what it says
};

/// All of them.
const std::vector<Extreme>& extremes();

struct DrawnCase {
    Case test_case;
    Family family = Family::uniform;
};

/// A case of this kind within what a subject `allows`, numbers and all. `focus` is what it must
/// contain besides (Property::focus).
DrawnCase draw_extreme(Draw& draw, Level level, FeatureSet allowed, const FeatureSet& focus,
                       const Extreme& extreme);

}  // namespace kvcheck
