// SPDX-License-Identifier: Apache-2.0
// The walk over all small worlds (declared in small_worlds.hpp).
#include "properties/search/small_worlds.hpp"

#include <algorithm>
#include <array>
#include <optional>

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
/// Of one length under one position rule: each padding, and for each all compositions.
Index paddings_of(Index length) { return Index{1} << (row_count * length); }
Index compositions_of(Index length) { return Index{1} << (length - 1); }

}  // namespace

Index small_worlds_of(Level level, Index slots_max) {
    Index count = 0;
    for (Index length = 1; length <= slots_max; ++length)
        count += paddings_of(length) * compositions_of(length);
    return count * Index(specs_of(level).size());
}

SmallWorldsResult search_small_worlds(Subject& subject, Level level, Index slots_max,
                                      const SearchOptions& options, Index begin, Index end) {
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
            if (options.shrinks)
                result.counterexample = shrink(property, subject, test_case, verdict, options);
            else
                result.counterexample = Counterexample{test_case, verdict};
            result.counterexample->found_at = result.cases;
            return;
        }
    };
    // The shortest first under every rule, so that a walk that is cut short has met all rules.
    Index number = 0;
    for (Index length = 1; length <= slots_max; ++length) {
        for (const Spec& spec : specs_of(level)) {
            const Index block = paddings_of(length) * compositions_of(length);
            const Index first = std::max(begin, number) - number;
            const Index last = std::min(end, number + block) - number;
            number += block;
            if (first >= last) continue;
            const Case sample = world(spec, length, {0, 0});
            // Their truths are few, and each is shared by many worlds.
            const Evaluation evaluation = options.evaluation == Evaluation::certified
                                              ? Evaluation::cross_checked
                                              : options.evaluation;
            Oracle oracle(spec, sample.parameters, subject.capabilities().profile, evaluation);
            const Counted counted{oracle, result.evaluation};
            std::optional<Case> all;
            for (Index n = first; n < last; ++n) {
                if (Clock::now() >= options.deadline) {
                    result.out_of_time = true;
                    return result;
                }
                const auto pads = unsigned(n / compositions_of(length));
                const auto cuts = unsigned(n % compositions_of(length));
                if (!all || cuts == 0) {
                    const unsigned row = pads & ((1U << unsigned(length)) - 1);
                    all = world(spec, length, {row, pads >> unsigned(length)});
                }
                try_world(with_chunks(*all, composition(length, cuts)), oracle);
                if (result.counterexample) return result;
                ++result.passed_by;
                if (options.progress) options.progress(result.passed_by);
            }
        }
    }
    return result;
}

}  // namespace kvcheck
