// SPDX-License-Identifier: Apache-2.0
// Text that is not ours (names, versions, refusals, last words, thrown texts, file names) as it may
// be shown: on one line, short, valid UTF-8, and with nothing in it that a terminal obeys. The only
// place where such text is made fit to print.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kvcheck {

constexpr std::size_t shown_bytes_max = 200;

/// At most `bytes_max` bytes of a text, and "..." where that is not all. Control characters (of
/// ASCII, of ISO 6429 and of Unicode's line breaks and writing directions) and bytes that are no
/// UTF-8 become question marks.
std::string shown(std::string_view text, std::size_t bytes_max = shown_bytes_max);

}  // namespace kvcheck
