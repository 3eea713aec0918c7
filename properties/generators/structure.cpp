// SPDX-License-Identifier: Apache-2.0
// Drawing the structure (declared in structure.hpp).
#include "properties/generators/structure.hpp"

#include <algorithm>

#include "model/quarter_turns.hpp"
#include "properties/generators/calls.hpp"
#include "properties/generators/conventions.hpp"
#include "properties/generators/life.hpp"
#include "properties/generators/rotary.hpp"
#include "properties/generators/storage.hpp"
#include "properties/generators/tree.hpp"

namespace kvcheck {
namespace {

using Row = RowSlots;

struct Builder {
    Draw& draw;
    FeatureSet allowed;
    FeatureSet focus;

    bool can(Feature feature) const { return allowed.has(feature); }
    bool can_pad() const {
        return can(Feature::padding_left) || can(Feature::padding_right) ||
               can(Feature::padding_holes);
    }

    /// Now and then a shape that crosses a tile of 16, 32, 64 or 128, with all else kept small.
    enum class Large { none, heads, width, slots };
    Large large = Large::none;

    void draw_large() {
        const Index chance = draw.below(100);
        if (chance < 2)
            large = Large::heads;
        else if (chance < 6)
            large = Large::width;
        else if (chance < 9)
            large = Large::slots;
    }

    void enlarge(Spec& spec) {
        struct Heads {
            Index query, kv;
        };
        static const std::vector<Heads> many = {{34, 2}, {20, 10}, {17, 17}, {8, 2},  {8, 1},
                                                {16, 4}, {8, 8},   {16, 2},  {32, 2}, {16, 1}};
        static const std::vector<Index> wide = {6,  17, 32,  33,  40,  48,  64, 65,
                                                80, 96, 112, 128, 160, 192, 256};
        const Heads heads = draw.pick(many);
        const Index width = draw.pick(wide);
        if (large == Large::heads) {
            spec.kv_heads = heads.kv;
            spec.query_heads = can(Feature::grouped_heads) ? heads.query : heads.kv;
            spec.key_width = spec.value_width = 2;
        } else if (large == Large::width) {
            spec.key_width = width;
            const Index which = draw.below(5);  // both, or one of them
            const bool alone = which > 2 && can(Feature::value_width);
            if (!alone || which == 4) spec.value_width = width;
            if (alone && which == 4) spec.key_width = std::min<Index>(spec.key_width, 5);
            constexpr Index costly = 80;
            if (width > costly) {
                spec.rows = std::min<Index>(spec.rows, 2);
                spec.kv_heads = std::min<Index>(spec.kv_heads, 2);
                spec.query_heads = std::min<Index>(spec.query_heads, 2 * spec.kv_heads);
                if (spec.query_heads % spec.kv_heads != 0) spec.query_heads = spec.kv_heads;
            }
        } else if (large == Large::slots) {
            spec.rows = std::min<Index>(spec.rows, 3);
            spec.kv_heads = std::min<Index>(spec.kv_heads, 3);
            const bool grouped = draw.percent(50);
            spec.query_heads =
                grouped && can(Feature::grouped_heads) ? 2 * spec.kv_heads : spec.kv_heads;
            static const std::vector<Index> widths = {1, 1, 2, 2, 3, 33};
            spec.key_width = spec.value_width = draw.pick(widths);
            if (spec.key_width > 3) spec.rows = spec.query_heads = spec.kv_heads = 1;
            if (spec.level == Level::layer) spec.model_width = std::min<Index>(spec.model_width, 2);
        }
    }

    Spec spec(Level level, bool is_long) {
        Spec spec;
        spec.level = level;
        static const std::vector<Index> row_counts = {1, 2, 2, 2, 2, 2, 3, 3, 4, 5};
        spec.rows = draw.pick(row_counts);
        const Index many_rows = draw.range(6, 17);
        const bool has_many = draw.percent(3);
        if (has_many && !is_long && large == Large::none) spec.rows = many_rows;
        if (focus.has(Feature::batch)) spec.rows = std::max<Index>(spec.rows, 2);
        if (!can(Feature::batch)) spec.rows = 1;
        heads(spec, is_long);
        static const std::vector<Index> widths = {1, 2, 3, 4, 5, 7, 8, 16};
        const Index wide = is_long ? 5 : Index(widths.size());
        spec.key_width = widths[std::size_t(draw.below(wide))];
        const Index other_width = widths[std::size_t(draw.below(wide))];
        const bool differs = draw.percent(35);
        spec.value_width = differs && can(Feature::value_width) ? other_width : spec.key_width;
        static const std::vector<float> positive = {1.0F,   0.5F,  0.3F,    2.0F,
                                                    0.125F, 24.0F, 10000.0F};
        static const std::vector<float> others = {0.0F, -1.0F, -0.3F};
        const float scale = draw.pick(positive);
        const float other_scale = draw.pick(others);
        const bool scaled = draw.percent(30);
        const bool any = draw.percent(30) && can(Feature::any_scale);
        if (scaled && can(Feature::custom_scale)) spec.scale = any ? other_scale : scale;
        padded_queries(spec);
        if (level == Level::layer) layer(spec);
        enlarge(spec);
        if (level == Level::layer && !can(Feature::free_model_width)) fix_model_width(spec);
        draw_visibility(draw, allowed, focus, spec);
        draw_additions(draw, allowed, focus, spec);
        draw_rotary(draw, allowed, focus, spec);
        return spec;
    }

