// SPDX-License-Identifier: Apache-2.0
// Every property holds on the fast subject, on every instruction set of this machine, with one
// thread and with two. With two, every step is shared out, and rows are cut into the shortest
// pieces, so that small cases go through the same code as large ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "impl/fast/fast.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/search/search.hpp"

namespace kvcheck {
namespace {

constexpr Index cases_of_a_property = 40;

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
    for (const Level level : {Level::attention, Level::layer}) {
        for (const Property& property : properties()) {
            SearchOptions options;
            options.seed = 1;
            options.cases = cases_of_a_property;
            const SearchResult result = search(property, *tested, level, options);
            EXPECT_FALSE(result.counterexample)
                << property.name << ": " << sentence_of(result.counterexample->verdict);
            EXPECT_GT(result.passed, 0) << property.name << ": " << result.lacking;
            worst = std::max(worst, result.worst_ratio);
        }
    }
    fmt::print("  worst ratio {:.3f}\n", worst);
}

INSTANTIATE_TEST_SUITE_P(On, FastHolds,
                         testing::Combine(testing::ValuesIn(fast_targets()), testing::Values(1, 2)),
                         [](const auto& test) {
                             return fmt::format(
                                 "{}With{}", std::get<0>(test.param),
                                 std::get<1>(test.param) == 1 ? "OneThread" : "TwoThreads");
                         });

}  // namespace
}  // namespace kvcheck
