// SPDX-License-Identifier: Apache-2.0
// Fewer commands, fewer rows, fewer tokens. Long stretches are tried before short ones, so that a
// long row gets short in few tries. Simpler commands are in shrink_commands.cpp.
#include "properties/search/shrink_program.hpp"

#include <algorithm>
#include <utility>

#include "model/commands/place_in.hpp"
#include "model/row_choice.hpp"
#include "model/splits.hpp"
#include "model/walk.hpp"

namespace kvcheck {
namespace {

Append* append_at(Case& test_case, std::size_t command) {
    return std::get_if<Append>(&test_case.program[command]);
}

/// Every segment in one call.
std::optional<Case> all_merged(const Case& base) {
    std::vector<Counts> counts;
    for (const Segment& segment : segments_of(base)) counts.push_back(counts_of(segment, {}));
    Case shorter = resplit(base, counts);
    if (shorter.program.size() >= base.program.size()) return std::nullopt;
    return shorter;
}

/// The calls that are commands [begin, end) in one.
std::optional<Case> merged(const Case& base, std::size_t begin, std::size_t end) {
    Case shorter = base;
    Append* const first = append_at(shorter, begin);
    for (std::size_t command = begin + 1; command < end; ++command) {
        const Append* const next = append_at(shorter, command);
        if (first == nullptr || next == nullptr) return std::nullopt;
        for (std::size_t r = 0; r < first->rows.size(); ++r) {
            first->rows[r].insert(first->rows[r].end(), next->rows[r].begin(), next->rows[r].end());
        }
    }
    return repaired(without_commands(shorter, begin + 1, end));
}

/// After `count` slots from `slot` on were taken out of a row by command n, the slots that later
/// commands name are those of the same tokens.
void close_gap(Case& test_case, std::size_t n, const TokenSite& first, Index count, Index rows) {
    const auto moved = [&](Index slot) {
        return slot - std::clamp<Index>(slot - first.slot, 0, count);
    };
    RowChoice choice({first.row});
    for (std::size_t later = n; later < test_case.program.size(); ++later) {
        Command& command = test_case.program[later];
        const auto& own = choice.rows();
        if (auto* evict = std::get_if<Evict>(&command); evict && place_in(own, evict->row)) {
            evict->begin = moved(evict->begin);
            evict->end = moved(evict->end);
        }
        auto* truncate = std::get_if<Truncate>(&command);
        if (truncate && (truncate->row ? place_in(own, *truncate->row).has_value() : rows == 1)) {
            truncate->length = moved(truncate->length);
        }
        choice.follow(command, rows);
        rows = rows_after(command, rows);
    }
}

struct Stretch {
    Index begin;
    Index end;
    bool has(Index slot) const { return begin <= slot && slot < end; }
    /// Where a slot is once these are gone.
    Index moved(Index slot) const { return slot < end ? slot : slot - (end - begin); }
};

/// Tokens that append `row`, of which `gone` is taken out, keep their parents; those that followed
/// one that goes follow its parent.
void keep_parents(const History& row, Stretch gone, std::vector<Token>& tokens) {
    const std::vector<const Node*> slots = row.tokens();
    const std::size_t first = slots.size() - tokens.size();
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        const Node& node = *slots[first + t];
        const Node* parent = node.parent().get();
        while (parent != nullptr && gone.has(parent->slot)) parent = parent->parent().get();
        if (gone.has(node.slot)) continue;
        tokens[t].back = gone.moved(node.slot) - (parent ? gone.moved(parent->slot) : -1);
    }
}

/// In `shorter`, whose tokens are still those of the base, all appends keep their parents when the
/// tokens `gone` of command n are taken out of a row.
void keep_parents(const Case& base, Case& shorter, std::size_t n, Index row, Stretch gone) {
    CacheState state(base.spec, position_count(base.spec, base.parameters));
    for (std::size_t before = 0; before < n; ++before) state.apply(base.program[before]);
    const Index length = state.row(row).length();
    const Stretch slots{length + gone.begin, length + gone.end};
    RowChoice choice({row});
    for (; n < base.program.size(); ++n) {
        const Index rows = state.row_count();
        state.apply(base.program[n]);
        choice.follow(base.program[n], rows);
        Append* const append = append_at(shorter, n);
        for (std::size_t r = 0; append != nullptr && r < choice.rows().size(); ++r) {
            const Index own = choice.rows()[r];
            auto& tokens = append->rows[std::size_t(own)];
            // A row that was cut since has no gap.
            if (state.row(own).length() - Index(tokens.size()) < slots.begin) break;
            keep_parents(state.row(own), slots, tokens);
        }
    }
}

/// Removes tokens [begin, end) of one command, in one row or (row < 0) in all.
std::optional<Case> without_tokens(const Case& base, std::size_t command, Index row, Index begin,
                                   Index end) {
    Case shorter = base;
    CacheState state(base.spec, position_count(base.spec, base.parameters));
    for (std::size_t n = 0; n < command; ++n) state.apply(base.program[n]);
    bool removed = false;
    bool is_tree = false;
    for_each_token(
        base, [&](const TokenSite&, const Token& token) { is_tree = is_tree || token.back != 1; });
    Append* const append = append_at(shorter, command);
    for (std::size_t r = 0; r < append->rows.size(); ++r) {
        if (row >= 0 && Index(r) != row) continue;
        auto& tokens = append->rows[r];
        const Index last = std::min(end, Index(tokens.size()));
        if (begin >= last) continue;
        if (is_tree) keep_parents(base, shorter, command, Index(r), {begin, last});
        tokens.erase(tokens.begin() + begin, tokens.begin() + last);
        const Index slot = state.row(Index(r)).length() + begin;
        close_gap(shorter, command, {Index(command), Index(r), begin, slot}, last - begin,
                  state.row_count());
        removed = true;
    }
    if (!removed) return std::nullopt;
    return repaired(std::move(shorter));
}

/// The case with no room but for what is in it, where the one it was made from had none to spare:
/// a fault of full rows needs both at once.
std::optional<Case> as_full_as(const Case& base, std::optional<Case> shorter) {
    const Index longest = shorter ? longest_row(*shorter) : 0;
    if (longest == 0 || longest_row(base) != base.spec.capacity) return std::nullopt;
    shorter->spec.capacity = longest;
    return shorter;
}

/// Fewer tokens of the append that is command n: of all rows, then of one.
void add_fewer_tokens_of(const Append& append, const Shared& base, std::size_t n,
                         Candidates& list) {
    const auto add = [&](Index row, Neighbours stretch) {
        list.mark(Index(n), row + 1, stretch.inner ? 1 : 0, -stretch.size, stretch.begin);
        list.add(
            [=] {
                return without_tokens(*base, n, row, stretch.begin, stretch.begin + stretch.size);
            },
            stretch.is_coarse && row < 0);
    };
    for (const Neighbours stretch : removals(count_max(append))) {
        add(-1, stretch);
        if (stretch.inner) continue;
        list.add(
            [=] {
                return as_full_as(*base, without_tokens(*base, n, -1, stretch.begin,
                                                        stretch.begin + stretch.size));
            },
            stretch.is_coarse);
    }
    if (append.rows.size() < 2) return;
    for (std::size_t r = 0; r < append.rows.size(); ++r) {
        const Index count = Index(append.rows[r].size());
        if (count > 1) add(Index(r), {0, count, false, true});
        for (const Neighbours stretch : removals(count)) add(Index(r), stretch);
    }
}

/// One row alone, each of its calls made as long as the longest row's with tokens of that row:
/// where another row is there for its length only.
Case alone_and_longest(const Case& base, Index row) {
    Case alone = with_rows(base, {row});
    std::vector<const Append*> appends;
    for (const Command& command : base.program) {
        if (const auto* append = std::get_if<Append>(&command)) appends.push_back(append);
    }
    std::size_t n = 0;
    for (Command& command : alone.program) {
        auto* const append = std::get_if<Append>(&command);
        if (append == nullptr) continue;
        auto& tokens = append->rows.front();
        const auto& rows = appends[n++]->rows;
        const auto longest =
            std::max_element(rows.begin(), rows.end(),
                             [](const auto& a, const auto& b) { return a.size() < b.size(); });
        tokens.insert(tokens.end(), longest->begin() + std::ptrdiff_t(tokens.size()),
                      longest->end());
    }
    return alone;
}

void add_fewer_rows(const Shared& base, Candidates& list) {
    const Index rows = base->spec.rows;
    if (rows == 1) return;
    for (Index row = 0; row < rows; ++row) {
        list.mark(0, -rows, row);
        list.add([=] { return repaired(alone_and_longest(*base, row)); },
                 row == 0 || row + 1 == rows);
    }
    for (const Neighbours stretch : removals(rows)) {
        list.mark(stretch.inner ? 1 : 0, -stretch.size, stretch.begin);
        list.add(
            [=] {
                std::vector<Index> kept;
                for (Index r = 0; r < rows; ++r) {
                    if (r < stretch.begin || r >= stretch.begin + stretch.size) kept.push_back(r);
                }
                return repaired(with_rows(*base, kept));
            },
            stretch.is_coarse);
    }
}

}  // namespace

