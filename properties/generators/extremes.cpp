// SPDX-License-Identifier: Apache-2.0
// Drawing them (declared in extremes.hpp).
#include "properties/generators/extremes.hpp"

#include <algorithm>

#include "properties/generators/calls.hpp"
#include "properties/generators/conventions.hpp"

namespace kvcheck {
namespace {

using Kind = Extreme::Kind;

/// What is drawn of one case, piece by piece.
struct ExtremeBuilder {
    Draw& draw;
    FeatureSet allowed;
    FeatureSet focus;
    const Extreme& extreme;
    Spec spec;
    std::vector<RowSlots> rows;
    std::vector<Index> ends = {0};  // boundaries of the calls in the longest row
    Recipe recipe;

    bool can(Feature feature) const { return allowed.has(feature); }
    Index extent() const { return extreme.extent; }

    void widths(const std::vector<Index>& list) {
        spec.key_width = draw.pick(list);
        const Index other = draw.pick(list);
        const bool differs = draw.percent(35);
        spec.value_width = differs && can(Feature::value_width) ? other : spec.key_width;
    }

    void heads(Index query, Index kv) {
        spec.kv_heads = kv;
        spec.query_heads = can(Feature::grouped_heads) ? query : kv;
    }

    /// A row that is real but for some padding before it.
    RowSlots row(Index length, Index padded) const {
        RowSlots slots(std::size_t(length), true);
        if (!can(Feature::padding_left)) return slots;
        std::fill_n(slots.begin(), std::min(padded, length - 1), false);
        return slots;
    }

    void one_call(Index length) { ends.push_back(length); }
    void single_calls(Index length) {
        for (Index slot = 1; slot <= length; ++slot) ends.push_back(slot);
    }
    /// In one call, with the last token alone, or in equal parts.
    void some_calls(Index length) {
        const Index mode = draw.below(3);
        const Index part = std::max<Index>(length / 4, 1);
        if (mode == 1) {
            ends.push_back(length - 1);
        } else if (mode == 2 && can(Feature::warm_chunks)) {
            for (Index end = part; end < length; end += part) ends.push_back(end);
        }
        ends.push_back(length);
    }

    /// A few short rows, the first without padding; returns their length.
    Index short_rows(Index count, Index length) {
        for (Index r = 0; r < (can(Feature::batch) ? count : 1); ++r) {
            const Index padded = draw.below(3);
            rows.push_back(row(length, r == 0 ? 0 : padded));
        }
        return length;
    }
    void small_rows(Index count) {
        const Index length = draw.range(3, 4);
        some_calls(short_rows(count, length));
    }

    /// One long row, beside a short one where the property needs company.
    void long_row(Index length, Index padded) {
        rows.push_back(row(length, padded));
        const bool company = draw.percent(25) || focus.has(Feature::batch);
        const Index beside = draw.range(1, 3);
        if (company && can(Feature::batch) && can(Feature::unequal_counts))
            rows.push_back(row(beside, 0));
    }

    void query_tile() {
        static const std::vector<Index> multiples = {16, 16, 32};
        spec.value_width = draw.pick(multiples);
        spec.key_width = can(Feature::value_width) ? 2 : spec.value_width;
        RowSlots slots(std::size_t(extent()), true);
        const Index padded = draw.range(1, 5);
        for (Index n = 0; n < padded; ++n) {
            const Index hole = draw.range(1, extent() - 2);
            if (can(Feature::padding_holes))
                slots[std::size_t(hole)] = false;
            else if (can(Feature::padding_left))
                slots[std::size_t(n)] = false;
            else if (can(Feature::padding_right))
                slots[std::size_t(extent() - 1 - n)] = false;
        }
        rows.push_back(slots);
        one_call(extent());
    }

    void wide() {
        static const std::vector<Index> others = {1, 3, 16, 65, 96, 128, 160, 256};
        static const std::vector<Index> kv_heads = {1, 2, 2, 3};
        const Index other = draw.pick(others);
        const Index which = draw.below(8);  // both, or one of them; 160 is always both
        constexpr Index always_both = 160;
        const bool alone = which >= 6 && extent() != always_both && can(Feature::value_width);
        spec.key_width = alone && which == 6 ? other : extent();
        spec.value_width = alone && which == 7 ? other : extent();
        const Index kv = draw.pick(kv_heads);
        const Index group = draw.range(1, 2);
        heads(kv * group, kv);
        small_rows(draw.range(1, 2));
    }

