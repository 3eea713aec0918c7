// SPDX-License-Identifier: Apache-2.0
// Bytes as text for JSON (RFC 4648, section 4: with padding, without line breaks).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kvcheck {

std::string base64_of(std::span<const std::byte> bytes);
/// Empty where the text is no such thing; spare bits of the last letter must be zero.
std::optional<std::vector<std::byte>> bytes_of_base64(std::string_view text);

}  // namespace kvcheck
