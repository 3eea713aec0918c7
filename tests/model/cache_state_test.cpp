// SPDX-License-Identifier: Apache-2.0
// The cache state machine against the worked examples of docs/contract.md: each table is computed,
// written as the page writes it, and looked for there.
#include "model/cache_state.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/rules.hpp"
#include "tests/model/build.hpp"
#include "tests/model/documents.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;

/// The spec of `rows` rows; a position table where `table` says so.
Spec spec_of(Index rows, Index capacity, PositionIds ids = PositionIds::slot, bool table = false) {
    Spec spec;
    spec.rows = rows;
    spec.capacity = capacity;
    spec.position_ids = ids;
    if (table) {
        spec.level = Level::layer;
        spec.model_width = 1;
        spec.position_signal = PositionSignal::learned;
    }
    return spec;
}

/// An append of rows written as text: 'R' is a real token, 'P' padding.
Append append_of(const std::vector<std::string>& rows,
                 std::optional<std::vector<Index>> offsets = std::nullopt) {
    Append append;
    for (const std::string& row : rows) {
        auto& tokens = append.rows.emplace_back();
        for (const char c : row) tokens.push_back({c == 'R', {}});
    }
    append.query_offset = std::move(offsets);
    return append;
}

std::string mask_line(const History& row, Index query) {
    const auto tokens = row.tokens();
    std::string line;
    for (const Node* key : tokens) {
        const bool sees = Rules<double>().sees(Spec(), *tokens[std::size_t(query)], *key);
        line += sees ? "  1" : "  0";
    }
    return line;
}

TEST(CacheState, SlotsOfASecondCallSeeTheFirst) {
    CacheState state(spec_of(1, 6), 0);
    state.apply(append_of({"RRRR"}));
    const Append second = append_of({"RR"}, std::vector<Index>{4});
    ASSERT_EQ(state.objection(second), "");
    state.apply(second);
    std::string table = "    key slot     0  1  2  3  4  5\n";
    for (const Index query : {4, 5}) {
        table += fmt::format("    query {}    {}\n", query, mask_line(state.row(0), query));
    }
    EXPECT_THAT(document("contract.md"), HasSubstr(table));
}

TEST(CacheState, LeftPaddingIsSeenByNobody) {
    const History row = history_of("PPRR");
    for (Index query = 0; query < row.length(); ++query) {
        const bool real = row.tokens()[std::size_t(query)]->token.real;
        const std::string asked =
            fmt::format("    query {}{} sees", query, real ? "" : " (padding)");
        const std::string line = fmt::format("{:<30}{}", asked, mask_line(row, query));
        EXPECT_THAT(document("contract.md"), HasSubstr(line + (real ? "" : "    dead\n")));
    }
}

TEST(CacheState, IdsCountSlotsOrRealTokens) {
    std::string by_slot;
    std::string by_count;
    const History row = history_of("PPRR");
    for (const Node* token : row.tokens()) {
        by_slot += fmt::format("  {}", position_id(PositionIds::slot, *token));
        by_count += fmt::format("  {}", position_id(PositionIds::visible_count, *token));
    }
    EXPECT_THAT(document("contract.md"),
                HasSubstr("    id by slot                " + by_slot +
                          "\n    id by visible count       " + by_count + "\n"));
    EXPECT_EQ(row.next_id(PositionIds::slot), 4) << "the next token";
    EXPECT_EQ(row.next_id(PositionIds::visible_count), 2) << "the next token";
}

TEST(CacheState, APaddedQueryDoesNotSeeItself) {
    const History row = history_of("RPR");
    EXPECT_EQ(mask_line(row, 0), "  1  0  0");
    EXPECT_EQ(mask_line(row, 1), "  1  0  0");
    EXPECT_EQ(mask_line(row, 2), "  1  0  1");
}

TEST(CacheState, LengthsAreOfEachRow) {
    CacheState state(spec_of(3, 4), 0);
    state.apply(append_of({"RPR", "", "P"}));
    state.apply(append_of({"", "R", "R"}));
    EXPECT_EQ(state.row(0).length(), 3);
    EXPECT_EQ(state.row(0).real_count(), 2);
    EXPECT_EQ(state.row(1).length(), 1);
    EXPECT_EQ(state.row(1).real_count(), 1);
    EXPECT_EQ(state.row(2).length(), 2);
    EXPECT_EQ(state.row(2).real_count(), 1);
}

TEST(CacheState, AnOffsetIsTheNextSlotOrRefused) {
    CacheState state(spec_of(2, 8), 0);
    state.apply(append_of({"RR", "R"}));
    EXPECT_EQ(state.objection(append_of({"R", "R"}, std::vector<Index>{2, 1})), "");
    EXPECT_EQ(state.objection(append_of({"R", "R"}, std::vector<Index>{3, 1})),
              "query_offset of row 0: 3, the next slot is 2 (clause 6)");
    EXPECT_EQ(state.objection(append_of({"R", ""}, std::vector<Index>{2, 0})),
              "query_offset of row 1: 0, the next slot is 1 (clause 6)")
        << "a row without tokens asserts too";
    EXPECT_EQ(state.objection(append_of({"R", "R"}, std::vector<Index>{2})),
              "the number of query offsets (clause 6)");
}

