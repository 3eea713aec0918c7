// SPDX-License-Identifier: Apache-2.0
// Is the search good? Every mutant is caught by random cases of the property that names its fault,
// soon, on every one of twenty seeds, and shrinks to the size its table row states; the file alone
// fails again on the mutant and holds on the correct subject.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "impl/catalogue.hpp"
#include "impl/mutants/catalogue.hpp"
#include "model/case_file.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/search/search.hpp"

namespace kvcheck {
namespace {

constexpr std::uint64_t seeds = 20;

/// The first level, attention before layer, at which the search catches the mutant.
std::optional<Counterexample> caught(const Property& property, Subject& mutant, std::uint64_t seed,
                                     Index cases) {
    SearchOptions options;
    options.seed = seed;
    options.cases = cases;
    for (const Level level : {Level::attention, Level::layer}) {
        SearchResult result = search(property, mutant, level, options);
        if (result.counterexample) return result.counterexample;
    }
    return std::nullopt;
}

class Mutant : public testing::TestWithParam<std::size_t> {
protected:
    const MutantEntry& entry() const { return mutants()[GetParam()]; }
    const Property& property() const { return *property_named(entry().caught_by); }
};

TEST_P(Mutant, IsCaughtSoonAndShrinksToItsMinimumOnEverySeed) {
    const auto mutant = entry().subject.make("mutant");
    const MutantEntry::Minimum& least = entry().minimum;
    Index found_last = 0;
    double slowest = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const auto found = caught(property(), *mutant, seed, entry().cases);
        ASSERT_TRUE(found) << "seed " << seed;
        EXPECT_EQ(found->verdict.kind, Verdict::Kind::failed) << sentence_of(found->verdict);
        const CaseSize size = size_of(found->test_case);
        CaseSize minimum{least.rows, least.query_heads, least.tokens, least.commands};
        const bool stands_for_a_key = found->test_case.spec.sinks && entry().beside_a_sink > 0;
        if (stands_for_a_key) minimum.tokens = entry().beside_a_sink;
        for (const MutantEntry::Minimum& other : {entry().other, entry().third}) {
            if (size == CaseSize{other.rows, other.query_heads, other.tokens, other.commands}) {
                minimum = size;
            }
        }
        EXPECT_EQ(size, minimum) << "seed " << seed << ": " << to_text({found->test_case, {}});
        found_last = std::max(found_last, found->found_at);
        slowest = std::max(slowest, found->shrink_seconds);
    }
    fmt::print("  {}: caught within {} cases on {} of {} seeds, slowest shrink {:.2f} s\n",
               entry().subject.name, found_last, seeds, seeds, slowest);
}

TEST_P(Mutant, FailsAgainFromItsFileAloneAndTheCorrectSubjectHolds) {
    const auto mutant = entry().subject.make("mutant");
    const auto correct = built_in_subjects()[0].make("plain");
    const auto found = caught(property(), *mutant, 1, entry().cases);
    ASSERT_TRUE(found);
    const std::string text = to_text({found->test_case, {}});
    const Case read = case_file_from_text(text, "text").test_case;
    EXPECT_TRUE(check(property(), *mutant, read).is_failure());
    EXPECT_EQ(check(property(), *correct, read).kind, Verdict::Kind::passed);
}

INSTANTIATE_TEST_SUITE_P(All, Mutant, testing::Range(std::size_t{0}, mutants().size()),
                         [](const auto& test) {
                             return std::string(mutants()[test.param].subject.name);
                         });

}  // namespace
}  // namespace kvcheck
