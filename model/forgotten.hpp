// SPDX-License-Identifier: Apache-2.0
// Tokens that nobody sees any more: taken back, reset, evicted, or held by rows that are gone, and
// not published either.
#pragma once

#include <set>
#include <tuple>

#include "model/walk.hpp"

namespace kvcheck {

/// The tokens of a case that no query can see once `commands` of its commands have been carried
/// out. What a window has left behind is not among them.
class Forgotten {
public:
    Forgotten(const Case& test_case, std::size_t commands);

    bool empty() const { return sites_.empty(); }
    bool has(const TokenSite& site) const {
        return sites_.count({site.command, site.row, site.index}) > 0;
    }

private:
    std::set<std::tuple<Index, Index, Index>> sites_;  // command, row, index in the call
};

}  // namespace kvcheck
