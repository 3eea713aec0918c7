// SPDX-License-Identifier: Apache-2.0
// Foreign text made fit to print (declared in shown.hpp).
#include "model/types/shown.hpp"

#include <array>
#include <cstdint>

#include "model/types/error.hpp"

namespace kvcheck {
namespace {

/// One character of a text: its code point and how many bytes it takes; no bytes where the text
/// does not begin with a character of UTF-8 (RFC 3629).
struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0;
};

Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return std::uint32_t(std::uint8_t(text[i])); };
    const std::uint32_t first = byte(0);
    if (first < 0x80) return {first, 1};
    const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    constexpr std::array<std::uint32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
    if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
    std::uint32_t code = first & (0x7fU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) return {};
        code = code << 6U | (byte(i) & 0x3fU);
    }
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    if (code < least[bytes] || surrogate || code > 0x10ffff) return {};
    return {code, bytes};
}

/// Something that is obeyed rather than shown.
bool is_control(std::uint32_t code) {
    const auto within = [code](std::uint32_t low, std::uint32_t high) {
        return code >= low && code <= high;
    };
    return code < 0x20 || within(0x7f, 0x9f) || within(0x200b, 0x200f) || within(0x2028, 0x202e) ||
           within(0x2060, 0x206f) || code == 0xfeff;
}

}  // namespace

std::string shown(std::string_view text, std::size_t bytes_max) {
    std::string line;
    while (!text.empty()) {
        const Character character = first_character(text);
        const bool printable = character.bytes > 0 && !is_control(character.code);
        const std::size_t taken = printable ? character.bytes : 1;
        if (line.size() + taken > bytes_max) return line + "...";
        if (printable)
            line += text.substr(0, taken);
        else
            line += '?';
        text.remove_prefix(character.bytes > 0 ? character.bytes : 1);
    }
    return line;
}

std::string InputError::shown(const std::string& text) { return kvcheck::shown(text); }

}  // namespace kvcheck
