// SPDX-License-Identifier: Apache-2.0
// The walk over all small worlds (declared in small_worlds.hpp).
#include "properties/search/small_worlds.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "properties/catalogue.hpp"
#include "properties/drive/variants.hpp"
#include "properties/search/small_programs.hpp"

namespace kvcheck {
namespace {

constexpr Index row_count = 2;
/// Truths are shared by programs that begin alike; those of older ones are let go.
constexpr Index programs_an_oracle = 2000;

/// A layer of width 2 over one head of width 2: no subject fixes another width for it.
Spec small_spec(Level level, Index slots_max) {
    Spec spec;
    spec.level = level;
    spec.rows = row_count;
    spec.key_width = spec.value_width = 2;
    spec.capacity = slots_max;
    if (level == Level::layer) spec.model_width = 2;
    return spec;
}

/// The position rules of a level: signal and ids.
std::vector<Spec> specs_of(Level level, Index slots_max) {
    std::vector<Spec> specs = {small_spec(level, slots_max)};
    if (level == Level::attention) return specs;
    for (const PositionIds ids : {PositionIds::slot, PositionIds::visible_count}) {
        Spec spec = small_spec(level, slots_max);
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
    test_case.parameters = zero_parameters(spec, spec.capacity);
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

/// Of one length under one position rule: each padding, and for each all compositions.
Index paddings_of(Index length) { return Index{1} << (row_count * length); }
Index compositions_of(Index length) { return Index{1} << (length - 1); }

Index programs_of(Level level, const SmallWorlds& worlds) {
    return level == Level::attention ? small_programs_of(worlds.commands_max) : 0;
}

class WorldWalk {
public:
    WorldWalk(Subject& subject, const SearchOptions& options)
        : subject_(subject), options_(options), allowed_(subject.capabilities().features) {}

    /// Every padding of these, in every composition into calls. False once nothing more is wanted,
    /// as below.
    bool try_paddings(const Spec& spec, Index length, Index first, Index last) {
        const Case sample = world(spec, length, {0, 0});
        ask_a_new_oracle(sample);
        std::optional<Case> all;
        for (Index n = first; n < last; ++n) {
            const auto pads = unsigned(n / compositions_of(length));
            const auto cuts = unsigned(n % compositions_of(length));
            if (!all || cuts == 0) {
                const unsigned row = pads & ((1U << unsigned(length)) - 1);
                all = world(spec, length, {row, pads >> unsigned(length)});
            }
            if (!try_one(with_chunks(*all, composition(length, cuts)))) return false;
        }
        return true;
    }

    bool try_programs(Index commands_max, Index first, Index last) {
        bool goes_on = true;
        Index tried = 0;
        for_each_small_program(commands_max, first, last, [&](const Case& test_case) {
            if (tried++ % programs_an_oracle == 0) ask_a_new_oracle(test_case);
            return goes_on = try_one(test_case);
        });
        return goes_on;
    }

    SmallWorldsResult take() {
        if (oracle_) result_.evaluation.add(oracle_->counts());
        return std::move(result_);
    }

private:
    void ask_a_new_oracle(const Case& sample) {
        if (oracle_) result_.evaluation.add(oracle_->counts());
        // Their truths are few, and each is shared by many worlds.
        const Evaluation evaluation = options_.evaluation == Evaluation::certified
                                          ? Evaluation::cross_checked
                                          : options_.evaluation;
        oracle_.emplace(sample.spec, sample.parameters, subject_.capabilities().profile,
                        evaluation);
    }

    bool try_one(const Case& test_case) {
        if (Clock::now() >= options_.deadline) {
            result_.out_of_time = true;
            return false;
        }
        if (allowed_.has_all(features_of(test_case))) judge(test_case);
        if (result_.counterexample) return false;
        ++result_.passed_by;
        if (options_.progress) options_.progress(result_.passed_by);
        return true;
    }

    void judge(const Case& test_case) {
        ++result_.cases;
        for (const char* const name : {"outputs_match_the_oracle", "cache_grows_exactly"}) {
            const Property& property = *property_named(name);
            const auto look = [&] {
                subject_.forgive();
                return property.check(subject_, test_case, *oracle_);
            };
            const Verdict first = look();
            const Verdict verdict = looked_at_twice(first, look);
            if (first.is_kill() && !verdict.is_failure()) result_.disturbed = verdict.words;
            if (!verdict.is_failure()) {
                result_.worst_ratio = std::max(result_.worst_ratio, verdict.worst_ratio);
                continue;
            }
            result_.property = &property;
            if (options_.shrinks)
                result_.counterexample = shrink(property, subject_, test_case, verdict, options_);
            else
                result_.counterexample = Counterexample{test_case, verdict};
            result_.counterexample->found_at = result_.cases;
            return;
        }
    }

    Subject& subject_;
    const SearchOptions& options_;
    FeatureSet allowed_;
    std::optional<Oracle> oracle_;
    SmallWorldsResult result_;
};

}  // namespace

Index small_worlds_of(Level level, const SmallWorlds& worlds) {
    Index count = 0;
    for (Index length = 1; length <= worlds.slots_max; ++length)
        count += paddings_of(length) * compositions_of(length);
    return count * Index(specs_of(level, worlds.slots_max).size()) + programs_of(level, worlds);
}

SmallWorldsResult search_small_worlds(Subject& subject, Level level, const SmallWorlds& worlds,
                                      const SearchOptions& options, Index begin, Index end) {
    WorldWalk walk(subject, options);
    // The part of the next `count` worlds that is asked for.
    Index number = 0;
    const auto part = [&](Index count) {
        const Index first = std::max(begin, number) - number;
        const Index last = std::min(end, number + count) - number;
        number += count;
        return std::pair{first, last};
    };
    // The shortest first under every rule, so that a walk that is cut short has met all rules.
    for (Index length = 1; length <= worlds.slots_max; ++length) {
        for (const Spec& spec : specs_of(level, worlds.slots_max)) {
            const auto [first, last] = part(paddings_of(length) * compositions_of(length));
            if (first < last && !walk.try_paddings(spec, length, first, last)) return walk.take();
        }
    }
    const auto [first, last] = part(programs_of(level, worlds));
    if (first < last) walk.try_programs(worlds.commands_max, first, last);
    return walk.take();
}

}  // namespace kvcheck
