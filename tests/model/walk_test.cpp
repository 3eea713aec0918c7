// SPDX-License-Identifier: Apache-2.0
// Walks over programs: where each token stands, in which state each append finds the rows, and
// where a row's history ends.
#include "model/walk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <type_traits>

#include "tests/model/build.hpp"

namespace kvcheck {
namespace {

using testing::ElementsAre;

/// Two rows; the second is reset, then both are.
Case with_resets() {
    return tiny_case(2, {tiny_append({"R", "RR"}, 1), Reset{1}, tiny_append({"RP", "P"}, 4),
                         Reset{}, tiny_append({"", "R"}, 7)});
}

TEST(Walk, SlotsGoOnAcrossCallsAndRestartWithEachRow) {
    std::vector<std::array<Index, 4>> sites;  // command, row, index, slot
    std::vector<float> numbers;
    const Case test_case = with_resets();
    for_each_token(test_case, [&](const TokenSite& site, const Token& token) {
        sites.push_back({site.command, site.row, site.index, site.slot});
        numbers.push_back(token.input.front());
    });
    using Site = std::array<Index, 4>;
    EXPECT_THAT(sites,
                ElementsAre(Site{0, 0, 0, 0}, Site{0, 1, 0, 0}, Site{0, 1, 1, 1}, Site{2, 0, 0, 1},
                            Site{2, 0, 1, 2}, Site{2, 1, 0, 0}, Site{4, 1, 0, 0}));
    EXPECT_THAT(numbers, ElementsAre(1, 2, 3, 4, 5, 6, 7));
}

TEST(Walk, EveryAppendComesWithItsNumberAndTheStateBeforeIt) {
    std::vector<std::array<Index, 3>> seen;  // command, length of either row before it
    const Case test_case = with_resets();
    for_each_append(test_case, [&](Index command, const Append& append, const CacheState& before) {
        EXPECT_EQ(Command(append), test_case.program[std::size_t(command)]);
        seen.push_back({command, before.row(0).length(), before.row(1).length()});
    });
    using Seen = std::array<Index, 3>;
    EXPECT_THAT(seen, ElementsAre(Seen{0, 0, 0}, Seen{2, 1, 0}, Seen{4, 0, 0}));
}

TEST(Walk, AVisitorOfACaseMayChangeContentsAndOffsets) {
    Case test_case =
        tiny_case(1, {tiny_append({"R"}, 1, std::vector<Index>{5}), tiny_append({"P"})});
    for_each_token(test_case, [](const TokenSite& site, Token& token) {
        token.input.assign(3, float(10 + site.slot));
    });
    for_each_append(test_case, [](Index, Append& append, const CacheState& before) {
        append.query_offset = std::vector<Index>{before.row(0).length()};
    });
    EXPECT_EQ(std::get<Append>(test_case.program[0]),
              (Append{{{{true, {10, 10, 10}}}}, std::vector<Index>{0}}));
    EXPECT_EQ(std::get<Append>(test_case.program[1]),
              (Append{{{{false, {11, 11, 11}}}}, std::vector<Index>{1}}));
}

TEST(Walk, WhatAVisitorChangesIsWhatLaterStatesHold) {
    Case test_case = tiny_case(1, {tiny_append({"P"}), tiny_append({"P"})});
    std::vector<Index> real_before;
    for_each_append(test_case, [&](Index, Append& append, const CacheState& before) {
        real_before.push_back(before.row(0).real_count());
        append.rows[0][0].real = true;
    });
    EXPECT_THAT(real_before, ElementsAre(0, 1));
}

TEST(Walk, AConstCaseHasConstTokens) {
    const Case test_case = tiny_case(1, {tiny_append({"R"})});
    for_each_token(test_case, [](const TokenSite&, auto& token) {
        static_assert(std::is_const_v<std::remove_reference_t<decltype(token)>>);
    });
    for_each_append(test_case, [](Index, auto& append, auto& before) {
        static_assert(std::is_const_v<std::remove_reference_t<decltype(append)>>);
        static_assert(std::is_const_v<std::remove_reference_t<decltype(before)>>,
                      "nobody changes the state but the commands");
    });
}

/// The rows that end, as {row, length}, in the order in which they do.
std::vector<std::pair<Index, Index>> ends_of(const Case& test_case) {
    std::vector<std::pair<Index, Index>> ends;
    for_each_end(test_case, [&](const CacheState& state, Index row) {
        ends.emplace_back(row, state.row(row).length());
    });
    return ends;
}

TEST(Walk, ARowEndsBeforeItsResetAndWithTheProgram) {
    using End = std::pair<Index, Index>;
    EXPECT_THAT(ends_of(with_resets()),
                ElementsAre(End{1, 2}, End{0, 3}, End{1, 1}, End{0, 0}, End{1, 1}));
}

TEST(Walk, AnAppendEndsNothingNorDoesTheResetOfAnEmptyRow) {
    using End = std::pair<Index, Index>;
    EXPECT_THAT(ends_of(tiny_case(1, {Reset{}, tiny_append({"R"}), tiny_append({"RP"})})),
                ElementsAre(End{0, 3}));
    EXPECT_THAT(ends_of(tiny_case(2, {tiny_append({"R", ""}), Reset{1}})),
                ElementsAre(End{0, 1}, End{1, 0}));
    EXPECT_THAT(ends_of(tiny_case(2, {})), ElementsAre(End{0, 0}, End{1, 0}));
}

TEST(Walk, APositionTableIsNoBusinessOfItsStates) {
    Case test_case = tiny_case(1, {tiny_append({"RR"})});
    test_case.spec.level = Level::layer;
    test_case.spec.model_width = 1;
    test_case.spec.position_signal = PositionSignal::learned;
    test_case.parameters.position_table = {
        0};  // too short, which validate() says and no walk minds
    EXPECT_THAT(ends_of(test_case), ElementsAre(std::pair<Index, Index>{0, 2}));
}

}  // namespace
}  // namespace kvcheck
