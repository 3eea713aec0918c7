// SPDX-License-Identifier: Apache-2.0
// The limits of an answer (declared in answer_size.hpp).
#include "impl/protocol/answer_size.hpp"

#include <algorithm>

namespace kvcheck {

AnswerSize answer_size(Index numbers) {
    constexpr std::size_t words_bytes = std::size_t{2} << 20;
    constexpr std::size_t number_bytes = 128;
    constexpr std::size_t other_parts = std::size_t{1} << 16;
    constexpr std::size_t wrong_shape = 4;
    const auto count = std::size_t(std::max<Index>(numbers, 0));
    return {words_bytes + number_bytes * count, other_parts + wrong_shape * count};
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

}  // namespace kvcheck
