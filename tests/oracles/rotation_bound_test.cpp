// SPDX-License-Identifier: Apache-2.0
// The bound of a rotation: no order of its two products exceeds it, fused or not, on any family of
// values, and it is not merely large. Adopted keys are exact from there on, shown raw or rotated.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/rotary.hpp"
#include "model/walk.hpp"
#include "oracles/truth.hpp"
#include "properties/generators/structure.hpp"
#include "properties/generators/values.hpp"
#include "tests/oracles/row_truth.hpp"

namespace kvcheck {
namespace {

/// x cos + y sin in float.
using Turn = float (*)(float x, float cosine, float y, float sine);
constexpr std::array<Turn, 3> turns = {
    [](float x, float cosine, float y, float sine) {
        const float product = x * cosine;
        const float other = y * sine;
        return product + other;
    },
    [](float x, float cosine, float y, float sine) { return std::fma(x, cosine, y * sine); },
    [](float x, float cosine, float y, float sine) { return std::fma(y, sine, x * cosine); },
};

std::vector<float> turned_in_float(const Spec& spec, const Parameters& parameters,
                                   const std::vector<float>& heads, Index id, Turn turn) {
    std::vector<float> result = heads;
    const float* const row = parameters.rotary_table.data() + id * spec.turned_width();
    for (std::size_t head = 0; head < heads.size(); head += std::size_t(spec.key_width)) {
        for (Index i = 0; i < spec.turned_width() / 2; ++i) {
            const RotaryPair pair = rotary_pair(spec, i);
            const std::size_t a = head + std::size_t(pair.first);
            const std::size_t b = head + std::size_t(pair.second);
            result[a] = turn(heads[a], row[pair.cosine], heads[b], -row[pair.sine]);
            result[b] = turn(heads[b], row[pair.cosine], heads[a], row[pair.sine]);
        }
    }
    return result;
}

Case rotary_case(std::uint64_t n) {
    for (std::uint64_t seed = 1000 * n;; ++seed) {
        // What is stored of a rotated key is another matter, and so are keys that a shift turns
        // back.
        const FeatureSet unrounded = FeatureSet::all().without(
            {Feature::bf16_storage, Feature::fp16_storage, Feature::int8_storage, Feature::shift});
        Draw draw(SplitMix{seed});
        Case test_case = draw_structure(draw, Level::attention, unrounded, {});
        if (test_case.spec.rotary == Rotary::none) continue;
        fill_values(test_case, {Family(n % std::uint64_t(family_count)), draw.bits()}, false);
        return test_case;
    }
}

TEST(RotationBound, HoldsForEveryOrderAndIsNearlyReached) {
    long elements = 0;
    double worst = 0;
    for (std::uint64_t n = 0; n < 260; ++n) {
        const Case test_case = rotary_case(n);
        const Spec& spec = test_case.spec;
        Oracle oracle(spec, test_case.parameters, {});
        Truths truths(oracle);
        for_each_end(test_case, [&](const CacheState& state, Index row) {
            for (auto token = state.row(row).last(); token; token = token->before) {
                if (!token->token.real) continue;
                const auto begin = token->token.input.begin() + spec.query_size();
                const std::vector<float> key(begin, begin + spec.key_size());
                const Index id = position_id(spec.position_ids, *token);
                const StoredTruth& right = truths.stored(token);
                if (!right.in_domain) continue;
                for (const Turn turn : turns) {
                    const auto seen = turned_in_float(spec, test_case.parameters, key, id, turn);
                    for (std::size_t i = 0; i < seen.size(); ++i) {
                        const Answer& answer = right.shown_key(true)[i];
                        worst = std::max(worst, deviation_of(seen[i], answer, 24).ratio);
                        ++elements;
                    }
                }
            }
        });
    }
    fmt::print("  {} elements, largest error / bound {:.3f}\n", elements, worst);
    EXPECT_GT(elements, 30000);
    EXPECT_LE(worst, 1);
    EXPECT_GT(worst, 0.7);
}

/// Two tokens of one head, turned by 0 and by an angle whose cosine rounds.
struct TwoTokens {
    TwoTokens() {
        spec.key_width = spec.value_width = 2;
        spec.capacity = 2;
        spec.rotary = Rotary::halves;
        parameters.rotary_table = {1, 0, 0.6F, 0.8F};
        for (const float k : {0.3F, 0.7F}) row = row.with({true, {1, 2, k, 0.1F, 3, k}});
    }
    Spec spec;
    Parameters parameters;
    History row;
};

TEST(RotationBound, OfAKeyIsOfTheWholeRotationOrNoneAsItIsShown) {
    const TwoTokens two;
    Oracle oracle(two.spec, two.parameters, {});
    Truths truths(oracle);
    const StoredTruth& right = truths.stored(two.row.last());
    EXPECT_EQ(right.shown_key(false)[0].hi, double(0.7F));
    EXPECT_EQ(right.shown_key(false)[0].bound, 0);
    EXPECT_NEAR(right.shown_key(true)[0].hi, 0.6 * 0.7 - 0.8 * 0.1, 0.001);
    EXPECT_NEAR(right.shown_key(true)[1].hi, 0.6 * 0.1 + 0.8 * 0.7, 0.001);
    EXPECT_GT(right.shown_key(true)[0].bound, 0);
}

TEST(RotationBound, ARotatedKeyIsAdoptedAtAttentionLevelAndARawOneIsTheInput) {
    const TwoTokens two;
    Oracle oracle(two.spec, two.parameters, {});
    Truths apart(oracle);
    const double bound = apart.of(two.row.last()).output[1].bound;
    const auto staged = [&](double offset, bool rotated) {
        StoredRow own{two.row, {}, {}, rotated};
        for (const Node* const token : two.row.tokens()) {
            auto& key = own.key.emplace_back();
            Truths truths(oracle);
            const auto node =
                token == two.row.last().get() ? two.row.last() : two.row.last()->before;
            for (const Answer& answer : truths.stored(node).shown_key(rotated))
                key.push_back(float(answer.hi) + offset);
            own.value.push_back({token->token.input[4], token->token.input[5]});
        }
        Truths truths(oracle);
        truths.adopt(own);
        return truths.of(two.row.last()).output[1];
    };
    EXPECT_LT(staged(0, true).bound, bound);
    EXPECT_EQ(staged(1, true).bound, bound) << "out of its bound";
    EXPECT_EQ(staged(0, false).bound, bound);
}

}  // namespace
}  // namespace kvcheck
