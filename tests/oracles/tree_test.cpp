// SPDX-License-Identifier: Apache-2.0
// Clause 16 in the oracle: what a token of a tree gets is what it gets in a row that holds its path
// alone, under every convention.
#include <gtest/gtest.h>

#include "model/walk.hpp"
#include "properties/generators/structure.hpp"
#include "properties/generators/values.hpp"
#include "tests/model/build.hpp"
#include "tests/oracles/row_truth.hpp"

namespace kvcheck {
namespace {

FeatureSet without_evictions() {
    FeatureSet features = FeatureSet::all();
    features.remove(Feature::evict);
    return features;
}

void expect_row_of(const TokenTruth& tree, const TokenTruth& row) {
    EXPECT_EQ(tree.standing.dead, row.standing.dead);
    EXPECT_EQ(tree.in_domain, row.in_domain);
    if (!row.in_domain) return;
    ASSERT_EQ(tree.output.size(), row.output.size());
    for (std::size_t i = 0; i < tree.output.size(); ++i) {
        if (std::isnan(row.output[i].hi)) continue;
        EXPECT_EQ(tree.output[i].hi, row.output[i].hi);
        EXPECT_EQ(tree.output[i].lo, row.output[i].lo);
        EXPECT_GE(tree.output[i].bound, row.output[i].bound);
    }
}

TEST(Tree, EachPathIsARow) {
    Index compared = 0;
    for (std::uint64_t n = 0; n < 60; ++n) {
        Draw draw(SplitMix{n});
        const Level level = n % 2 == 0 ? Level::attention : Level::layer;
        Case test_case = draw_structure(draw, level, without_evictions(), {Feature::tree});
        fill_values(test_case, {Family(n % std::uint64_t(family_count)), draw.bits()}, true);
        Oracle of_tree(test_case.spec, test_case.parameters, {});
        Oracle of_row(test_case.spec, test_case.parameters, {});
        for_each_end(test_case, [&](const CacheState& state, Index r) {
            Truths truths(of_tree);
            for (auto node = state.row(r).last(); node; node = node->before) {
                if (node->depth == node->slot) continue;
                std::vector<Token> path;
                for (const Node* const token : path_of(*node)) {
                    path.push_back(token->token);
                    path.back().back = 1;
                }
                expect_row_of(truths.of(node), row_truth(of_row, path).back());
                ++compared;
            }
        });
    }
    EXPECT_GT(compared, 60);
}

TEST(Tree, EvictionHidesASlotAndNotADepth) {
    // Slots 1 and 2 are siblings of depth 1; slot 1 is evicted.
    Spec spec;
    spec.capacity = 4;
    const auto token = [](float value, Index back) { return Token{true, {0, 0, value}, back}; };
    const History draft = History().with(token(1, 1)).with(token(3, 1)).with(token(5, 2));
    Oracle oracle(spec, {}, {});
    Truths truths(oracle);
    const History below_2 = draft.without(1, 2).with(token(9, 1));
    EXPECT_EQ(truths.of(below_2.last()).output[0].hi, 5);
    const History below_1 = draft.without(1, 2).with(token(9, 2));
    EXPECT_EQ(truths.of(below_1.last()).output[0].hi, 5);
    const History again = draft.with(token(9, 2));
    EXPECT_NEAR(truths.of(again.last()).output[0].hi, 13.0 / 3, 1e-15);
}

}  // namespace
}  // namespace kvcheck