    void any_heads() {
        // Groups that are no power of two, and more heads than a tile of 16 holds, tell most.
        static const std::vector<Index> groups = {1, 2, 3, 3, 4, 5, 6, 7, 8, 9};
        static const std::vector<Index> kv_heads = {1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 17};
        const Index group = draw.pick(groups);
        const Index kv = draw.pick(kv_heads);
        heads(std::min<Index>(group, std::max<Index>(40 / kv, 1)) * kv, kv);
        widths({1, 2, 3});
        small_rows(draw.range(1, 2));
    }

    void scores() {
        recipe.family = Family::vast_scores;
        recipe.score_exponent = int(extent());
        widths({1, 1, 2, 3});
        // A first call of several tokens in several rows: where the first key has the largest
        // score, nothing tells whether later ones were hidden.
        const Index length = short_rows(4, draw.range(5, 6));
        ends.push_back(length - 1);
        ends.push_back(length);
    }

    void shape() {
        static const std::vector<Index> narrow = {1, 1, 2};
        static const std::vector<Index> slim = {1, 2, 3};
        switch (extreme.kind) {
            case Kind::rows:
                widths(slim);
                heads(2, draw.range(1, 2));
                small_rows(extent());
                break;
            case Kind::heads:
                any_heads();
                break;
            case Kind::width:
                wide();
                break;
            case Kind::single_calls: {
                const Index more = draw.below(3);
                widths(narrow);
                long_row(extent() + more, draw.below(3));
                single_calls(extent() + more);
                break;
            }
            case Kind::keys:
                widths(narrow);
                long_row(extent(), 0);
                some_calls(extent());
                break;
            case Kind::hidden_tile: {
                const Index more = draw.range(1, 3);
                widths(slim);
                long_row(extent() + more, extent());
                const bool apart = draw.percent(50);
                if (apart) ends.push_back(extent());
                if (apart && !can(Feature::warm_chunks))
                    for (Index n = 1; n < more; ++n) ends.push_back(extent() + n);
                one_call(extent() + more);
                break;
            }
            case Kind::query_tile:
                query_tile();
                break;
            case Kind::exact_tile:
                widths(slim);
                heads(2, draw.range(1, 2));
                if (extent() > 64) heads(1, 1);
                long_row(extent(), draw.below(4));
                some_calls(extent());
                break;
            case Kind::scores:
                scores();
                break;
            case Kind::scale:
                if (allowed.has_all(extreme.needs)) spec.scale = float(extent());
                widths(slim);
                heads(2, draw.range(1, 2));
                small_rows(2);
                break;
        }
        spec.rows = Index(rows.size());
    }

    void conventions(Level level) {
        const bool computed = draw.percent(40) || focus.has(Feature::padded_query_computed);
        if (computed && can(Feature::padded_query_computed))
            spec.padded_query = PaddedQuery::computed;
        spec.dead_row = can(Feature::dead_row_zeros) ? DeadRow::zeros
                        : can(Feature::dead_row_nan) ? DeadRow::nan
                                                     : DeadRow::unspecified;
        const bool is_far = extreme.kind == Kind::hidden_tile || extreme.kind == Kind::keys ||
                            extreme.kind == Kind::single_calls;
        const bool is_turned = draw.percent(50) && is_far;
        if (is_turned && can(Feature::rotary_halves) && spec.key_width % 2 == 0)
            spec.rotary = Rotary::halves;  // ids far from the first
        std::size_t longest = 0;
        for (const RowSlots& slots : rows) longest = std::max(longest, slots.size());
        draw_long_conventions(draw, allowed, focus, Index(longest), spec);
        if (level == Level::attention) return;
        static const std::vector<Index> model_widths = {1, 2, 3};
        spec.model_width = draw.pick(model_widths);
        if (!can(Feature::free_model_width)) spec.model_width = spec.query_size();
        const bool learned = draw.percent(40);
        const bool counted = draw.percent(50);
        const bool biases = draw.percent(50);
        if (learned && can(Feature::learned_positions))
            spec.position_signal = PositionSignal::learned;
        if (counted && can(Feature::visible_count_ids))
            spec.position_ids = PositionIds::visible_count;
        spec.biases = biases && can(Feature::biases);
    }