    /// D = H * Dk, and no more than the exact answers can bear.
    void fix_model_width(Spec& spec) const {
        constexpr Index most = 128;
        const bool equal = spec.value_width == spec.key_width;
        spec.key_width = std::min(spec.key_width, std::max<Index>(1, most / spec.query_heads));
        if (equal) spec.value_width = spec.key_width;
        spec.model_width = spec.query_size();
    }

    void heads(Spec& spec, bool is_long) {
        struct Heads {
            Index query, kv;
        };
        static const std::vector<Heads> shapes = {{1, 1}, {2, 2}, {2, 1}, {4, 2}, {3, 3},
                                                  {2, 2}, {6, 2}, {6, 3}, {3, 1}, {4, 2}};
        const Heads chosen = draw.pick(shapes);
        const Index any_kv = draw.range(1, 7);
        const Index any_group = draw.range(1, 7);
        const bool any = draw.percent(10) && !is_long && any_kv * any_group <= 21;
        spec.kv_heads = any ? any_kv : chosen.kv;
        spec.query_heads = any ? any_kv * any_group : chosen.query;
        if (!can(Feature::grouped_heads)) spec.query_heads = spec.kv_heads;
        if (is_long) spec.query_heads = std::min(spec.query_heads, 2 * spec.kv_heads);
    }

    void padded_queries(Spec& spec) {
        const bool computed = draw.percent(40);
        const Index dead = draw.below(3);
        if ((computed || focus.has(Feature::padded_query_computed)) &&
            can(Feature::padded_query_computed)) {
            spec.padded_query = PaddedQuery::computed;
        }
        spec.dead_row = DeadRow::unspecified;
        if (can(Feature::dead_row_zeros) &&
            (dead != 2 || focus.has(Feature::padded_query_computed))) {
            spec.dead_row = DeadRow::zeros;
        }
        if (can(Feature::dead_row_nan) && dead == 1) spec.dead_row = DeadRow::nan;
    }

    void layer(Spec& spec) {
        static const std::vector<Index> widths = {1, 2, 3, 4, 6, 8, 12};
        spec.model_width = draw.pick(widths);
        const Index signal = draw.below(5);
        if (signal >= 1 && signal <= 2 && can(Feature::sinusoidal_positions)) {
            spec.position_signal = PositionSignal::sinusoidal;
        }
        if (signal >= 3 && can(Feature::learned_positions)) {
            spec.position_signal = PositionSignal::learned;
        }
        const bool counted = draw.percent(50);
        if (counted && can(Feature::visible_count_ids)) {
            spec.position_ids = PositionIds::visible_count;
        }
        const bool biases = draw.percent(50);
        spec.biases = biases && can(Feature::biases);
    }

    /// The padding of one row. `amount` says how many slots of `length` are padded.
    Row row(Index length, Index amount) {
        Row real(std::size_t(length), true);
        std::vector<Feature> patterns;
        for (const Feature pattern :
             {Feature::padding_left, Feature::padding_right, Feature::padding_holes}) {
            if (can(pattern)) patterns.push_back(pattern);
        }
        if (patterns.empty()) return real;
        if (length < 3 && patterns.size() > 1) std::erase(patterns, Feature::padding_holes);
        Feature pattern = draw.pick(patterns);
        if (focus.has(Feature::padded_query_computed) && can(Feature::padding_left))
            pattern = Feature::padding_left;
        // Holes need a real token on both sides; anything else would be another pattern.
        amount = std::min(amount, pattern == Feature::padding_holes ? length - 2 : length);
        if (amount == length && !can(Feature::padding_all)) --amount;
        for (Index n = 0; n < amount; ++n) {
            if (pattern == Feature::padding_left)
                real[std::size_t(n)] = false;
            else if (pattern == Feature::padding_right)
                real[std::size_t(length - 1 - n)] = false;
            else
                real[std::size_t(draw.range(1, length - 2))] = false;
        }
        return real;
    }

