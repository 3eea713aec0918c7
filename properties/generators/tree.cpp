// SPDX-License-Identifier: Apache-2.0
// Drawing trees (declared in tree.hpp).
#include "properties/generators/tree.hpp"

#include <algorithm>
#include <limits>

#include "model/case_hash.hpp"
#include "model/commands/shift.hpp"
#include "properties/generators/draw.hpp"

namespace kvcheck {
namespace {

/// The parent of the slot before, most often, so that the two are siblings; else one of the last
/// few slots, or none.
Index draw_back(Draw& draw, Index slot, Index back_of_previous) {
    constexpr Index near = 5;
    const Index way = draw.below(10);
    const Index any = draw.range(1, std::min(slot, near));
    if (way == 0) return slot + 1;
    if (way < 3) return any;
    return way < 7 ? std::min(back_of_previous + 1, slot + 1) : 1;
}

/// `always`: of every row that is longer than one slot.
void branch(Draw& draw, bool always, Append& append, const CacheState& before) {
    for (Index r = 0; r < before.row_count(); ++r) {
        const bool is_draft = draw.percent(60) || always;
        Index slot = before.row(r).length();
        const auto& last = before.row(r).last();
        Index previous = last ? last->token.back : 1;
        for (Token& token : append.rows[std::size_t(r)]) {
            if (is_draft && slot > 0) token.back = draw_back(draw, slot, previous);
            previous = token.back;
            ++slot;
        }
    }
}

/// False where a token would come with an id below zero.
bool branch(Draw& draw, bool always, Case& test_case) {
    CacheState state(test_case.spec, std::numeric_limits<Index>::max());
    for (Command& command : test_case.program) {
        if (auto* const append = std::get_if<Append>(&command)) {
            branch(draw, always, *append, state);
        } else if (auto* const shift = std::get_if<Shift>(&command)) {
            // Ids along a path are lower than those along the row: there is less to take off them.
            fit(*shift, state);
        }
        if (!state.objection(command).empty()) return false;
        state.apply(command);
    }
    return true;
}

/// One slot of each row is accepted: the next token follows it, and of the last few slots those
/// that are not on its path are evicted, in half of the cases.
void commit(Draw& draw, const FeatureSet& allowed, Case& test_case) {
    constexpr Index few = 6;
    CacheState state(test_case.spec, std::numeric_limits<Index>::max());
    const bool evicts = draw.percent(50) && allowed.has(Feature::evict);
    for (const Command& command : test_case.program) state.apply(command);
    Append next;
    for (Index r = 0; r < state.row_count(); ++r) {
        auto& tokens = next.rows.emplace_back();
        const Index length = state.row(r).length();
        if (state.row(r).is_finished() || length == 0) continue;
        const Index leaf = length - draw.range(1, std::min(length, few));
        std::vector<bool> accepted;
        accepted.resize(std::size_t(length));
        for (const Node* const node : path_of(*state.row(r).tokens()[std::size_t(leaf)])) {
            accepted[std::size_t(node->slot)] = true;
        }
        for (Index slot = std::max<Index>(length - few, 0); slot < length; ++slot) {
            if (accepted[std::size_t(slot)] || !evicts) continue;
            test_case.program.emplace_back(Evict{r, slot, slot + 1});
        }
        tokens.push_back(zero_token(test_case.spec, true));
        tokens.back().back = length - leaf;
    }
    // The id of what follows a slot that is evicted may lie below zero in a row that was shifted.
    if (count_max(next) > 0 && state.objection(next).empty())
        test_case.program.emplace_back(std::move(next));
}

}  // namespace

void draw_tree(const FeatureSet& allowed, bool is_wanted, Case& test_case) {
    // From the case itself, so that a subject without trees, and a case without one, is drawn as if
    // there were none.
    Draw draw(SplitMix{hash_of(test_case)});
    const bool is_drawn = draw.percent(15) || is_wanted;
    if (!is_drawn || !allowed.has(Feature::tree)) return;
    Case tree = test_case;
    if (!branch(draw, is_wanted, tree)) return;
    if (draw.percent(25)) commit(draw, allowed, tree);
    // A padded token without ancestors sees nothing, and not every subject has a value for that.
    if (allowed.has_all(features_of(tree))) test_case = std::move(tree);
}

}  // namespace kvcheck
