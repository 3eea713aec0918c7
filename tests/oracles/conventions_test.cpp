// SPDX-License-Identifier: Apache-2.0
// Every value of every convention that the spec can state changes what the oracle says: on some
// drawn case each simpler value gives other answers. A convention, or one value of it, that the
// oracle or its rules forgot is named here, and so is one that no generator draws.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "model/types/error.hpp"
#include "model/types/spec_fields.hpp"
#include "model/walk.hpp"
#include "oracles/truth.hpp"
#include "properties/generators/structure.hpp"
#include "properties/generators/values.hpp"

namespace kvcheck {
namespace {

/// All answers of a case in a form that can be compared. What is not compared has none.
std::vector<double> answers_of(const Case& test_case) {
    Oracle oracle(test_case.spec, test_case.parameters, {});
    Truths truths(oracle);
    std::vector<double> all;
    for_each_end(test_case, [&](const CacheState& state, Index row) {
        for (auto token = state.row(row).last(); token; token = token->before) {
            const TokenTruth& truth = truths.of(token);
            all.push_back(truth.standing.compared ? 1 : 0);
            if (!truth.standing.compared) continue;
            EXPECT_EQ(Index(truth.output.size()), test_case.spec.output_size());
            for (const Answer& answer : truth.output) {
                all.push_back(std::isnan(answer.hi) ? -1e300 : answer.hi);
                all.push_back(answer.lo);
            }
        }
    });
    return all;
}

/// All values of a convention's type, one for all that are given.
std::vector<bool> all_values(bool) { return {false, true}; }
template <class Value>
std::vector<std::optional<Value>> all_values(const std::optional<Value>&) {
    return {Value(1)};
}
template <class Enum>
std::vector<Enum> all_values(Enum) requires std::is_enum_v<Enum> {
    std::vector<Enum> values;
    for (std::size_t n = 0; n < EnumNames<Enum>::names.size(); ++n) values.push_back(Enum(n));
    return values;
}

std::string value_text(bool value) { return value ? "true" : "false"; }
template <class Value>
std::string value_text(const std::optional<Value>& value) {
    return value ? "given" : "absent";
}
template <class Enum>
std::string value_text(Enum value) requires std::is_enum_v<Enum> {
    return std::string(name_of(value));
}

/// Calls visit(field, value) for each convention of a spec.
template <class Visit>
void for_each_convention(const Spec& spec, const Visit& visit) {
    for_each_field(spec, [&](const SpecField& field, const auto& value) {
        if constexpr (is_convention<std::remove_cvref_t<decltype(value)>>) visit(field, value);
    });
}

template <class Value>
Case with_convention(const Case& test_case, const SpecField& field, const Value& value) {
    Case plainer = test_case;
    for_each_field(plainer.spec, [&](const SpecField& other, auto& to) {
        if constexpr (std::is_same_v<decltype(to), Value&>) {
            if (&other == &field) to = value;
        }
    });
    widen_rotary_table(test_case.spec, plainer.spec, plainer.parameters);
    drop_what_the_spec_lacks(plainer.spec, plainer.parameters);
    return plainer;
}

/// Fields may need each other.
bool is_valid(const Case& test_case) {
    try {
        validate(test_case);
    } catch (const InputError&) {
        return false;
    }
    return true;
}

template <class Value>
std::string change_text(const SpecField& field, const Value& value, const Value& simpler) {
    return std::string(field.name) + " " + value_text(value) + " for " + value_text(simpler);
}

TEST(Oracle, HearsOfEveryConvention) {
    std::map<std::string, bool> heard;
    for_each_convention({}, [&](const SpecField& field, const auto& type) {
        using Value = std::remove_cvref_t<decltype(type)>;
        // Copies of their own type: elements of vector<bool> have another.
        for (const Value value : all_values(type)) {
            for (const Value simpler : simpler_values(value)) {
                heard[change_text(field, value, simpler)] = false;
            }
        }
    });
    EXPECT_GE(heard.size(), 10U);
    for (std::uint64_t n = 0; n < 400; ++n) {
        Draw draw(SplitMix{n});
        const Level level = n % 2 == 0 ? Level::attention : Level::layer;
        Case test_case = draw_structure(draw, level, FeatureSet::all(), {});
        if (longest_row(test_case) > 8) continue;
        fill_values(test_case, {Family::bell, draw.bits()}, false);
        const std::vector<double> answers = answers_of(test_case);
        for_each_convention(test_case.spec, [&](const SpecField& field, const auto& value) {
            using Value = std::remove_cvref_t<decltype(value)>;
            for (const Value simpler : simpler_values(value)) {
                bool& one = heard[change_text(field, value, simpler)];
                const Case plainer = with_convention(test_case, field, simpler);
                if (!one && is_valid(plainer)) one = answers_of(plainer) != answers;
            }
        });
    }
    // The same table, whoever makes it.
    const std::string same = "position_signal sinusoidal for learned";
    for (const auto& [change, changes] : heard) {
        EXPECT_EQ(changes, change != same)
            << change << (changes ? " changes an answer" : " changes nothing");
    }
}

}  // namespace
}  // namespace kvcheck
