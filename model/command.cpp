// SPDX-License-Identifier: Apache-2.0
#include "model/command.hpp"

#include <algorithm>
#include <cstring>

namespace kvcheck {

Index count_max(const Append& append) {
    Index most = 0;
    for (const auto& row : append.rows) most = std::max(most, Index(row.size()));
    return most;
}

bool Token::operator==(const Token& other) const {
    return real == other.real && input.size() == other.input.size() &&
           std::memcmp(input.data(), other.input.data(), input.size() * sizeof(float)) == 0;
}

Token zero_token(const Spec& spec, bool real) {
    return {real, std::vector<float>(std::size_t(spec.input_size()))};
}

}  // namespace kvcheck