std::optional<Case> repaired(std::optional<Case> test_case) {
    if (!test_case) return std::nullopt;
    const Index capacity = std::exchange(test_case->spec.capacity, extent_max);
    if (!repair(*test_case)) return std::nullopt;
    test_case->spec.capacity = std::max(capacity, longest_row(*test_case));
    return test_case;
}

Index rows_before(const Case& base, std::size_t n) {
    Index rows = base.spec.rows;
    for (std::size_t before = 0; before < n; ++before)
        rows = rows_after(base.program[before], rows);
    return rows;
}

std::optional<Case> without_commands(const Case& base, std::size_t begin, std::size_t end) {
    Case shorter{base.spec, base.parameters, {}};
    for (std::size_t n = 0; n < begin; ++n) shorter.program.push_back(base.program[n]);
    if (end == base.program.size()) return shorter;
    const Index rows_left = rows_before(base, begin);
    const Index rows_then = rows_before(base, end);  // where all commands are carried out
    if (rows_then < rows_left) return std::nullopt;
    std::vector<Index> kept;
    for (Index r = 0; r < rows_left; ++r) kept.push_back(r);
    RowChoice(std::move(kept)).follow_from(end, base, rows_then, shorter);
    return shorter;
}

void add_simpler_programs(const Shared& base, Candidates& list) {
    const std::size_t commands = base->program.size();
    add_simpler_commands(base, list);
    list.begin_pass();
    list.add([=] { return all_merged(*base); }, true);
    list.begin_pass();
    for (const Neighbours stretch : removals(Index(commands))) {
        list.mark(stretch.inner ? 1 : 0, -stretch.size, stretch.begin);
        const auto begin = std::size_t(stretch.begin);
        const auto end = begin + std::size_t(stretch.size);
        list.add([=] { return repaired(without_commands(*base, begin, end)); }, stretch.is_coarse);
    }
    list.begin_pass();
    for (const Neighbours stretch : removals(Index(commands))) {
        if (stretch.inner || stretch.size <= 2) continue;  // two are joined below
        list.mark(-stretch.size, stretch.begin);
        const auto begin = std::size_t(stretch.begin);
        const auto end = begin + std::size_t(stretch.size);
        list.add([=] { return merged(*base, begin, end); }, stretch.is_coarse);
    }
    list.begin_pass();
    for (std::size_t n = 0; n + 1 < commands; ++n) {
        list.mark(Index(n));
        list.add([=] { return merged(*base, n, n + 2); });
    }
    list.begin_pass();
    add_fewer_rows(base, list);
}

void add_fewer_tokens(const Shared& base, Candidates& list) {
    list.begin_pass();
    for (std::size_t n = 0; n < base->program.size(); ++n) {
        if (const auto* append = std::get_if<Append>(&base->program[n])) {
            add_fewer_tokens_of(*append, base, n, list);
        }
    }
}

}  // namespace kvcheck
