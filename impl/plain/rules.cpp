// SPDX-License-Identifier: Apache-2.0
// The right decisions (declared in rules.hpp).
#include "impl/plain/rules.hpp"

#include <algorithm>

namespace kvcheck {

bool PlainRules::sees(const TokenPlace& query, Index key) const {
    return key <= query.slot() && query.real[std::size_t(key)];
}

float PlainRules::score_offset(const TokenPlace&, Index) const { return 0; }

Index PlainRules::position_id(const TokenPlace& token, PositionIds ids) const {
    if (ids == PositionIds::slot) return token.slot();
    return std::count(token.real.begin(), token.real.begin() + token.slot(), true);
}

}  // namespace kvcheck
