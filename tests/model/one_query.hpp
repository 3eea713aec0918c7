// SPDX-License-Identifier: Apache-2.0
// One query of one head over a row that is written as text, for cases that are worked by hand.
#pragma once

#include <string>
#include <vector>

#include "model/attention.hpp"
#include "tests/model/build.hpp"
#include "tests/model/fraction.hpp"

namespace kvcheck {

/// The projected tokens of one row.
template <class Scalar>
struct HeadInputs {
    std::vector<std::vector<Scalar>> query, key, value;  // [slots]
};

/// What the query in `slot` gets, of a row written as text: 'R' is a real token, 'P' padding.
template <class Scalar>
Attended<Scalar> attend(const Spec& spec, const std::string& row, const HeadInputs<Scalar>& in,
                        Index slot, Index head, Scalar scale, const Parameters& parameters = {}) {
    const History history = history_of(row);
    std::vector<ReadToken<Scalar>> tokens;
    for (const Node* node : history.tokens()) {
        const auto n = std::size_t(node->slot);
        if (node->slot <= slot) tokens.push_back({node, &in.key[n], &in.value[n]});
    }
    return attend<Scalar>(spec, parameters, Rules<Scalar>(), tokens, in.query[std::size_t(slot)],
                          head, scale);
}

inline std::vector<Fraction> fractions(const std::vector<int>& integers) {
    return {integers.begin(), integers.end()};
}

}  // namespace kvcheck