    /// What the property needs to have something to judge.
    void meet_focus() {
        if (!focus.has_any(FeatureSet::paddings())) return;
        for (const RowSlots& row : rows) {
            if (std::find(row.begin(), row.end(), false) != row.end()) return;
        }
        RowSlots& first = rows.front();
        if (first.size() < 2) return;
        if (can(Feature::padding_left))
            first.front() = false;
        else if (can(Feature::padding_right))
            first.back() = false;
        else if (can(Feature::padding_holes) && first.size() > 2)
            first[1] = false;
    }
};

}  // namespace

const std::vector<Extreme>& extremes() {
    const FeatureSet scale = {Feature::custom_scale};
    const FeatureSet any_scale = {Feature::custom_scale, Feature::any_scale};
    static const std::vector<Extreme> list = {
        {Kind::rows, 9, "9 rows", {Feature::batch}},
        {Kind::width, 160, "keys and values 160 wide, several heads", {}},
        {Kind::single_calls, 257, "257 calls of one token", {}},
        {Kind::scores, 104, "all scores below -2^104, past -1e31", {}},
        {Kind::hidden_tile, 128, "128 padded slots before a real token", {Feature::padding_left}},
        {Kind::scale, -1, "scale -1", any_scale},
        {Kind::keys, 513, "513 keys", {}},
        {Kind::width, 96, "keys or values 96 wide, several heads", {}},
        {Kind::heads, 0, "any pair of head counts up to 40 query heads", {}},
        {Kind::query_tile, 64, "64 queries in one call, padding, values a multiple of 16 wide", {}},
        {Kind::scores, 40, "all scores below -2^40, past -1e12", {}},
        {Kind::exact_tile, 64, "exactly 64 slots", {}},
        {Kind::scale, 0, "scale 0", any_scale},
        {Kind::width, 256, "keys or values 256 wide, several heads", {}},
        {Kind::exact_tile, 128, "exactly 128 slots", {}},
        {Kind::rows, 17, "17 rows", {Feature::batch}},
        {Kind::scale, 10000, "scale 10000", scale},
        {Kind::exact_tile, 256, "exactly 256 slots", {}},
        {Kind::exact_tile, 32, "exactly 32 slots", {}},
    };
    return list;
}

DrawnCase draw_extreme(Draw& draw, Level level, FeatureSet allowed, const FeatureSet& focus,
                       const Extreme& extreme) {
    ExtremeBuilder builder{draw, allowed, focus, extreme, {}, {}, {0}, {}};
    builder.spec.level = level;
    static const std::vector<Family> families = {Family::uniform, Family::bell, Family::bell,
                                                 Family::decodable, Family::small_integers};
    builder.recipe.family = draw.pick(families);
    builder.recipe.seed = draw.bits();
    builder.shape();
    builder.conventions(level);
    builder.meet_focus();
    const bool with_offsets = draw.percent(50) && builder.can(Feature::query_offset);

    DrawnCase drawn;
    Case& test_case = drawn.test_case;
    drawn.family = builder.recipe.family;
    test_case.spec = builder.spec;
    test_case.spec.capacity = extent_max;  // until it is known what is needed
    std::vector<std::vector<Index>> ends;
    for (const RowSlots& row : builder.rows) {
        for (Index& end : ends.emplace_back(builder.ends)) end = std::min(end, Index(row.size()));
    }
    append_calls(test_case, builder.rows, ends, with_offsets);
    const Index longest = longest_row(test_case);
    const Index spare = draw.below(2);
    test_case.spec.capacity = longest + spare;
    test_case.parameters = zero_parameters(test_case.spec, longest + spare);
    if (!allowed.has_all(features_of(test_case))) test_case = token_by_token(test_case);
    fill_values(test_case, builder.recipe, allowed.has(Feature::masked_nonfinite));
    return drawn;
}

}  // namespace kvcheck
