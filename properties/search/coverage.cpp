// SPDX-License-Identifier: Apache-2.0
// Counts what random cases contain (declared in search.hpp).
#include <algorithm>

#include "properties/search/search.hpp"

namespace kvcheck {
namespace {

/// The validity of a row as a text, so that rows can be compared.
std::string padding_of(const RowTokens& row) {
    std::string padding;
    for (const Token& token : row) padding += token.real ? 'r' : 'p';
    return padding;
}

bool has_unequal_padding(const std::vector<Epoch>& history) {
    for (const Epoch& epoch : history) {
        for (std::size_t r = 1; r < epoch.size(); ++r) {
            const auto pads = [](const RowTokens& row) {
                return std::any_of(row.begin(), row.end(), [](const Token& t) { return !t.real; });
            };
            const bool any = pads(epoch[r]) || pads(epoch[r - 1]);
            if (any && padding_of(epoch[r]) != padding_of(epoch[r - 1])) return true;
        }
    }
    return false;
}

Index longest_row(const std::vector<Epoch>& history) {
    Index longest = 0;
    for (const Epoch& epoch : history) {
        for (const RowTokens& row : epoch) longest = std::max(longest, Index(row.size()));
    }
    return longest;
}

}  // namespace

void Coverage::add(const Case& value, Family family) {
    constexpr Index long_row = 17;
    const FeatureSet present = features_of(value);
    const auto history = history_of(value);
    ++cases;
    unequal_padding += has_unequal_padding(history) ? 1 : 0;
    warm_chunk += present.has(Feature::warm_chunks) ? 1 : 0;
    two_kv_heads += value.spec.kv_heads >= 2 ? 1 : 0;
    long_rows += longest_row(history) >= long_row ? 1 : 0;
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
    not_uniform += other.not_uniform;
    features = features | other.features;
    for (std::size_t i = 0; i < families.size(); ++i) families[i] += other.families[i];
}

}  // namespace kvcheck