    /// Every row's slots, until something is taken back.
    std::vector<Row> rows(Index count, Index longest) {
        const bool may_differ = can(Feature::unequal_counts);
        const bool differ = draw.percent(40);
        const bool padded = draw.percent(75) || focus.has_any(FeatureSet::paddings());
        std::vector<Row> rows;
        Index amount_before = 0;
        for (Index r = 0; r < count; ++r) {
            const Index shorter = draw.range(0, longest);
            const bool full = draw.percent(50);
            const bool unequal =
                may_differ && (differ || focus.has(Feature::unequal_counts)) && !full && r > 0;
            const Index length = unequal ? shorter : longest;
            Index amount = draw.range(0, std::max<Index>(length - 1, 0));
            const bool all = draw.percent(8);
            if (all && r > 0) amount = length;
            if (r == 0 && focus.has_any(FeatureSet::paddings()))
                amount = std::max<Index>(amount, 1);
            // Neighbouring rows differ in padding wherever they can.
            if (r > 0 && amount == amount_before && length > 1)
                amount = amount == 0 ? 1 : amount - 1;
            rows.push_back(padded ? row(length, amount) : Row(std::size_t(length), true));
            amount_before = amount;
        }
        return rows;
    }

    /// Boundaries of the calls over slots 0 ... length, first 0 and last length.
    std::vector<Index> boundaries(Index length) {
        std::vector<Index> ends = {0};
        const Index mode = draw.below(10);
        if (mode == 0 || length == 0) {  // one call
        } else if (mode == 1) {          // token by token
            for (Index slot = 1; slot < length; ++slot) ends.push_back(slot);
        } else if (mode == 2) {
            ends.push_back(length - 1);
        } else if (can(Feature::warm_chunks)) {
            // A first call that leaves at least two tokens for a second one, then anything.
            const Index first = draw.range(1, std::max<Index>(1, std::min<Index>(length - 2, 4)));
            ends.push_back(std::min(first, length));
            const Index more = draw.range(0, 2);
            for (Index n = 0; n < more; ++n) {
                const Index step = draw.range(2, 4);
                ends.push_back(std::min(ends.back() + step, length));
            }
        } else {
            const Index first = draw.range(1, length);
            for (Index slot = first; slot < length; ++slot) ends.push_back(slot);
        }
        ends.push_back(length);
        ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
        if (ends.size() == 1) ends.push_back(length);
        const bool pause = draw.percent(15);
        const auto middle = std::ptrdiff_t(ends.size() / 2);
        if (pause && can(Feature::empty_chunks))
            ends.insert(ends.begin() + middle, ends[ends.size() / 2]);
        return ends;
    }

    void append_rows(Case& test_case, const std::vector<Row>& rows, bool with_offsets) {
        Index longest = 0;
        for (const Row& row : rows) longest = std::max(longest, Index(row.size()));
        const std::vector<Index> common = boundaries(longest);
        const bool own_pace = draw.percent(40) && can(Feature::unequal_counts);
        std::vector<std::vector<Index>> ends(rows.size(), common);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            for (Index& end : ends[r]) end = std::min(end, Index(rows[r].size()));
            if (!own_pace) continue;
            for (std::size_t n = 1; n + 1 < ends[r].size(); ++n) {
                const Index left = Index(rows[r].size()) - ends[r][n - 1];
                ends[r][n] = ends[r][n - 1] + draw.range(0, left);
            }
        }
        append_calls(test_case, rows, ends, with_offsets);
    }

    /// Tokens that follow may make any padding a hole, and come at any pace.
    bool can_reset_a_row() const {
        return can(Feature::reset_row) && can(Feature::unequal_counts) &&
               can(Feature::padding_holes) && can(Feature::padding_left) &&
               can(Feature::warm_chunks) && large == Large::none;
    }

    /// One row begins again while the others go on.
    void reset_a_row(Case& test_case) {
        const Index row = draw.below(test_case.spec.rows);
        test_case.program.emplace_back(Reset{row});
        const Index calls = draw.range(1, 2);
        for (Index n = 0; n < calls; ++n) {
            Append append;
            for (Index r = 0; r < test_case.spec.rows; ++r) {
                const Index count = r == row ? draw.range(1, 3) : draw.range(0, 2);
                append.rows.emplace_back(std::size_t(count), zero_token(test_case.spec, true));
            }
            test_case.program.emplace_back(std::move(append));
        }
    }
};

}  // namespace

