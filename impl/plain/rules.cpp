// SPDX-License-Identifier: Apache-2.0
#include "impl/plain/rules.hpp"

#include <algorithm>

namespace kvcheck {

std::optional<float> PlainRules::mask(const TokenPlace& query, Index key) const {
    const bool visible = key <= query.slot() && query.real[std::size_t(key)];
    return visible ? std::optional(0.0F) : std::nullopt;
}

Index PlainRules::position_id(const TokenPlace& token, PositionIds ids) const {
    if (ids == PositionIds::slot) return token.slot();
    return std::count(token.real.begin(), token.real.begin() + token.slot(), true);
}

}  // namespace kvcheck
