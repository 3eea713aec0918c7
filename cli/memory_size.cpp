// SPDX-License-Identifier: Apache-2.0
// Reading an amount of memory (declared in memory_size.hpp).
#include "cli/memory_size.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "model/types/error.hpp"

namespace kvcheck {
namespace {

/// How often 1024 is a factor of a unit.
std::optional<unsigned> power_of(std::string unit) {
    constexpr std::string_view letters = "bkmgt";
    std::transform(unit.begin(), unit.end(), unit.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    if (unit.empty()) return 0;
    const std::size_t power = letters.find(unit[0]);
    const std::string_view rest = std::string_view(unit).substr(1);
    const bool known = rest.empty() || (power > 0 && (rest == "b" || rest == "ib"));
    if (power == std::string_view::npos || !known) return std::nullopt;
    return unsigned(power);
}

}  // namespace

std::size_t memory_size_of(const std::string& flag, const std::string& text) {
    constexpr std::uint64_t least = std::uint64_t{1} << 20U;
    constexpr std::uint64_t most = std::uint64_t{1} << 50U;
    const auto refuse = [&]() -> std::size_t {
        throw InputError(flag, "\"" + text + "\"",
                         "a whole number of B, KiB, MiB, GiB or TiB, at least 1MiB and at most "
                         "1024TiB, as in 32GiB, or 0 for no limit");
    };
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc()) return refuse();
    const std::optional<unsigned> power = power_of(std::string(stop, end));
    if (!power || number > most >> (10 * *power)) return refuse();
    const std::uint64_t bytes = number << (10 * *power);
    if (bytes != 0 && bytes < least) return refuse();
    return std::size_t(bytes);
}

}  // namespace kvcheck
