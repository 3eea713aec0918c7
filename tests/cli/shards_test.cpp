// SPDX-License-Identifier: Apache-2.0
// GoogleTest's shards together with rounds and workers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/case_file.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;

Outcome shard(const std::string& index, const std::string& total,
              const std::vector<std::string>& more) {
    std::vector<std::string> words = {"run", "--cases", "4", "--seed", "x"};
    words.insert(words.end(), more.begin(), more.end());
    return kvcheck_with(words, "", {"GTEST_TOTAL_SHARDS=" + total, "GTEST_SHARD_INDEX=" + index});
}

TEST(Shards, AnIdleOneHolds) {
    const std::vector<std::string> two_tests = {"--property", "rows_normalise"};
    EXPECT_EQ(shard("0", "3", two_tests).code, 0);
    const Outcome idle = shard("2", "3", two_tests);
    EXPECT_EQ(idle.code, 0) << idle.out;
    EXPECT_THAT(idle.out, HasSubstr("no test is in this shard\n"));
    // Where no shard has one, nothing was checked.
    EXPECT_EQ(shard("0", "3", {"--gtest_filter=nothing*"}).code, 3);
}

TEST(Shards, WorkersAndXmlGoTogether) {
    const TemporaryFolder folder;
    const std::string xml = folder.file("report.xml");
    const Outcome outcome = shard(
        "1", "2", {"--property", "rows_normalise", "--jobs", "2", "--gtest_output=xml:" + xml});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("1 properties held"));
    EXPECT_THAT(read_text_file(xml), HasSubstr("<testcase name=\"fast/layer\" "));
}

}  // namespace
}  // namespace kvcheck
