// SPDX-License-Identifier: Apache-2.0
// Labels made and put together (declared in token_labels.hpp).
#include "properties/drive/token_labels.hpp"

#include "model/types/hash.hpp"

namespace kvcheck {

void TokenLabels::add(const Node& token) {
    constexpr unsigned bits = 53;  // of integers that every language has
    labels_[&token] = Index(mixed(++added_, fnv_basis) >> (64U - bits));
}

OwnPrefixKey TokenLabels::key(const History& row) const {
    OwnPrefixKey key;
    for (const Node* const token : row.tokens()) {
        key.labels.push_back(labels_.at(token));
        key.real.push_back(token->token.real ? 1 : 0);
    }
    return key;
}

}  // namespace kvcheck
