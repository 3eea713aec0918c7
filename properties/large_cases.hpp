// SPDX-License-Identifier: Apache-2.0
// Cases of the sizes of real use, few of them: long prefills, and steps after a long prefix, with
// ragged padding and odd tails. By default a fraction of those sizes, so that a run keeps its pace;
// the whole sizes on request. Only certified evaluation (oracles/certified.hpp) can judge them in
// reasonable time.
#pragma once

#include "properties/generators/extremes.hpp"
#include "properties/search/search.hpp"

namespace kvcheck {

/// A case is drawn around these extents: rows up to an eighth shorter, widths up to two narrower.
struct LargeSize {
    Index rows;
    Index query_heads;
    Index kv_heads;
    Index width;   // of keys and values
    Index slots;   // of the longest row
    bool decodes;  // single tokens after a prefix that nobody judges
};

/// How many of the large cases a run meets, and how large they are.
struct LargeOptions {
    Index count = 0;     // of the sizes, from the first on
    bool whole = false;  // the sizes of real use, not a fraction
};
/// All sizes.
const std::vector<LargeSize>& large_sizes(bool whole);

DrawnCase draw_large(Draw& draw, Level level, FeatureSet allowed, const LargeSize& size);

/// A case of each size, from number options.first on; none of them counts in the coverage of random
/// cases.
SearchResult search_large_cases(Subject& subject, Level level, const LargeOptions& large,
                                const SearchOptions& options);

}  // namespace kvcheck
