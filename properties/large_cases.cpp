// SPDX-License-Identifier: Apache-2.0
// Drawing the large cases, and the search over them (declared in large_cases.hpp).
#include "properties/large_cases.hpp"

#include <algorithm>

#include "model/types/hash.hpp"
#include "properties/catalogue.hpp"
#include "properties/generators/calls.hpp"
#include "properties/generators/conventions.hpp"

namespace kvcheck {
namespace {

/// A row with padding before its first token, some within and some after, as far as allowed.
RowSlots ragged_row(Draw& draw, FeatureSet allowed, Index length, bool decodes) {
    RowSlots slots(std::size_t(length), true);
    const Index before = draw.below(std::max<Index>(length / 8, 1));
    const Index holes = draw.below(4);
    const Index after = draw.below(decodes ? 1 : 3);
    if (allowed.has(Feature::padding_left)) std::fill_n(slots.begin(), before, false);
    for (Index n = 0; n < holes; ++n) {
        const Index hole = draw.below(length);
        if (allowed.has(Feature::padding_holes)) slots[std::size_t(hole)] = false;
    }
    if (allowed.has(Feature::padding_right)) std::fill_n(slots.rbegin(), after, false);
    return slots;
}

/// Where the calls end: the prefix, then one token after the other; or one call and an odd tail.
std::vector<Index> ends_of_calls(Draw& draw, FeatureSet allowed, Index length, bool decodes) {
    constexpr Index steps = 3;
    const Index tail = 2 * draw.below(8) + 1;
    const bool warm = allowed.has(Feature::warm_chunks);
    std::vector<Index> ends = {0};
    if (!decodes) {
        ends.push_back(length - (warm ? std::min(tail, length - 1) : 1));
    } else {
        for (Index step = steps; step > 0; --step) ends.push_back(length - step);
    }
    ends.push_back(length);
    return ends;
}

}  // namespace

const std::vector<LargeSize>& large_sizes(bool whole) {
    static const std::vector<LargeSize> fraction = {{1, 4, 4, 64, 256, false},
                                                    {1, 2, 1, 66, 512, false},
                                                    {1, 4, 1, 128, 384, true},
                                                    {4, 8, 2, 64, 192, true}};
    static const std::vector<LargeSize> real = {{1, 8, 8, 64, 1024, false},
                                                {1, 8, 8, 64, 4096, false},
                                                {1, 32, 8, 128, 4096, true},
                                                {8, 32, 8, 128, 1024, true}};
    return whole ? real : fraction;
}

DrawnCase draw_large(Draw& draw, Level level, FeatureSet allowed, const LargeSize& size) {
    DrawnCase drawn;
    Spec& spec = drawn.test_case.spec;
    spec.level = level;
    spec.kv_heads = size.kv_heads;
    spec.query_heads = allowed.has(Feature::grouped_heads) ? size.query_heads : size.kv_heads;
    spec.key_width = spec.value_width = size.width - draw.below(3);
    const Index narrower = draw.below(3);
    if (allowed.has(Feature::value_width)) spec.value_width = size.width - narrower;
    if (level == Level::layer) spec.model_width = size.width;
    spec.dead_row = allowed.has(Feature::dead_row_zeros) ? DeadRow::zeros
                    : allowed.has(Feature::dead_row_nan) ? DeadRow::nan
                                                         : DeadRow::unspecified;
    std::vector<RowSlots> rows;
    std::vector<std::vector<Index>> ends;
    spec.rows = allowed.has(Feature::batch) ? size.rows : 1;
    const Index first = size.slots - draw.below(size.slots / 8);
    for (Index r = 0; r < spec.rows; ++r) {
        const Index other = size.slots - draw.below(size.slots / 8);
        const Index length = allowed.has(Feature::unequal_counts) ? other : first;
        rows.push_back(ragged_row(draw, allowed, length, size.decodes));
        ends.push_back(ends_of_calls(draw, allowed, length, size.decodes));
    }
    static const std::vector<Family> families = {Family::uniform, Family::bell, Family::ties,
                                                 Family::dominant, Family::wide};
    drawn.family = draw.pick(families);
    const std::uint64_t seed = draw.bits();
    spec.capacity = extent_max;  // until it is known what is needed
    append_calls(drawn.test_case, rows, ends, false);
    spec.capacity = longest_row(drawn.test_case);
    draw_long_conventions(draw, allowed, {}, spec.capacity, spec);
    drawn.test_case.parameters = zero_parameters(spec, spec.capacity);
    if (!allowed.has_all(features_of(drawn.test_case)))
        drawn.test_case = token_by_token(drawn.test_case);
    fill_values(drawn.test_case, {drawn.family, seed}, allowed.has(Feature::masked_nonfinite));
    return drawn;
}

SearchResult search_large_cases(Subject& subject, Level level, const LargeOptions& large,
                                const SearchOptions& options) {
    const Property& property = large_cases_property();
    const FeatureSet allowed = subject.capabilities().features;
    SearchResult result;
    Draw draw(SplitMix{fnv1a(std::uint64_t(level), fnv1a(property.name, options.seed))});
    const std::vector<LargeSize>& sizes = large_sizes(large.whole);
    for (Index n = 0; n < std::min(large.count, Index(sizes.size())); ++n) {
        const std::uint64_t seed = draw.bits();
        if (n < options.first) continue;
        if (Clock::now() >= options.deadline && n > 0) {
            result.out_of_time = true;
            break;
        }
        Draw own(SplitMix{seed});
        const Case test_case = draw_large(own, level, allowed, sizes[std::size_t(n)]).test_case;
        const auto judge = [&] {
            if (options.before) options.before(property, test_case);
            return check(property, subject, test_case, options.evaluation);
        };
        const Verdict first = judge();
        const Verdict verdict = looked_at_twice(first, judge);
        result.evaluation.add(verdict.evaluation);
        if (first.is_kill() && !verdict.is_failure()) result.disturbed = verdict.words;
        if (verdict.is_failure()) {
            result.counterexample = options.shrinks
                                        ? shrink(property, subject, test_case, verdict, options)
                                        : Counterexample{test_case, verdict};
            result.counterexample->found_at = n + 1;
            break;
        }
        ++(verdict.kind == Verdict::Kind::passed ? result.passed : result.powerless);
        result.worst_ratio = std::max(result.worst_ratio, verdict.worst_ratio);
    }
    return result;
}

}  // namespace kvcheck
