// SPDX-License-Identifier: Apache-2.0
#include "properties/search/small_worlds.hpp"

#include <array>

#include "properties/catalogue.hpp"
#include "properties/generators/structure.hpp"

namespace kvcheck {
namespace {

constexpr Index row_count = 2;

Spec small_spec(Level level) {
    Spec spec;
    spec.level = level;
    spec.rows = row_count;
    spec.key_width = spec.value_width = 2;
    spec.capacity = small_world_slots;
    if (level == Level::layer) spec.model_width = 2;
    return spec;
}

/// The position rules of a level: signal and ids.
std::vector<Spec> specs_of(Level level) {
    std::vector<Spec> specs = {small_spec(level)};
    if (level == Level::attention) return specs;
    for (const PositionIds ids : {PositionIds::slot, PositionIds::visible_count}) {
        Spec spec = small_spec(level);
        spec.position_signal = PositionSignal::learned;
        spec.position_ids = ids;
        specs.push_back(spec);
    }
    return specs;
}

/// The bits of `cuts` say after which slots a call ends.
std::vector<Index> composition(Index length, unsigned cuts) {
    std::vector<Index> sizes(1, 1);
    for (Index slot = 1; slot < length; ++slot) {
        if ((cuts >> unsigned(slot - 1) & 1U) != 0)
            sizes.push_back(1);
        else
            ++sizes.back();
    }
    return sizes;
}

/// The tokens of a world do not depend on its padding, so that rows of equal padding share a truth.
Case world(const Spec& spec, Index length, const std::array<unsigned, row_count>& padding) {
    Case value;
    value.spec = spec;
    value.parameters = zero_parameters(spec, small_world_slots);
    Append append;
    for (const unsigned pads : padding) {
        auto& row = append.rows.emplace_back();
        for (Index slot = 0; slot < length; ++slot) {
            row.push_back(zero_token(spec, (pads >> unsigned(slot) & 1U) == 0));
        }
    }
    value.program.emplace_back(std::move(append));
    return value;
}

void fill(Case& value) {
    constexpr std::uint64_t seed = 1;
    Case all_real = value;
    for (auto& row : std::get<Append>(all_real.program[0]).rows) {
        for (Token& token : row) token.real = true;
    }
    fill_values(all_real, {Family::small_integers, seed}, false);
    auto& tokens = std::get<Append>(value.program[0]).rows;
    for (std::size_t r = 0; r < tokens.size(); ++r) {
        for (std::size_t t = 0; t < tokens[r].size(); ++t) {
            tokens[r][t].input = std::get<Append>(all_real.program[0]).rows[r][t].input;
        }
    }
    value.parameters = all_real.parameters;
}

}  // namespace

SmallWorldsResult search_small_worlds(Subject& subject, Level level, Index slots_max,
                                      const SearchOptions& options) {
    SmallWorldsResult result;
    const FeatureSet allowed = subject.capabilities().features;
    const auto try_world = [&](const Case& value, Oracle& oracle) {
        if (!allowed.has_all(features_of(value))) return;
        ++result.cases;
        for (const char* const name : {"outputs_match_the_oracle", "cache_grows_exactly"}) {
            const Property& property = *property_named(name);
            const auto judge = [&] {
                subject.forgive();
                return property.check(subject, value, oracle);
            };
            const Verdict first = judge();
            const Verdict verdict = looked_at_twice(first, judge);
            if (first.is_kill() && !verdict.is_failure()) result.disturbed = verdict.what;
            if (!verdict.is_failure()) {
                result.worst_ratio = std::max(result.worst_ratio, verdict.worst_ratio);
                continue;
            }
            result.property = &property;
            result.counterexample = shrink(property, subject, value, verdict, options);
            result.counterexample->found_at = result.cases;
            return;
        }
    };
    for (const Spec& spec : specs_of(level)) {
        for (Index length = 1; length <= slots_max; ++length) {
            Case sample = world(spec, length, {0, 0});
            fill(sample);
            Oracle oracle(spec, sample.parameters, subject.capabilities().profile);
            for (unsigned pads = 0; pads < 1U << unsigned(row_count * length); ++pads) {
                Case value =
                    world(spec, length,
                          {pads & ((1U << unsigned(length)) - 1), pads >> unsigned(length)});
                fill(value);
                for (unsigned cuts = 0; cuts < 1U << unsigned(length - 1); ++cuts) {
                    if (Clock::now() >= options.deadline) {
                        result.out_of_time = true;
                        return result;
                    }
                    try_world(with_chunks(value, composition(length, cuts)), oracle);
                    if (result.counterexample) return result;
                }
            }
        }
    }
    return result;
}

}  // namespace kvcheck