TEST(CacheState, EveryRowOfTheBatchIsAppendedTo) {
    const CacheState state(spec_of(2, 8), 0);
    EXPECT_EQ(state.objection(append_of({"R"})), "the number of rows (clause 12)");
    EXPECT_EQ(state.objection(append_of({"", "", ""})), "the number of rows (clause 12)");
    EXPECT_EQ(state.objection(append_of({"", ""})), "");
}

TEST(CacheState, NoRowGrowsBeyondTheCapacity) {
    CacheState state(spec_of(2, 2), 0);
    EXPECT_EQ(state.objection(append_of({"RP", "PP"})), "") << "padding takes slots like any token";
    EXPECT_EQ(state.objection(append_of({"RR", "RPR"})),
              "row 1, slot 2: beyond the capacity (clause 7)");
    state.apply(append_of({"RP", ""}));
    EXPECT_EQ(state.objection(append_of({"", "RR"})), "");
    EXPECT_EQ(state.objection(append_of({"R", ""})),
              "row 0, slot 2: beyond the capacity (clause 7)");
    EXPECT_EQ(CacheState(spec_of(1, 0), 0).objection(append_of({"R"})),
              "row 0, slot 0: beyond the capacity (clause 7)");
}

TEST(CacheState, NoIdLiesBeyondThePositionTable) {
    const std::string beyond = ": its id lies beyond the position table (clause 5)";
    const CacheState slots(spec_of(1, 8, PositionIds::slot, true), 2);
    EXPECT_EQ(slots.objection(append_of({"PP"})), "");
    EXPECT_EQ(slots.objection(append_of({"PPR"})), "row 0, slot 2" + beyond);
    const CacheState counts(spec_of(1, 8, PositionIds::visible_count, true), 2);
    EXPECT_EQ(counts.objection(append_of({"PPPRR"})), "");
    EXPECT_EQ(counts.objection(append_of({"PPPRRP"})), "row 0, slot 5" + beyond)
        << "padding has an id as well";
    EXPECT_EQ(CacheState(spec_of(1, 8), 0).objection(append_of({"RRRR"})), "") << "no table";
}

TEST(CacheState, AnObjectionNamesTheTableThatEnds) {
    Spec spec = spec_of(1, 8);
    spec.key_width = 2;
    spec.rotary = Rotary::halves;
    EXPECT_EQ(CacheState(spec, 1).objection(append_of({"RR"})),
              "row 0, slot 1: its id lies beyond the rotary table (clause 5)");
    spec.level = Level::layer;
    spec.model_width = 1;
    spec.position_signal = PositionSignal::learned;
    EXPECT_EQ(CacheState(spec, 1).objection(append_of({"RR"})),
              "row 0, slot 1: its id lies beyond the position table and the rotary table (clause "
              "5)");
}

TEST(CacheState, AnObjectionChangesNothing) {
    CacheState state(spec_of(1, 2), 0);
    state.apply(append_of({"R"}));
    EXPECT_NE(state.objection(append_of({"RR"})), "");
    EXPECT_EQ(state.row(0).length(), 1);
    EXPECT_EQ(state.objection(append_of({"P"})), "");
    EXPECT_EQ(state.row(0).length(), 1);
}

TEST(CacheState, AResetOfOneRowLeavesTheOthers) {
    CacheState state(spec_of(2, 2), 0);
    state.apply(append_of({"RR", "P"}));
    EXPECT_EQ(state.objection(Reset{2}), "reset of row 2: no such row (clause 12)");
    state.apply(Reset{0});
    EXPECT_EQ(state.row(0).length(), 0);
    EXPECT_EQ(state.row(1).length(), 1);
}

TEST(CacheState, AResetForgetsEveryRow) {
    CacheState state(spec_of(2, 2, PositionIds::visible_count), 0);
    state.apply(append_of({"RR", "P"}));
    state.apply(Reset{});
    for (const Index row : {0, 1}) {
        EXPECT_EQ(state.row(row).length(), 0);
        EXPECT_EQ(state.row(row).real_count(), 0);
        EXPECT_EQ(state.row(row).next_id(PositionIds::visible_count), 0);
    }
    EXPECT_EQ(state.objection(append_of({"PP", "RR"}, std::vector<Index>{0, 0})), "");
}

TEST(CacheState, AParentIsAnEarlierSlotOfTheRowOrNone) {
    CacheState state(tiny_case(1, {}).spec, 0);
    state.apply(tiny_append({"RR"}));
    const auto objection = [&](Index back) {
        Append append = tiny_append({"RR"});
        append.rows[0][1].back = back;
        return state.objection(append);
    };
    for (const Index back : {1, 2, 3, 4}) EXPECT_EQ(objection(back), "");
    for (const Index back : {0, -1, 5}) {
        EXPECT_THAT(objection(back), testing::HasSubstr("slot 3: no parent is"));
    }
}

TEST(CacheState, IdsOfADraftAreItsDepths) {
    Spec spec = tiny_case(1, {}).spec;
    spec.rotary = Rotary::halves;
    CacheState state(spec, 3);
    Append draft = tiny_append({"RRRR"});
    for (const std::size_t sibling : {2, 3}) draft.rows[0][sibling].back = Index(sibling);
    EXPECT_EQ(state.objection(draft), "");
    draft.rows[0][3].back = 1;
    EXPECT_EQ(state.objection(draft), "");
    draft.rows[0][2].back = 1;
    EXPECT_THAT(state.objection(draft), testing::HasSubstr("slot 3: its id lies beyond"));
}

}  // namespace
}  // namespace kvcheck
