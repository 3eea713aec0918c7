// SPDX-License-Identifier: Apache-2.0
// Counting (declared in coverage.hpp).
#include "properties/search/coverage.hpp"

#include <algorithm>

#include "model/walk.hpp"

namespace kvcheck {
namespace {

/// The validity of a row as a text, so that rows can be compared.
std::string padding_of(const History& row) {
    std::string padding;
    for (const Node* node : row.tokens()) padding += node->token.real ? 'r' : 'p';
    return padding;
}

/// True where a row that ends and a neighbour of it are padded differently.
bool has_unequal_padding(const Case& test_case) {
    bool found = false;
    for_each_end(test_case, [&](const CacheState& state, Index row) {
        const std::string padding = padding_of(state.row(row));
        for (const Index other : {row - 1, row + 1}) {
            if (other < 0 || other >= state.row_count()) continue;
            const std::string beside = padding_of(state.row(other));
            const bool any = (padding + beside).find('p') != std::string::npos;
            found = found || (any && padding != beside);
        }
    });
    return found;
}

}  // namespace

void Coverage::add(const Case& test_case, Family family) {
    constexpr Index long_row = 17;
    constexpr Index longer_row = 33;
    constexpr Index narrow_most = 64;
    const FeatureSet present = exercised_by(test_case);
    ++cases;
    unequal_padding += has_unequal_padding(test_case) ? 1 : 0;
    warm_chunk += present.has(Feature::warm_chunks) ? 1 : 0;
    two_kv_heads += test_case.spec.kv_heads >= 2 ? 1 : 0;
    const Index longest = longest_row(test_case);
    long_rows += longest >= long_row ? 1 : 0;
    longer_rows += longest >= longer_row ? 1 : 0;
    wide += std::max(test_case.spec.key_width, test_case.spec.value_width) > narrow_most ? 1 : 0;
    not_uniform += family != Family::uniform ? 1 : 0;
    features = features | present;
    ++families[std::size_t(family)];
}

void Coverage::add(const Coverage& other) {
    cases += other.cases;
    unequal_padding += other.unequal_padding;
    warm_chunk += other.warm_chunk;
    two_kv_heads += other.two_kv_heads;
    long_rows += other.long_rows;
    longer_rows += other.longer_rows;
    wide += other.wide;
    not_uniform += other.not_uniform;
    features = features | other.features;
    for (std::size_t i = 0; i < families.size(); ++i) families[i] += other.families[i];
}

}  // namespace kvcheck
