// SPDX-License-Identifier: Apache-2.0
// Equality and making of tokens (declared in token.hpp).
#include "model/token.hpp"

#include <cstring>

namespace kvcheck {

bool Token::operator==(const Token& other) const {
    return real == other.real && back == other.back && input.size() == other.input.size() &&
           std::memcmp(input.data(), other.input.data(), input.size() * sizeof(float)) == 0;
}

Token zero_token(const Spec& spec, bool real) {
    return {real, std::vector<float>(std::size_t(spec.input_size())), 1};
}

}  // namespace kvcheck
