// SPDX-License-Identifier: Apache-2.0
// Publishing and finding (declared in prefixes.hpp).
#include "model/prefixes.hpp"

#include <algorithm>

namespace kvcheck {

void Prefixes::publish(Index name, const History& row) {
    published_.emplace_back(name, row.as_prefix());
}

const History* Prefixes::named(Index name) const {
    const auto last = std::find_if(published_.rbegin(), published_.rend(),
                                   [&](const auto& one) { return one.first == name; });
    return last == published_.rend() ? nullptr : &last->second;
}

History Prefixes::longest(const History& wanted) const {
    History longest;
    for_each([&](const History& history) {
        if (history.length() > longest.length() && wanted.continues(history)) longest = history;
    });
    return longest;
}

}  // namespace kvcheck
