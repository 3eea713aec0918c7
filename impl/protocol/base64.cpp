// SPDX-License-Identifier: Apache-2.0
// Three bytes, four letters (declared in base64.hpp).
#include "impl/protocol/base64.hpp"

#include <algorithm>
#include <cstdint>

namespace kvcheck {
namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t group_bytes = 3;
constexpr std::size_t group_letters = 4;
constexpr unsigned letter_bits = 6;
constexpr unsigned byte_bits = 8;
constexpr unsigned group_bits = 24;

}  // namespace

std::string base64_of(std::span<const std::byte> bytes) {
    std::string text;
    text.reserve((bytes.size() + group_bytes - 1) / group_bytes * group_letters);
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), group_bytes))) {
        std::uint32_t group = 0;
        for (std::size_t n = 0; n < std::min(bytes.size(), group_bytes); ++n)
            group |= std::to_integer<std::uint32_t>(bytes[n]) << (group_bits - byte_bits * (n + 1));
        for (std::size_t n = 0; n < group_letters; ++n) {
            const std::uint32_t letter = group >> (group_bits - letter_bits * (n + 1)) & 63U;
            text += n > bytes.size() ? '=' : letters[letter];
        }
    }
    return text;
}

std::optional<std::vector<std::byte>> bytes_of_base64(std::string_view text) {
    if (text.size() % group_letters != 0) return std::nullopt;
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / group_letters * group_bytes);
    for (; !text.empty(); text.remove_prefix(group_letters)) {
        const bool last = text.size() == group_letters;
        const std::string_view quad = text.substr(0, group_letters);
        const std::size_t held = last ? std::min(quad.find('='), group_letters) : group_letters;
        if (held < 2 || quad.substr(held).find_first_not_of('=') != std::string_view::npos)
            return std::nullopt;
        std::uint32_t group = 0;
        for (std::size_t n = 0; n < held; ++n) {
            const std::size_t letter = letters.find(quad[n]);
            if (letter == std::string_view::npos) return std::nullopt;
            group |= std::uint32_t(letter) << (group_bits - letter_bits * (n + 1));
        }
        for (std::size_t n = 0; n + 1 < held; ++n)
            bytes.push_back(std::byte(group >> (group_bits - byte_bits * (n + 1)) & 255U));
        const std::uint32_t spare = (std::uint32_t{1} << (group_bits - byte_bits * (held - 1))) - 1;
        if (held < group_letters && (group & spare) != 0) return std::nullopt;
    }
    return bytes;
}

}  // namespace kvcheck
