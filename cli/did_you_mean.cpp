// SPDX-License-Identifier: Apache-2.0
// Edit distances (declared in did_you_mean.hpp).
#include "cli/did_you_mean.hpp"

#include <algorithm>

namespace kvcheck {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    // distance[i][j]: of the first i characters of a to the first j of b.
    std::vector<std::vector<std::size_t>> distance(a.size() + 1,
                                                   std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                distance[i][j] = i + j;
                continue;
            }
            const std::size_t changed = a[i - 1] == b[j - 1] ? 0 : 1;
            distance[i][j] = std::min(
                {distance[i - 1][j] + 1, distance[i][j - 1] + 1, distance[i - 1][j - 1] + changed});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
        }
    }
    return distance[a.size()][b.size()];
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names) {
    constexpr std::size_t typed_max = 200;  // what is longer is no name of ours
    if (typed.size() > typed_max) return {};
    const std::string* nearest = nullptr;
    std::size_t edits = (typed.size() + 2) / 3 + 1;
    for (const std::string& name : names) {
        const std::size_t distance = edit_distance(typed, name);
        if (distance >= edits) continue;
        edits = distance;
        nearest = &name;
    }
    return nearest == nullptr ? std::string() : "; did you mean \"" + *nearest + "\"?";
}

}  // namespace kvcheck
