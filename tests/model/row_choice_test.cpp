// SPDX-License-Identifier: Apache-2.0
// Cases for fewer rows, or for the same rows in another order.
#include "model/row_choice.hpp"

#include <gtest/gtest.h>

#include "tests/model/build.hpp"
#include "tests/model/generated.hpp"

namespace kvcheck {
namespace {

/// The first rows of an append of its own.
Append rows_of(const std::vector<std::vector<Token>>& rows,
               std::optional<std::vector<Index>> offsets = std::nullopt) {
    return {rows, std::move(offsets)};
}

TEST(RowChoice, KeepsTokensAndOffsetsInTheOrderThatIsAskedFor) {
    const Append first = tiny_append({"R", "PR", ""}, 1, std::vector<Index>{0, 0, 0});
    const Append second = tiny_append({"R", "", "RR"}, 4, std::vector<Index>{1, 2, 0});
    const Case test_case = tiny_case(3, {first, second});
    const Case chosen = with_rows(test_case, {2, 0});
    EXPECT_EQ(chosen.spec.rows, 2);
    EXPECT_EQ(
        chosen.program,
        (std::vector<Command>{rows_of({first.rows[2], first.rows[0]}, std::vector<Index>{0, 0}),
                              rows_of({second.rows[2], second.rows[0]}, std::vector<Index>{0, 1})}))
        << "an append whose rows get nothing stays";
    EXPECT_NO_THROW(validate(chosen));
}

TEST(RowChoice, NothingButTheRowsChanges) {
    Case test_case = tiny_case(2, {tiny_append({"R", "P"})});
    test_case.spec.query_heads = 1;
    test_case.spec.scale = 0.25F;
    test_case.spec.capacity = 5;
    const Case chosen = with_rows(test_case, {1});
    Spec spec = test_case.spec;
    spec.rows = 1;
    EXPECT_EQ(chosen.spec, spec);
    EXPECT_EQ(chosen.parameters, test_case.parameters);
}

TEST(RowChoice, CommandsAboutOtherRowsAreGoneAndTheOthersRenumbered) {
    const Case test_case = tiny_case(3, {Reset{0}, Reset{1}, Reset{}, Reset{2}});
    EXPECT_EQ(with_rows(test_case, {2, 1}).program,
              (std::vector<Command>{Reset{1}, Reset{}, Reset{0}}));
}

TEST(RowChoice, RowsThatContinueAChosenOneAreChosen) {
    const Append first = tiny_append({"R", "R"});
    const Append later = tiny_append({"R", "R", "R"}, 3);
    const Case test_case = tiny_case(2, {first, Fork{0}, later, Reorder{{2, 1}}, Finish{0}});
    EXPECT_EQ(
        with_rows(test_case, {0}).program,
        (std::vector<Command>{rows_of({first.rows[0]}), Fork{0},
                              rows_of({later.rows[0], later.rows[2]}), Reorder{{1}}, Finish{0}}));
    EXPECT_EQ(
        with_rows(test_case, {1}).program,
        (std::vector<Command>{rows_of({first.rows[1]}), rows_of({later.rows[1]}), Reorder{{0}}}));
    EXPECT_EQ(rows_through(test_case, {0}),
              (std::vector<std::vector<Index>>{{0}, {0}, {0, 2}, {0, 2}, {0}}));
}

TEST(RowChoice, EndsWhereNoneOfTheRowsIsLeft) {
    const Case test_case =
        tiny_case(2, {tiny_append({"R", "R"}), Reorder{{0}}, tiny_append({"R"}, 3)});
    EXPECT_EQ(with_rows(test_case, {1}).program.size(), 1U);
}

TEST(RowChoice, OfAllRowsInTheirOrderIsTheCaseItself) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Case test_case = generated_case(seed);
        std::vector<Index> rows;
        for (Index r = 0; r < test_case.spec.rows; ++r) rows.push_back(r);
        EXPECT_TRUE(same_case(with_rows(test_case, rows), test_case)) << seed;
        const Case alone = with_rows(test_case, {test_case.spec.rows - 1});
        EXPECT_NO_THROW(validate(alone)) << seed;
    }
}

}  // namespace
}  // namespace kvcheck
