// SPDX-License-Identifier: Apache-2.0
// A subject that is wrong once and never again: what was seen is reported as seen, with the case as
// found, and called flaky. Nothing asserts that a subject repeats itself.
#include <gtest/gtest.h>

#include "properties/catalogue.hpp"
#include "properties/search/search.hpp"
#include "properties/search/small_worlds.hpp"
#include "tests/properties/tampered.hpp"

namespace kvcheck {
namespace {

/// Wrong at the append of this number, counted from 1 over all sessions.
std::unique_ptr<Subject> wrong_once(int number) {
    const auto calls = std::make_shared<int>(0);
    Tamper tamper;
    tamper.append = [calls, number](Session& inner, const AppendCall& call) {
        const Status status = inner.append(call);
        if (++*calls != number) return status;
        for (Index row = 0; row < Index(call.counts.size()); ++row) {
            if (call.counts[std::size_t(row)] > 0) call.output.at<float>(row, 0, 0, 0) = 1e30F;
        }
        return status;
    };
    return tampered(std::move(tamper));
}

TEST(WrongOnce, InTheSmallWorldsIsFlakyWithTheCaseAsFound) {
    int seen = 0;  // not every append has an output in its first head that is compared
    for (const int number : {1, 2, 21, 22, 1001, 1002}) {
        const auto subject = wrong_once(number);
        const SmallWorldsResult result = search_small_worlds(*subject, Level::attention, {}, {});
        if (!result.counterexample) continue;
        ++seen;
        const Counterexample& found = *result.counterexample;
        EXPECT_EQ(found.verdict.kind, Verdict::Kind::flaky) << number;
        EXPECT_EQ(found.verdict.diagnosis, "output") << number;
        EXPECT_EQ(found.test_case.spec.rows, 2) << "not shrunk, because nothing simpler failed";
        EXPECT_EQ(found.shrink_steps, 0);
        EXPECT_EQ(found.found_at, result.cases);
    }
    EXPECT_GT(seen, 0);
}

TEST(WrongOnce, InARandomCaseIsFlakyWithTheCaseAsFound) {
    int seen = 0;  // not every append has an output in its first head that is compared
    for (int number = 40; number < 48; ++number) {
        const auto subject = wrong_once(number);
        const SearchResult result = search(*property_named("outputs_match_the_oracle"), *subject,
                                           Level::attention, SearchOptions{});
        if (!result.counterexample) continue;
        ++seen;
        EXPECT_EQ(result.counterexample->verdict.kind, Verdict::Kind::flaky);
        EXPECT_EQ(result.counterexample->shrink_steps, 0);
    }
    EXPECT_GT(seen, 0);
}

TEST(WrongOnce, WhereItIsShrunkAgainItComesBackAsItIs) {
    const auto subject = wrong_once(-1);
    Case test_case;
    Append append;
    append.rows.push_back({{true, {0, 1, 1}}});
    test_case.program.emplace_back(append);
    const Verdict seen = Verdict::failed("output", "0 became 1");
    const Counterexample once =
        shrink(*property_named("outputs_match_the_oracle"), *subject, test_case, seen, {});
    EXPECT_EQ(once.test_case, test_case);
    EXPECT_EQ(once.verdict.kind, Verdict::Kind::flaky);
    EXPECT_EQ(once.verdict.words, seen.words);
}

}  // namespace
}  // namespace kvcheck
