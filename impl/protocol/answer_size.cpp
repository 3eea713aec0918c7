// SPDX-License-Identifier: Apache-2.0
// The limits of an answer (declared in answer_size.hpp).
#include "impl/protocol/answer_size.hpp"

#include <algorithm>

#include "impl/protocol/frame.hpp"

namespace kvcheck {

AnswerSize answer_size(Index numbers) {
    constexpr std::size_t words_bytes = std::size_t{2} << 20;
    constexpr std::size_t number_bytes = 128;
    constexpr std::size_t other_parts = std::size_t{1} << 16;
    constexpr std::size_t wrong_shape = 4;
    constexpr std::size_t frame_words_bytes = std::size_t{1} << 16;
    constexpr std::size_t frame_number_bytes = 8;
    const auto count = std::size_t(std::max<Index>(numbers, 0));
    return {words_bytes + number_bytes * count, other_parts + wrong_shape * count,
            frame_words_bytes + frame_number_bytes * count};
}

bool has_more_parts(const std::string& text, std::size_t parts_max) {
    std::size_t parts = 1;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string && c == '\\')
            ++i;
        else if (c == '"')
            in_string = !in_string;
        else if (c == ',' && !in_string && ++parts > parts_max)
            return true;
    }
    return false;
}

bool AnswerEnd::has_come(std::string_view unread) {
    is_frame_ = begins_frame(unread);
    if (is_frame_) {
        if (unread.size() < frame_head_bytes) return false;
        const std::uint64_t rest = frame_rest(unread);
        if (rest > size_.frame_bytes_max) return false;
        end_ = frame_head_bytes + std::size_t(rest);
        return unread.size() >= end_;
    }
    const std::size_t end = unread.find('\n', searched_);
    searched_ = std::min(end, unread.size());
    if (end > size_.bytes_max) return false;
    end_ = end;
    return true;
}

bool AnswerEnd::is_too_large(std::string_view unread) const {
    if (!begins_frame(unread)) return unread.size() > size_.bytes_max;
    const std::size_t most = frame_head_bytes + size_.frame_bytes_max;
    return unread.size() > most ||
           (unread.size() >= frame_head_bytes && frame_rest(unread) > size_.frame_bytes_max);
}

}  // namespace kvcheck
