// SPDX-License-Identifier: Apache-2.0
// The programs of the small worlds: which there are, and what they find. KVCHECK_SMALL_PROGRAMS
// says of how many commands those are that the built-in subjects are given; two if it says nothing.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "impl/catalogue.hpp"
#include "impl/mutants/catalogue.hpp"
#include "model/case_file.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/search/small_programs.hpp"
#include "properties/search/small_worlds.hpp"

namespace kvcheck {
namespace {

using testing::UnorderedElementsAre;

constexpr Index all = std::numeric_limits<Index>::max();

std::vector<Case> programs(Index commands_max, Index begin = 0, Index end = all) {
    std::vector<Case> cases;
    for_each_small_program(commands_max, begin, end, [&](const Case& test_case) {
        cases.push_back(test_case);
        return true;
    });
    return cases;
}

TEST(SmallPrograms, BeginWithEveryCommandThatTwoEmptyRowsAdmit) {
    std::map<std::string_view, int> kinds;
    for (const Case& test_case : programs(1)) ++kinds[name_of(test_case.program.front())];
    // No row has anything to truncate or to evict.
    EXPECT_THAT(kinds, UnorderedElementsAre(std::pair{"append", 4},     // either, each 1, each 2
                                            std::pair{"reset", 3},      // all, either
                                            std::pair{"reload", 1},     //
                                            std::pair{"fork", 2},       //
                                            std::pair{"finish", 2},     //
                                            std::pair{"reorder", 6}));  // to one row 2, to two 4
}

TEST(SmallPrograms, AreAdmissibleAndNoTwoAreTheSame) {
    std::set<std::string> texts;
    for (const Case& test_case : programs(2)) {
        EXPECT_NO_THROW(validate(test_case));
        EXPECT_TRUE(texts.insert(to_text({test_case, {}})).second);
    }
    EXPECT_EQ(Index(texts.size()), small_programs_of(2));
}

TEST(SmallPrograms, AreTheSameHoweverTheyAreCut) {
    const std::vector<Case> whole = programs(2);
    std::vector<Case> parts;
    for (Index begin = 0; begin < small_programs_of(2); begin += 100) {
        for (Case& test_case : programs(2, begin, begin + 100))
            parts.push_back(std::move(test_case));
    }
    EXPECT_EQ(parts, whole);
}

/// Of programs only: no padding, no split.
SmallWorldsResult judged(Subject& subject, Index commands_max) {
    return search_small_worlds(subject, Level::attention, {0, commands_max}, {});
}

TEST(SmallPrograms, FindFaultsOfCommands) {
    const std::set<std::string_view> by_programs = {
        "truncate_one_too_many", "reorder_in_place",      "fork_shares_memory",
        "fork_of_first_row",     "evicts_the_oldest",     "evictions_stay_behind",
        "save_of_capacity",      "save_forgets_evictions"};
    std::size_t tried = 0;
    for (const MutantEntry& entry : mutants()) {
        if (by_programs.count(entry.subject.name) == 0) continue;
        ++tried;
        const auto mutant = entry.subject.make("mutant");
        EXPECT_TRUE(judged(*mutant, 3).counterexample.has_value()) << entry.subject.name;
    }
    EXPECT_EQ(tried, by_programs.size());
}

Index commands_of_this_run() {
    const char* const text = std::getenv("KVCHECK_SMALL_PROGRAMS");
    constexpr Index few = 2;
    return text == nullptr ? few : Index{std::atoll(text)};
}

TEST(SmallPrograms, HoldOnTheBuiltInSubjects) {
    const Index commands = commands_of_this_run();
    for (const SubjectEntry& entry : built_in_subjects()) {
        const auto subject = entry.make("built in");
        const SmallWorldsResult result = judged(*subject, commands);
        EXPECT_FALSE(result.counterexample.has_value())
            << sentence_of(result.counterexample->verdict)
            << to_text({result.counterexample->test_case, {}});
        EXPECT_EQ(result.cases, small_programs_of(commands));
        fmt::print("  {}: {} programs of up to {} commands, worst {:.2f} of the bound\n",
                   entry.name, result.cases, commands, result.worst_ratio);
    }
}

}  // namespace
}  // namespace kvcheck
