// SPDX-License-Identifier: Apache-2.0
#include "tests/model/generated.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/types/arrays.hpp"
#include "model/types/ieee.hpp"
#include "model/walk.hpp"
#include "properties/generators/structure.hpp"
#include "properties/generators/values.hpp"

namespace kvcheck {
namespace {

bool same_numbers(const std::vector<float>& a, const std::vector<float>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](float x, float y) { return same_bits(x, y); });
}

bool same_parameters(const Parameters& a, const Parameters& b) {
    return std::all_of(
        parameter_arrays().begin(), parameter_arrays().end(),
        [&](const ParameterArray& array) { return same_numbers(array.in(a), array.in(b)); });
}

bool same_command(const Command& a, const Command& b) {
    const auto* const left = std::get_if<Append>(&a);
    const auto* const right = std::get_if<Append>(&b);
    if (left == nullptr || right == nullptr) return left == right;
    const auto same_token = [](const Token& x, const Token& y) {
        return x.real == y.real && same_numbers(x.input, y.input);
    };
    const auto same_row = [&](const std::vector<Token>& x, const std::vector<Token>& y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_token);
    };
    return left->query_offset == right->query_offset &&
           std::equal(left->rows.begin(), left->rows.end(), right->rows.begin(), right->rows.end(),
                      same_row);
}

/// Numbers that text is most likely to spoil, in place of about every fourth one.
void plant(const Spec& spec, Token& token, Draw& draw) {
    using Limits = std::numeric_limits<float>;
    static const std::vector<float> finite = {
        -0.0F, Limits::max(), -Limits::max(), Limits::denorm_min(), 0x1.fffffcp-127F,
        0.1F,  1e15F,         16777216.0F};
    static const std::vector<float> poisons = {Limits::quiet_NaN(), Limits::infinity(),
                                               -Limits::infinity()};
    const bool unseen = !token.real && spec.padded_query == PaddedQuery::unspecified;
    const bool stores_all = spec.level == Level::layer || !token.real;
    for (float& number : token.input) {
        const float given = number;
        if (draw.percent(25)) number = draw.pick(finite);
        if (unseen && draw.percent(25)) number = draw.pick(poisons);
        // What overflows when it is stored is in no case.
        if (!stores_all && std::fabs(number) >= overflow_of(spec.storage)) number = given;
    }
}

}  // namespace

Case generated_case(std::uint64_t seed) {
    Draw draw{SplitMix(seed)};
    const Level level = seed % 2 == 0 ? Level::attention : Level::layer;
    Case test_case = draw_structure(draw, level, FeatureSet::all(), {});
    fill_values(test_case, {Family(seed / 2 % std::uint64_t(family_count)), draw.bits()}, true);
    if (test_case.spec.scale && draw.percent(50)) test_case.spec.scale = -0.0F;
    for_each_token(test_case,
                   [&](const TokenSite&, Token& token) { plant(test_case.spec, token, draw); });
    return test_case;
}

bool same_case(const Case& a, const Case& b) {
    return a.spec == b.spec && same_bits(a.spec.scale.value_or(1), b.spec.scale.value_or(1)) &&
           same_parameters(a.parameters, b.parameters) &&
           std::equal(a.program.begin(), a.program.end(), b.program.begin(), b.program.end(),
                      same_command);
}

}  // namespace kvcheck
