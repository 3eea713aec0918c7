// SPDX-License-Identifier: Apache-2.0
// How large an answer may be, by what was asked, and where it ends in what has been read. One that
// is larger, or has more parts, is refused before it is parsed, because a parsed number takes many
// times the room of its text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/types/spec.hpp"

namespace kvcheck {

struct AnswerSize {
    std::size_t bytes_max = 0;        // of a line
    std::size_t parts_max = 0;        // of a line: elements of arrays and members of objects
    std::size_t frame_bytes_max = 0;  // that follow a frame's head
};

/// For a request that asks for this many numbers. Leaves room for words, for numbers with more
/// digits than any needs, and for an array of a wrong shape, so that its shape can be told.
AnswerSize answer_size(Index numbers);

/// True where a JSON text has more parts; reads no further than that.
bool has_more_parts(const std::string& text, std::size_t parts_max);

/// Looks for the end of one answer, a line or a frame, in text that grows from look to look.
class AnswerEnd {
public:
    explicit AnswerEnd(const AnswerSize& size) : size_(size) {}

    /// `unread` begins with the answer. True where all of it has come and it is no larger than it
    /// may be.
    bool has_come(std::string_view unread);
    /// True where it is larger, or more has come than it may have.
    bool is_too_large(std::string_view unread) const;
    /// Bytes of the answer, and with what ends it. Needs: it has come.
    std::size_t size() const { return end_; }
    std::size_t size_with_end() const { return end_ + (is_frame_ ? 0 : 1); }

private:
    AnswerSize size_;
    bool is_frame_ = false;
    std::size_t searched_ = 0;  // no line ends before
    std::size_t end_ = 0;
};

}  // namespace kvcheck