Case draw_structure(Draw& draw, Level level, FeatureSet allowed, const FeatureSet& focus) {
    Builder builder{draw, allowed, focus};
    builder.draw_large();
    const bool is_long = draw.percent(28);
    static const std::vector<Index> lengths = {1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6};
    const Index short_length = draw.pick(lengths);
    const Index long_length = draw.range(17, 24);
    static const std::vector<Index> tiles = {33, 64, 65, 129};
    const Index tile_length = draw.pick(tiles);
    const Index length = builder.large == Builder::Large::slots ? tile_length
                         : is_long                              ? long_length
                                                                : short_length;
    const bool needs_two =
        focus.has_any(FeatureSet::paddings()) || focus.has_any({Feature::window, Feature::tree});
    const bool twice = draw.percent(15) && builder.can(Feature::reset) && !is_long;
    const bool again = draw.percent(30);
    const bool with_offsets = draw.percent(50) && builder.can(Feature::query_offset);

    Case test_case;
    test_case.spec = builder.spec(level, is_long);
    test_case.spec.capacity = extent_max;  // until it is known what is needed
    for (int life = 0; life < (twice ? 2 : 1); ++life) {
        // A reset of a session that holds nothing forgets nothing, too.
        for (int n = 0; twice && n < (again ? 2 : life); ++n)
            test_case.program.emplace_back(Reset{});
        std::vector<Row> rows =
            builder.rows(test_case.spec.rows, needs_two ? std::max<Index>(length, 2) : length);
        force_a_real_token(rows);
        builder.append_rows(test_case, rows, with_offsets);
    }
    static const std::vector<Index> spare = {0, 0, 1, 3};
    const Index spare_slots = draw.pick(spare);
    const Index spare_positions = draw.pick(spare);
    const bool one_row = draw.percent(12) && builder.can_reset_a_row() && !is_long && !twice;
    if (one_row) builder.reset_a_row(test_case);
    if (allowed.has_any(life_features())) {
        const bool lives = draw.percent(35) || focus.has_any(life_features());
        const Index commands = draw.range(3, 9);
        const Index of_long = draw.range(1, 3);  // what they hold is costly to judge
        const bool costly = is_long || builder.large != Builder::Large::none;
        if (lives) draw_life(draw, allowed, focus, costly ? of_long : commands, test_case);
    }
    draw_tree(allowed, focus.has(Feature::tree), test_case);
    const Index longest = longest_row(test_case);
    test_case.spec.capacity = longest + spare_slots;
    if (focus.has(Feature::window) && test_case.spec.window) {
        // Some query leaves a token behind.
        test_case.spec.window = std::clamp<Index>(*test_case.spec.window, 1, longest - 1);
    }
    const Index least_positions = holds_a_shift(test_case) ? turns_period : 1;
    test_case.parameters =
        zero_parameters(test_case.spec, std::max(longest + spare_positions, least_positions));
    if (!allowed.has_all(features_of(test_case))) {
        // Rows at different paces can need what the subject lacks; token by token needs least.
        test_case = token_by_token(test_case);
    }
    draw_storage(draw, allowed, focus.empty(), test_case);
    return test_case;
}

const std::vector<std::string_view>& reach_of_structures() {
    static const std::vector<std::string_view> lines = {
        "rows        1 to 5, in 3 % up to 17",
        "heads       telling pairs up to (34, 2); in 10 % any up to 7 heads in groups of up to 7",
        "widths      1 to 16; in 4 % up to 256, of keys, values or both",
        "slots       1 to 6; in a quarter 17 to 24; in 3 % 33, 64, 65 or 129",
        "scale       1/sqrt(Dk); given ones from 0.125 to 10000, and 0, -0.3, -1",
        "softcap     in 20 %, from 0.5 to 50",
        "slopes      in 20 %: powers of two, others, negative ones",
        "sinks       in 20 %, from -10000 to 100; now and then all zero",
        "window      in 30 %, from 1 to 32 slots, half of them with 1 to 4 anchors",
        "rotary      in 25 %, of either pairing, a third of them turn a part of each head; tables "
        "of "
        "bases 100 to 500000 and of any angles",
        "trees       in 15 %: siblings, parents of the last five slots, none; 25 % of them "
        "committed",
        "storage     in 6 % bf16, in 8 % fp16, in 6 % int8: near ties, subnormals, outliers; in "
        "some "
        "rows of 257, 300 or 2049 equal scores",
        "commands    in 35 %, 3 to 9 between the appends: truncate, reorder, fork, finish, evict, "
        "reset, reload, shift, publish, reuse; up to 5 rows",
        "scores      from subnormal to 2^121, of either sign",
    };
    return lines;
}

}  // namespace kvcheck
