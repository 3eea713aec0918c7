// SPDX-License-Identifier: Apache-2.0
// Plainer conventions: what is offered for one case at each level, and that every case offered is
// plainer in the spec, the offsets or the padding and in nothing else.
#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>

#include "model/types/spec_fields.hpp"
#include "model/walk.hpp"
#include "tests/model/build.hpp"
#include "tests/model/generated.hpp"
#include "tests/properties/search/candidates.hpp"

namespace kvcheck {
namespace {

/// The base with one thing changed.
template <class Change>
Case with(Case base, const Change& change) {
    change(base);
    return base;
}

Append& first_append(Case& test_case) { return std::get<Append>(test_case.program[0]); }

/// Each of these is among what is offered.
void expect_offered(const std::vector<std::optional<Case>>& list,
                    const std::vector<std::optional<Case>>& expected) {
    for (std::size_t n = 0; n < expected.size(); ++n) {
        if (!expected[n]) continue;
        EXPECT_NE(std::find(list.begin(), list.end(), expected[n]), list.end())
            << "expected candidate " << n;
    }
}

TEST(SimplerSpecs, OfACaseAtAttentionLevel) {
    Case base = tiny_case(1, {tiny_append({"RPP"}, 1, std::vector<Index>{0})});
    base.spec.scale = 2;
    base.spec.padded_query = PaddedQuery::computed;
    base.spec.dead_row = DeadRow::unspecified;
    first_append(base).rows[0][2].input = {5, NAN, INFINITY};
    expect_offered(offered(base, add_simpler_specs),
                   {with(base, [](Case& c) { first_append(c).query_offset.reset(); }),
                    with(base, [](Case& c) { c.spec.capacity = 3; }),
                    std::nullopt,  // it has no position table
                    with(base, [](Case& c) { c.spec.scale.reset(); }),
                    with(base, [](Case& c) { c.spec.padded_query = PaddedQuery::unspecified; }),
                    with(base, [](Case& c) { c.spec.dead_row = DeadRow::zeros; }),
                    with(base, [](Case& c) { c.spec.dead_row = DeadRow::nan; }),
                    with(base, [](Case& c) { first_append(c).rows[0][1].real = true; }),
                    with(base, [](Case& c) {
                        first_append(c).rows[0][2] = {true, {5, 0, 0}};
                    })});
}

TEST(SimplerSpecs, OfALayer) {
    Case base;
    base.spec.level = Level::layer;
    base.spec.model_width = 1;
    base.spec.capacity = 2;
    base.spec.position_signal = PositionSignal::sinusoidal;
    base.spec.position_ids = PositionIds::visible_count;
    base.spec.biases = true;
    base.parameters = zero_parameters(base.spec, 5);
    base.parameters.position_table = {1, 2, 3, 4, 5};
    base.program = {Append{{{{true, {1}}, {false, {1}}}}, std::nullopt}};
    const auto no_biases = [](Case& c) {
        c.spec.biases = false;
        for (Projection* projection :
             {&c.parameters.query, &c.parameters.key, &c.parameters.value, &c.parameters.output}) {
            projection->bias.clear();
        }
    };
    expect_offered(offered(base, add_simpler_specs),
                   {std::nullopt,  // no offsets
                    std::nullopt,  // no spare slot
                    // Ids by the count of real tokens: 0, and 1 for the padding after it.
                    with(base,
                         [](Case& c) {
                             c.parameters.position_table = {1, 2};
                         }),
                    with(base,
                         [](Case& c) {
                             c.spec.position_signal = PositionSignal::none;
                             c.parameters.position_table.clear();
                         }),
                    with(base, [](Case& c) { c.spec.position_signal = PositionSignal::learned; }),
                    with(base, [](Case& c) { c.spec.position_ids = PositionIds::slot; }),
                    with(base, no_biases),
                    with(base, [](Case& c) { first_append(c).rows[0][1].real = true; })});
}

TEST(SimplerSpecs, SpareSlotsAreCountedOverTheWholeProgram) {
    const Case base =
        tiny_case(2, {tiny_append({"RRR", "R"}), Reset{0}, tiny_append({"R", "R"}, 5)});
    EXPECT_EQ(offered(base, add_simpler_specs)[1]->spec.capacity, 3)
        << "a row that is reset was the longest";
}

TEST(SimplerSpecs, SpareIdsAreCountedOverTheWholeProgram) {
    Case base;
    base.spec.level = Level::layer;
    base.spec.model_width = 1;
    base.spec.capacity = 4;
    base.spec.position_signal = PositionSignal::learned;
    base.parameters = zero_parameters(base.spec, 4);
    const Token token{true, {0}};
    base.program = {Append{{{token, token, token}}, std::nullopt}, Reset{},
                    Append{{{token}}, std::nullopt}};
    EXPECT_EQ(offered(base, add_simpler_specs)[2]->parameters.position_table.size(), 3U);
}

TEST(SimplerSpecs, LeaveOutAWidthOfRotaryPositionsAndDoNotLowerIt) {
    Case base = tiny_case(1, {tiny_append({"R"})});
    base.spec.key_width = 8;
    base.spec.rotary = Rotary::halves;
    base.spec.rotary_width = 6;
    first_append(base).rows[0][0] = zero_token(base.spec, true);
    base.parameters.rotary_table = std::vector<float>(6, 0.5F);
    base.spec.window = 6;
    bool left_out = false;
    bool narrower_window = false;
    for (const auto& simpler : offered(base, add_simpler_specs)) {
        if (!simpler) continue;
        const Spec& spec = simpler->spec;
        const bool turned = spec.rotary != Rotary::none;
        EXPECT_TRUE(!turned || !spec.rotary_width || spec.rotary_width == 6) << *spec.rotary_width;
        left_out = left_out || (turned && !spec.rotary_width);
        narrower_window = narrower_window || spec.window == 3;
    }
    EXPECT_TRUE(left_out);
    EXPECT_TRUE(narrower_window) << "another number of the same type is lowered";
}

/// Offsets, capacity, rows of the tables, padding, how far parents are, and the place of every
/// convention's value in its list of simpler ones, or a number where it is one.
Size plainness(const Case& test_case) {
    long offsets = 0;
    long padding = 0;
    long parents = 0;
    for_each_append(test_case, [&](Index, const Append& append, const CacheState&) {
        offsets += append.query_offset ? 1 : 0;
    });
    for_each_token(test_case, [&](const TokenSite&, const Token& token) {
        padding += !token.real;
        parents += token.back;
    });
    Size size = {offsets, long(test_case.spec.capacity),
                 long(position_count(test_case.spec, test_case.parameters)), padding, parents};
    for_each_field(test_case.spec, [&](const SpecField&, const auto& of) {
        using Value = std::remove_cvref_t<decltype(of)>;
        if constexpr (std::is_same_v<Value, std::optional<Index>>) {
            size.push_back(of ? 1 + long(*of) : 0);
        } else if constexpr (is_convention<Value>) {
            size.push_back(long(simpler_values(of).size()));
        }
    });
    return size;
}

TEST(SimplerSpecs, ArePlainerInSomethingAndElseTheSame) {
    long admissible = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Case base = generated_case(seed);
        for (const auto& simpler : offered(base, add_simpler_specs)) {
            if (!simpler) continue;
            EXPECT_TRUE(is_simpler(plainness(*simpler), plainness(base))) << seed;
            EXPECT_EQ(size_of(*simpler), size_of(base)) << seed;
            EXPECT_EQ(simpler->spec.input_size(), base.spec.input_size()) << seed;
            admissible += is_admissible(*simpler) ? 1 : 0;
        }
    }
    EXPECT_GT(admissible, 200);
}

}  // namespace
}  // namespace kvcheck
