// SPDX-License-Identifier: Apache-2.0
// Every property holds on the fast subject, on every instruction set of this machine, with one
// thread and with two. With two, every step is shared out, and rows are cut into the shortest
// pieces, so that small cases go through the same code as large ones. KVCHECK_FAST_CASES says how
// many cases there are at least for each; where it is not set, one round of all properties.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "impl/fast/fast.hpp"
#include "impl/fast/kernels.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/search/search.hpp"
#include "tests/share.hpp"

namespace kvcheck {
namespace {

/// In a round; under sanitizers fewer.
Index cases_of_a_property() { return share_of(24, 8); }

Index cases_min() {
    const char* const text = std::getenv("KVCHECK_FAST_CASES");
    return text == nullptr ? 1 : std::atoll(text);
}

class FastHolds : public testing::TestWithParam<std::tuple<std::string, int>> {
protected:
    std::unique_ptr<Subject> subject() const {
        FastOptions options;
        options.target = std::get<0>(GetParam());
        options.threads = std::get<1>(GetParam());
        if (options.threads > 1) {
            options.parallel_from = 0;
            options.split_slots = 64;
        }
        return make_fast("fast", options);
    }
};

TEST_P(FastHolds, EveryProperty) {
    const auto tested = subject();
    double worst = 0;
    Index cases = 0;
    for (std::uint64_t seed = 1; cases < cases_min() && !HasFailure(); ++seed) {
        for (const Level level : {Level::attention, Level::layer}) {
            for (const Property& property : properties()) {
                if (!property.is_asked_of(tested->capabilities().features)) continue;
                SearchOptions options;
                options.seed = seed;
                options.cases = cases_of_a_property();
                const SearchResult result = search(property, *tested, level, options);
                EXPECT_FALSE(result.counterexample)
                    << property.name << ": " << sentence_of(result.counterexample->verdict);
                EXPECT_GT(result.passed, 0) << property.name << ": " << result.lacking;
                worst = std::max(worst, result.worst_ratio);
                cases += result.passed;
            }
        }
    }
    fmt::print("  {} cases, worst ratio {:.3f}\n", cases, worst);
}

INSTANTIATE_TEST_SUITE_P(On, FastHolds,
                         testing::Combine(testing::ValuesIn(fast_targets()), testing::Values(1, 2)),
                         [](const auto& test) {
                             return fmt::format(
                                 "{}With{}", std::get<0>(test.param),
                                 std::get<1>(test.param) == 1 ? "OneThread" : "TwoThreads");
                         });

/// Keys whose scores rise by `bits` from block to block; every query sees all keys before it.
Case rising_scores(double bits) {
    Case rising;
    rising.spec.capacity = 2 * fast::block_slots + 2;
    Append append;
    append.rows.emplace_back();
    for (Index slot = 0; slot < rising.spec.capacity; ++slot) {
        const auto key = float(bits * double(slot) / double(fast::block_slots));
        append.rows[0].push_back({true, {1, key, slot % 3 == 0 ? 1.0F : -0.5F}});
    }
    rising.program.emplace_back(std::move(append));
    return rising;
}

TEST(FastReference, FollowsScoresThatRiseFromBlockToBlock) {
    for (const std::string& target : fast_targets()) {
        FastOptions options;
        options.target = target;
        const auto subject = make_fast("fast", options);
        for (const double bits : {1.0, 2.0, 8.0, 100.0}) {
            const Verdict verdict =
                check(*property_named("outputs_match_the_oracle"), *subject, rising_scores(bits));
            EXPECT_EQ(verdict.kind, Verdict::Kind::passed)
                << target << ", " << bits << ": " << sentence_of(verdict);
        }
    }
}

}  // namespace
}  // namespace kvcheck
