// SPDX-License-Identifier: Apache-2.0
// Reading a duration (declared in duration.hpp).
#include "cli/duration.hpp"

#include <cmath>
#include <cstdint>

#include "model/types/error.hpp"

namespace kvcheck {

std::chrono::milliseconds duration_of(const std::string& flag, const std::string& text) {
    const auto refuse = [&]() -> std::chrono::milliseconds {
        throw InputError(flag, "\"" + text + "\"", "a positive number of ms, s or m, as in 60s");
    };
    std::size_t end = 0;
    double number = 0;
    try {
        number = std::stod(text, &end);
    } catch (const std::exception&) {
        return refuse();
    }
    const std::string unit = text.substr(end);
    const double factor = unit == "ms" ? 1 : unit == "s" ? 1e3 : unit == "m" ? 6e4 : 0;
    constexpr double longest = 1e10;
    if (factor == 0 || !(number > 0) || number * factor > longest) return refuse();
    return std::chrono::milliseconds(std::int64_t(std::ceil(number * factor)));
}

}  // namespace kvcheck
