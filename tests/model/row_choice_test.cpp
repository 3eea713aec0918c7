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
    const Case value = tiny_case(3, {first, second});
    const Case chosen = with_rows(value, {2, 0});
    EXPECT_EQ(chosen.spec.rows, 2);
    EXPECT_EQ(
        chosen.program,
        (std::vector<Command>{rows_of({first.rows[2], first.rows[0]}, std::vector<Index>{0, 0}),
                              rows_of({second.rows[2], second.rows[0]}, std::vector<Index>{0, 1})}))
        << "an append whose rows get nothing stays";
    EXPECT_NO_THROW(validate(chosen));
}

TEST(RowChoice, NothingButTheRowsChanges) {
    Case value = tiny_case(2, {tiny_append({"R", "P"})});
    value.spec.query_heads = 1;
    value.spec.scale = 0.25F;
    value.spec.capacity = 5;
    const Case chosen = with_rows(value, {1});
    Spec spec = value.spec;
    spec.rows = 1;
    EXPECT_EQ(chosen.spec, spec);
    EXPECT_EQ(chosen.parameters, value.parameters);
}

TEST(RowChoice, CommandsAboutOtherRowsAreGoneAndTheOthersRenumbered) {
    const Case value = tiny_case(3, {Reset{0}, Reset{1}, Reset{}, Reset{2}});
    EXPECT_EQ(with_rows(value, {2, 1}).program,
              (std::vector<Command>{Reset{1}, Reset{}, Reset{0}}));
}

TEST(RowChoice, OfAllRowsInTheirOrderIsTheCaseItself) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Case value = generated_case(seed);
        std::vector<Index> rows;
        for (Index r = 0; r < value.spec.rows; ++r) rows.push_back(r);
        EXPECT_TRUE(same_case(with_rows(value, rows), value)) << seed;
        const Case alone = with_rows(value, {value.spec.rows - 1});
        EXPECT_NO_THROW(validate(alone)) << seed;
    }
}

}  // namespace
}  // namespace kvcheck
