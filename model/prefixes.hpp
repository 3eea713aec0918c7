// SPDX-License-Identifier: Apache-2.0
// Prefixes that rows have published in an object (clause 11), each under the name that a program
// gives it. The names are the program's alone: a subject is given labels of the tokens.
#pragma once

#include <utility>
#include <vector>

#include "model/history.hpp"

namespace kvcheck {

class Prefixes {
public:
    bool empty() const { return published_.empty(); }
    /// A name that stands there already means this one from now on; what it meant stays published.
    void publish(Index name, const History& row);
    /// Null where nothing was published under the name.
    const History* named(Index name) const;
    /// The longest published prefix that `wanted` begins with; empty where there is none.
    History longest(const History& wanted) const;
    void clear() { published_.clear(); }

    /// Calls visit(history) for each.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const auto& [name, history] : published_) visit(history);
    }

private:
    std::vector<std::pair<Index, History>> published_;
};

}  // namespace kvcheck
