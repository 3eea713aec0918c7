// SPDX-License-Identifier: Apache-2.0
// The walk over all small worlds (declared in small_worlds.hpp).
#include "properties/search/small_worlds.hpp"

#include <array>

#include "properties/catalogue.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

constexpr Index row_count = 2;

/// A layer of width 2 over one head of width 2: no subject fixes another width for it.
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

/// The tokens of a world do not depend on its padding, so that rows of equal padding share a truth.
Case world(const Spec& spec, Index length, const std::array<unsigned, row_count>& padding) {
    Case test_case;
    test_case.spec = spec;
    test_case.parameters = zero_parameters(spec, small_world_slots);
    Append append;
    for (std::size_t r = 0; r < padding.size(); ++r) {
        append.rows.emplace_back(std::size_t(length), zero_token(spec, true));
    }
    test_case.program.emplace_back(std::move(append));
    constexpr std::uint64_t seed = 1;
    fill_values(test_case, {Family::small_integers, seed}, false);
    for_each_token(test_case, [&](const TokenSite& site, Token& token) {
        token.real = (padding[std::size_t(site.row)] >> unsigned(site.slot) & 1U) == 0;
    });
    return test_case;
}

/// Adds up what an oracle judged, however its worlds end.
struct Counted {
    const Oracle& oracle;
    EvaluationCounts& total;
    ~Counted() { total.add(oracle.counts()); }
};

}  // namespace

SmallWorldsResult search_small_worlds(Subject& subject, Level level, Index slots_max,
                                      const SearchOptions& options) {
    SmallWorldsResult result;
    const FeatureSet allowed = subject.capabilities().features;
    const auto try_world = [&](const Case& test_case, Oracle& oracle) {
        if (!allowed.has_all(features_of(test_case))) return;
        ++result.cases;
        for (const char* const name : {"outputs_match_the_oracle", "cache_grows_exactly"}) {
            const Property& property = *property_named(name);
            const auto judge = [&] {
                subject.forgive();
                return property.check(subject, test_case, oracle);
            };
            const Verdict first = judge();
            const Verdict verdict = looked_at_twice(first, judge);
            if (first.is_kill() && !verdict.is_failure()) result.disturbed = verdict.words;
            if (!verdict.is_failure()) {
                result.worst_ratio = std::max(result.worst_ratio, verdict.worst_ratio);
                continue;
            }
            result.property = &property;
            result.counterexample = shrink(property, subject, test_case, verdict, options);
            result.counterexample->found_at = result.cases;
            return;
        }
    };
    for (const Spec& spec : specs_of(level)) {
        for (Index length = 1; length <= slots_max; ++length) {
            const Case sample = world(spec, length, {0, 0});
            // Their truths are few, and each is shared by many worlds.
            const Evaluation evaluation = options.evaluation == Evaluation::certified
                                              ? Evaluation::cross_checked
                                              : options.evaluation;
            Oracle oracle(spec, sample.parameters, subject.capabilities().profile, evaluation);
            const Counted counted{oracle, result.evaluation};
            for (unsigned pads = 0; pads < 1U << unsigned(row_count * length); ++pads) {
                const unsigned first = pads & ((1U << unsigned(length)) - 1);
                const Case all = world(spec, length, {first, pads >> unsigned(length)});
                for (unsigned cuts = 0; cuts < 1U << unsigned(length - 1); ++cuts) {
                    if (Clock::now() >= options.deadline) {
                        result.out_of_time = true;
                        return result;
                    }
                    try_world(with_chunks(all, composition(length, cuts)), oracle);
                    if (result.counterexample) return result;
                }
            }
        }
    }
    return result;
}

}  // namespace kvcheck
