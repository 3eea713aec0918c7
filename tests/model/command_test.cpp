// SPDX-License-Identifier: Apache-2.0
// What is asked of any command: its name, the features it needs by being there, and its part for
// some of the rows.
#include "model/command.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/model/build.hpp"

namespace kvcheck {
namespace {

template <class... Commands>
std::vector<std::string_view> all_names(const std::variant<Commands...>*) {
    return {name_of(Command(Commands{}))...};
}

TEST(Command, HasTheNameThatFilesAndReportsUse) {
    EXPECT_EQ(name_of(Command(Append{})), "append");
    EXPECT_EQ(name_of(Command(Reset{})), "reset");
    EXPECT_EQ(name_of(Command(Reset{3})), "reset");
}

TEST(Command, NoTwoShareAName) {
    const auto names = all_names(static_cast<const Command*>(nullptr));
    EXPECT_EQ(std::set<std::string_view>(names.begin(), names.end()).size(), names.size());
}

TEST(Command, NeedsWhatItIsOrCarries) {
    EXPECT_EQ(features_of(Command(tiny_append({"RP", "R"}))), FeatureSet{})
        << "what its rows ask depends on their state";
    EXPECT_EQ(features_of(Command(tiny_append({"R"}, 1, std::vector<Index>{0}))),
              FeatureSet{Feature::query_offset});
    EXPECT_EQ(features_of(Command(Reset{})), FeatureSet{Feature::reset});
    EXPECT_EQ(features_of(Command(Reset{1})), FeatureSet{Feature::reset_row});
    EXPECT_EQ(features_of(Command(Truncate{1, std::nullopt})), FeatureSet{Feature::truncate});
    EXPECT_EQ(features_of(Command(Truncate{1, 0})), FeatureSet{Feature::truncate_row});
    EXPECT_EQ(features_of(Command(Reorder{{0}})), FeatureSet{Feature::reorder});
    EXPECT_EQ(features_of(Command(Fork{0})), FeatureSet{Feature::fork});
    EXPECT_EQ(features_of(Command(Finish{0})), FeatureSet{Feature::finish});
    EXPECT_EQ(features_of(Command(Evict{0, 0, 1})), FeatureSet{Feature::evict});
    EXPECT_EQ(features_of(Command(Shift{0, 1})), FeatureSet{Feature::shift});
    EXPECT_EQ(features_of(Command(Publish{0, 1})), FeatureSet{Feature::prefix_reuse});
    EXPECT_EQ(features_of(Command(Reuse{0, 1, 1})), FeatureSet{Feature::prefix_reuse});
    EXPECT_EQ(features_of(Command(Reload{})), FeatureSet{Feature::save});
}

TEST(Command, AnAppendForSomeRowsHasTheirTokensAndOffsets) {
    const Append append = tiny_append({"R", "PR", "RR"}, 1, std::vector<Index>{5, 6, 7});
    EXPECT_EQ(with_rows(Command(append), {2, 0}),
              Command(Append{{append.rows[2], append.rows[0]}, std::vector<Index>{7, 5}}));
    const Append plain = tiny_append({"R", "P"});
    EXPECT_EQ(with_rows(Command(plain), {1}), Command(Append{{plain.rows[1]}, std::nullopt}));
}

TEST(Command, AResetForSomeRowsIsOfOneOfThemOrGone) {
    EXPECT_EQ(with_rows(Command(Reset{2}), {0, 2}), Command(Reset{1}));
    EXPECT_EQ(with_rows(Command(Reset{1}), {0, 2}), std::nullopt);
    EXPECT_EQ(with_rows(Command(Reset{}), {2}), Command(Reset{}));
}

TEST(Command, AReloadIsOfAllRowsAndLeavesThem) {
    EXPECT_EQ(with_rows(Command(Reload{}), {1}), Command(Reload{}));
    EXPECT_EQ(rows_after(Command(Reload{}), 3), 3);
}

TEST(Command, APrefixIsOfItsRow) {
    EXPECT_EQ(with_rows(Command(Publish{2, 5}), {0, 2}), Command(Publish{1, 5}));
    EXPECT_EQ(with_rows(Command(Publish{1, 5}), {0, 2}), std::nullopt);
    EXPECT_EQ(with_rows(Command(Reuse{2, 5, 3}), {2}), Command(Reuse{0, 5, 3}));
    EXPECT_EQ(rows_after(Command(Reuse{2, 5, 3}), 4), 4);
}

}  // namespace
}  // namespace kvcheck
