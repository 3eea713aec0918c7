// SPDX-License-Identifier: Apache-2.0
// The worked examples of clauses 10, 11, 15 and 16: what the page says of rows that were truncated,
// reordered, forked, finished, evicted from, shifted, saved and loaded, of prefixes, of queries
// without keys, and of a draft that was committed, is what the state machine and the rules make of
// them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/cache_state.hpp"
#include "model/quarter_turns.hpp"
#include "model/rotary.hpp"
#include "model/rules.hpp"
#include "tests/model/documents.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;

/// An append of real tokens whose queries and keys are zero.
Append values(const std::vector<std::vector<float>>& rows) {
    Append append;
    for (const auto& row : rows) {
        auto& tokens = append.rows.emplace_back();
        for (const float value : row) tokens.push_back({true, {0, 0, value}});
    }
    return append;
}

class Worked : public testing::Test {
protected:
    /// Rows that hold these values.
    void begin(const std::vector<std::vector<float>>& rows) {
        spec.rows = Index(rows.size());
        spec.capacity = 8;
        state.emplace(spec, 0);
        state->apply(values(rows));
    }
    void apply(Command command) {
        ASSERT_EQ(state->objection(command), "");
        state->apply(command);
    }
    /// The values that the last query of a row sees, as the page writes their mean.
    std::string output(Index row) const { return output_of(*state->row(row).last()); }
    std::string output_of(const Node& query) const {
        const Rules<float> rules;
        std::vector<float> seen;
        float sum = 0;
        for (const Node* const key : path_of(query)) {
            if (!rules.sees(spec, query, *key)) continue;
            seen.push_back(key->token.input[2]);
            sum += seen.back();
        }
        return fmt::format("({}) / {} = {}", fmt::join(seen, " + "), seen.size(),
                           sum / float(seen.size()));
    }

    Spec spec;
    std::optional<CacheState> state;
    const std::string page = document("contract.md");
};

TEST_F(Worked, Truncate) {
    begin({{1, 3, 5}});
    apply(Truncate{1, 0});
    apply(values({{11}}));
    EXPECT_EQ(state->row(0).last()->slot, 1);
    EXPECT_EQ(output(0), "(1 + 11) / 2 = 6");
    EXPECT_THAT(page, HasSubstr("its output is " + output(0)));
}

TEST_F(Worked, Reorder) {
    begin({{1, 3}, {10}, {4, 6}});
    const CacheState before = *state;
    apply(Reorder{{1, 2, 0}});
    apply(values({{2}, {2}, {2}}));
    EXPECT_THAT(page, HasSubstr("    0     1 3     10           " + output(0) + "\n"));
    EXPECT_THAT(page, HasSubstr("    1     10      4 6          " + output(1) + "\n"));
    EXPECT_THAT(page, HasSubstr("    2     4 6     1 3          " + output(2) + "\n"));
    *state = before;
    apply(Reorder{{2, 2, 0, 0}});
    apply(values({{2}, {2}, {2}, {2}}));
    EXPECT_EQ(output(0) + output(1), "(4 + 6 + 2) / 3 = 4(4 + 6 + 2) / 3 = 4");
    EXPECT_EQ(output(2) + output(3), "(1 + 3 + 2) / 3 = 2(1 + 3 + 2) / 3 = 2");
    EXPECT_THAT(page, HasSubstr("the outputs are 4, 4, 2, 2"));
}

TEST_F(Worked, Fork) {
    begin({{1, 3}});
    apply(Fork{0});
    apply(values({{5}, {8}}));
    EXPECT_THAT(page, HasSubstr("are " + output(0) + " and " + output(1)));
    apply(values({{3}, {}}));
    EXPECT_THAT(page, HasSubstr("\n" + output(0) + ". Where"));
}

TEST_F(Worked, Finish) {
    begin({{1}, {2}});
    apply(Finish{0});
    EXPECT_NE(state->objection(values({{4}, {4}})), "");
    apply(values({{}, {4}}));
    EXPECT_THAT(page, HasSubstr("the output is " + output(1)));
    apply(Reorder{{1, 0}});
    EXPECT_FALSE(state->row(0).is_finished());
    EXPECT_TRUE(state->row(1).is_finished());
}

TEST_F(Worked, Evict) {
    begin({{1, 3, 5}});
    apply(Evict{0, 1, 2});
    apply(values({{9}}));
    EXPECT_THAT(page, HasSubstr("    query 3      1  0  1  1       output " + output(0) + "\n"));
    const RowNumbers right = {.length = 4,
                              .visible_count = 3,
                              .retained_count = 3,
                              .next_slot = 4,
                              .next_id = 4,
                              .write_end = 4};
    EXPECT_EQ(state->numbers(0), right);
    apply(Truncate{1, 0});
    apply(values({{7}}));
    EXPECT_THAT(page, HasSubstr("is seen: " + output(0)));
}

TEST_F(Worked, AnAnchorThatIsEvicted) {
    spec.window = 2;
    spec.anchors = 1;
    begin({{1, 3, 5}});
    apply(Evict{0, 0, 1});
    apply(values({{7}}));
    EXPECT_EQ(output(0), "(5 + 7) / 2 = 6");
    apply(values({{9}}));
    EXPECT_EQ(output(0), "(7 + 9) / 2 = 8");
    EXPECT_THAT(page, HasSubstr("sees the slots 2 and 3, and its output is 6"));
    EXPECT_THAT(page, HasSubstr("4, and its output is 8"));
}

