// SPDX-License-Identifier: Apache-2.0
// Every convention that the spec can state changes what the oracle says: on some drawn case a
// simpler value of it gives other answers. A convention that the oracle forgot fails here.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "model/types/spec_fields.hpp"
#include "model/walk.hpp"
#include "oracles/truth.hpp"
#include "properties/generators/structure.hpp"
#include "properties/generators/values.hpp"

namespace kvcheck {
namespace {

/// All answers of a case in a form that can be compared.
std::vector<double> answers_of(const Case& test_case) {
    Oracle oracle(test_case.spec, test_case.parameters, {});
    Truths truths(oracle);
    std::vector<double> all;
    for_each_end(test_case, [&](const CacheState& state, Index row) {
        for (auto token = state.row(row).last(); token; token = token->before) {
            const TokenTruth& truth = truths.of(token);
            all.push_back(truth.standing.compared ? 1 : 0);
            for (const Answer& answer : truth.output) {
                all.push_back(std::isnan(answer.hi) ? -1e300 : answer.hi);
                all.push_back(answer.lo);
            }
        }
    });
    return all;
}

TEST(Oracle, HearsOfEveryConvention) {
    std::map<std::string, bool> heard;
    for (std::uint64_t n = 0; n < 120; ++n) {
        Draw draw(SplitMix{n});
        const Level level = n % 2 == 0 ? Level::attention : Level::layer;
        Case test_case = draw_structure(draw, level, FeatureSet::all(), {});
        if (longest_row(test_case) > 8) continue;
        fill_values(test_case, {Family::bell, draw.bits()}, false);
        const std::vector<double> answers = answers_of(test_case);
        for_each_field(test_case.spec, [&](const SpecField& field, const auto& value) {
            using Value = std::remove_cvref_t<decltype(value)>;
            if constexpr (is_convention<Value>) {
                bool& one = heard[std::string(field.name)];
                for (const Value simpler : simpler_values(value)) {
                    Case plainer = test_case;
                    for_each_field(plainer.spec, [&](const SpecField& other, auto& to) {
                        if constexpr (std::is_same_v<decltype(to), Value&>) {
                            if (&other == &field) to = simpler;
                        }
                    });
                    drop_what_the_spec_lacks(plainer.spec, plainer.parameters);
                    one = one || answers_of(plainer) != answers;
                }
            }
        });
    }
    EXPECT_GE(heard.size(), 6U);
    for (const auto& [name, changes] : heard) EXPECT_TRUE(changes) << name;
}

}  // namespace
}  // namespace kvcheck
