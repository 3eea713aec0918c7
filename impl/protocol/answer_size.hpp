// SPDX-License-Identifier: Apache-2.0
// How large an answer may be, by what was asked: a line that is longer, or has more parts, is
// refused before it is parsed, because a parsed number takes many times the room of its text.
#pragma once

#include <cstddef>
#include <string>

#include "model/types/spec.hpp"

namespace kvcheck {

struct AnswerSize {
    std::size_t bytes_max = 0;
    std::size_t parts_max = 0;  // elements of arrays and members of objects
};

/// For a request that asks for this many numbers. Leaves room for words, for numbers with more
/// digits than any needs, and for an array of a wrong shape, so that its shape can be told.
AnswerSize answer_size(Index numbers);

/// True where a JSON text has more parts; reads no further than that.
bool has_more_parts(const std::string& text, std::size_t parts_max);

}  // namespace kvcheck