TEST_F(Worked, Shift) {
    spec.key_width = 2;
    spec.rotary = Rotary::halves;
    spec.capacity = 4;
    Parameters parameters;
    parameters.rotary_table = quarter_turns(4, {1});
    const auto turned = [&](Index id) { return rotated<float>(spec, parameters, {1, 0}, id); };
    const auto dot = [](const std::vector<float>& a, const std::vector<float>& b) {
        return a[0] * b[0] + a[1] * b[1];
    };
    state.emplace(spec, 4);
    const Token token{true, {1, 0, 1, 0, 0}};
    state->apply(Append{{{token, token, token}}, std::nullopt});
    apply(Evict{0, 0, 1});
    apply(kvcheck::Shift{0, 1});
    EXPECT_EQ(state->numbers(0).next_slot, 3);
    EXPECT_EQ(state->numbers(0).next_id, 2);
    EXPECT_THAT(page, HasSubstr("slot 3 and has id 2,"));
    EXPECT_EQ(turned(1), (std::vector<float>{0, 1}));
    EXPECT_EQ(turned(2), (std::vector<float>{-1, 0}));
    EXPECT_THAT(page, HasSubstr("and are now (1, 0) and (0, 1)"));
    for (const Index shift : {0, 1}) {
        EXPECT_EQ(dot(turned(3 - shift), turned(1 - shift)), -1);
        EXPECT_EQ(dot(turned(3 - shift), turned(2 - shift)), 0);
    }
    EXPECT_THAT(page, HasSubstr("its products with the two keys are -1 and 0;"));
    // Id 3 for the query, and keys that are turned on.
    EXPECT_EQ(dot(turned(3), turned(0)), 0);
    EXPECT_EQ(dot(turned(3), turned(1)), -1);
    EXPECT_EQ(dot(turned(2), turned(2)), 1);
    EXPECT_EQ(dot(turned(2), turned(3)), 0);
}

TEST_F(Worked, SaveAndLoad) {
    begin({{1, 3, 5}});
    apply(Evict{0, 1, 2});
    const CacheState saved = *state;
    apply(values({{9}}));
    EXPECT_THAT(page, HasSubstr("object that saved it goes on, its output is " + output(0)));
    *state = saved;
    apply(Reload{});
    EXPECT_EQ(state->numbers(0), saved.numbers(0));
    apply(values({{12}}));
    EXPECT_THAT(page, HasSubstr("the one that was loaded gives " + output(0)));
    EXPECT_EQ(state->numbers(0).length, 4);
    EXPECT_EQ(state->numbers(0).visible_count, 3);
}

/// Tokens of one row that follow the slots so many before them.
Append draft(const std::vector<float>& row, const std::vector<Index>& back) {
    Append append = values({row});
    for (std::size_t t = 0; t < back.size(); ++t) append.rows[0][t].back = back[t];
    return append;
}

TEST_F(Worked, ADraft) {
    begin({{1, 3}});
    apply(draft({5, 7, 9, 11}, {1, 2, 2, 2}));
    const std::vector<const Node*> row = state->row(0).tokens();
    std::string ids = "id by slot  ";
    std::string table = "    key slot     0  1  2  3  4  5\n";
    for (const Node* const node : row) {
        ids += fmt::format(" {}", position_id(PositionIds::slot, *node));
        if (ids.size() < 27) ids += " ";
        if (node->slot < 2) continue;
        std::vector<int> seen(row.size());
        for (const Node* const key : path_of(*node)) seen[std::size_t(key->slot)] = 1;
        table += fmt::format("    query {}      {}       output {}\n", node->slot,
                             fmt::join(seen, "  "), output_of(*node));
    }
    EXPECT_THAT(page, HasSubstr(ids + "\n"));
    EXPECT_THAT(page, HasSubstr(table));
}

TEST_F(Worked, ADraftIsCommitted) {
    begin({{1, 3}});
    apply(draft({5, 7, 9, 11}, {1, 2, 2, 2}));
    const CacheState before = *state;
    apply(Evict{0, 2, 3});
    apply(Evict{0, 4, 5});
    apply(draft({8}, {1}));
    EXPECT_EQ(position_id(PositionIds::slot, *state->row(0).last()), 4);
    EXPECT_THAT(page, HasSubstr("Its id is 4, and its\noutput is " + output(0)));
    *state = before;
    apply(draft({8}, {2}));
    const std::string not_evicted = output(0);
    *state = before;
    apply(Evict{0, 3, 4});
    apply(Evict{0, 5, 6});
    apply(draft({8}, {2}));
    EXPECT_EQ(output(0), not_evicted);
    EXPECT_THAT(page, HasSubstr("the output would be " + output(0)));
}

TEST_F(Worked, Reuse) {
    begin({{1, 3}, {}});
    apply(Publish{0, 0});
    apply(values({{5}, {}}));
    apply(Publish{0, 1});
    CacheState before = *state;
    apply(Reuse{1, 1, 3});
    apply(values({{}, {7}}));
    EXPECT_EQ(output(1), "(1 + 3 + 5 + 7) / 4 = 4");
    EXPECT_THAT(page, HasSubstr("and its output is " + output(1)));
    // What is asked for differs from the third slot on: of the name that is a part of two slots.
    *state = before;
    apply(Reuse{1, 1, 2});
    apply(values({{}, {8}}));
    EXPECT_EQ(output(1), "(1 + 3 + 8) / 3 = 4");
    EXPECT_THAT(page, HasSubstr("and with v = 8 an\noutput of " + output(1)));
}

TEST_F(Worked, QueriesWithoutKeys) {
    begin({{2, 4}});
    Append padding = values({{6}});
    padding.rows[0][0].real = false;
    apply(padding);
    EXPECT_EQ(output_of(*state->row(0).with_query({0, 0, 0}).last()), "(2 + 4) / 2 = 3");
    EXPECT_THAT(page, HasSubstr("A query that is asked gets\n(2 + 4) / 2 = 3"));
}

}  // namespace
}  // namespace kvcheck
