// SPDX-License-Identifier: Apache-2.0
// Fewer commands, fewer rows, fewer tokens. Long stretches are tried before short ones, so that a
// long row gets short in few tries.
#include <algorithm>
#include <utility>

#include "model/commands/place_in.hpp"
#include "model/row_choice.hpp"
#include "model/splits.hpp"
#include "model/walk.hpp"
#include "properties/search/shrink.hpp"

namespace kvcheck {
namespace {

using Shared = std::shared_ptr<const Case>;

Append* append_at(Case& test_case, std::size_t command) {
    return std::get_if<Append>(&test_case.program[command]);
}

/// Admissible again; with more room where what took tokens away is gone.
std::optional<Case> repaired(std::optional<Case> test_case) {
    if (!test_case) return std::nullopt;
    const Index capacity = std::exchange(test_case->spec.capacity, extent_max);
    if (!repair(*test_case)) return std::nullopt;
    test_case->spec.capacity = std::max(capacity, longest_row(*test_case));
    return test_case;
}

/// Rows go with the commands that made them; nothing where rows would be missing afterwards.
std::optional<Case> without_commands(const Case& base, std::size_t begin, std::size_t end) {
    Case shorter{base.spec, base.parameters, {}};
    Index rows_then = base.spec.rows;  // where all commands are carried out
    for (std::size_t n = 0; n < begin; ++n) {
        shorter.program.push_back(base.program[n]);
        rows_then = rows_after(base.program[n], rows_then);
    }
    const Index rows_left = rows_then;
    for (std::size_t n = begin; n < end; ++n) rows_then = rows_after(base.program[n], rows_then);
    if (end == base.program.size()) return shorter;
    if (rows_then < rows_left) return std::nullopt;
    std::vector<Index> kept;
    for (Index r = 0; r < rows_left; ++r) kept.push_back(r);
    RowChoice(std::move(kept)).follow_from(end, base, rows_then, shorter);
    return shorter;
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

/// Removes tokens [begin, end) of one command, in one row or (row < 0) in all.
std::optional<Case> without_tokens(const Case& base, std::size_t command, Index row, Index begin,
                                   Index end) {
    Case shorter = base;
    CacheState state(base.spec, position_count(base.spec, base.parameters));
    for (std::size_t n = 0; n < command; ++n) state.apply(base.program[n]);
    bool removed = false;
    Append* const append = append_at(shorter, command);
    for (std::size_t r = 0; r < append->rows.size(); ++r) {
        if (row >= 0 && Index(r) != row) continue;
        auto& tokens = append->rows[r];
        const Index last = std::min(end, Index(tokens.size()));
        if (begin >= last) continue;
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

/// Only what follows the reset that is command n, only what is before it, and a reset of all rows
/// in place of one.
void add_simpler(const Reset& reset, const Shared& base, std::size_t n, Candidates& list) {
    const std::size_t commands = base->program.size();
    list.mark(Index(n));
    list.add([=] { return repaired(without_commands(*base, 0, n + 1)); }, true);
    list.add([=] { return repaired(without_commands(*base, n, commands)); }, true);
    if (!reset.row) return;
    list.add([=] {
        Case plainer = *base;
        plainer.program[n] = Reset{};
        return repaired(std::move(plainer));
    });
}

/// Without row `row` of those that the reorder which is command n leaves.
std::optional<Case> without_source(const Case& base, std::size_t n, std::size_t row) {
    Case shorter = base;
    auto& sources = std::get<Reorder>(shorter.program[n]).sources;
    const auto rows_then = Index(sources.size());
    std::vector<Index> kept;
    for (Index r = 0; r < rows_then; ++r) {
        if (r != Index(row)) kept.push_back(r);
    }
    sources.erase(sources.begin() + std::ptrdiff_t(row));
    shorter.program.resize(n + 1, shorter.program.front());
    RowChoice(std::move(kept)).follow_from(n + 1, base, rows_then, shorter);
    return shorter;
}

/// The program with another command n, if that is one.
template <class Change>
std::optional<Case> with_command(const Case& base, std::size_t n, const Change& change) {
    Case simpler = base;
    change(simpler.program[n]);
    return repaired(std::move(simpler));
}

/// A shorter row, and all rows in place of one.
void add_simpler(const Truncate& truncate, const Shared& base, std::size_t n, Candidates& list) {
    list.mark(Index(n));
    for (const Index length : {Index{0}, truncate.length / 2, truncate.length - 1}) {
        if (length < 0 || length >= truncate.length) continue;
        list.add([=] {
            return with_command(
                *base, n, [&](Command& command) { std::get<Truncate>(command).length = length; });
        });
    }
    if (!truncate.row) return;
    list.add([=] {
        return with_command(*base, n,
                            [](Command& command) { std::get<Truncate>(command).row.reset(); });
    });
}

/// Without the reorder that is command n: what its rows get goes to the rows they continue. Nothing
/// where rows change again later, or where two of them continue one.
std::optional<Case> with_rows_at_sources(const Case& base, std::size_t n) {
    const std::vector<Index>& sources = std::get<Reorder>(base.program[n]).sources;
    Index rows = base.spec.rows;
    for (std::size_t before = 0; before < n; ++before)
        rows = rows_after(base.program[before], rows);
    std::vector<Index> places;  // of each earlier row among the later ones
    for (Index r = 0; r < rows; ++r) places.push_back(place_in(sources, r).value_or(-1));
    Case simpler = base;
    simpler.program.erase(simpler.program.begin() + std::ptrdiff_t(n));
    for (std::size_t later = n; later < simpler.program.size(); ++later) {
        auto* append = std::get_if<Append>(&simpler.program[later]);
        if (append == nullptr) return std::nullopt;
        Append moved;
        for (const Index place : places) {
            auto& tokens = moved.rows.emplace_back();
            if (place >= 0) tokens = append->rows[std::size_t(place)];
        }
        if (append->query_offset) moved.query_offset.emplace();
        *append = std::move(moved);
    }
    return repaired(std::move(simpler));
}

/// One row less, and rows that stay where they are.
void add_simpler(const Reorder& reorder, const Shared& base, std::size_t n, Candidates& list) {
    list.mark(Index(n));
    const std::vector<Index>& sources = reorder.sources;
    list.add([=] { return with_rows_at_sources(*base, n); });
    for (std::size_t r = 0; r < sources.size(); ++r) {
        if (sources.size() > 1) list.add([=] { return repaired(without_source(*base, n, r)); });
        if (sources[r] == Index(r)) continue;
        list.add([=] {
            return with_command(*base, n, [&](Command& command) {
                std::get<Reorder>(command).sources[r] = Index(r);
            });
        });
    }
}

/// The first row in place of another one.
void add_simpler(const Fork& fork, const Shared& base, std::size_t n, Candidates& list) {
    list.mark(Index(n));
    if (fork.row == 0) return;
    list.add([=] {
        return with_command(*base, n, [](Command& command) { std::get<Fork>(command).row = 0; });
    });
}

/// Fewer slots.
void add_simpler(const Evict& evict, const Shared& base, std::size_t n, Candidates& list) {
    list.mark(Index(n));
    const auto add = [&](Index begin, Index end) {
        if (begin >= end || end - begin == evict.end - evict.begin) return;
        list.add([=] {
            return with_command(*base, n, [&](Command& command) {
                std::get<Evict>(command).begin = begin;
                std::get<Evict>(command).end = end;
            });
        });
    };
    const Index middle = evict.begin + (evict.end - evict.begin) / 2;
    add(evict.begin, middle);
    add(middle, evict.end);
    add(evict.begin, evict.end - 1);
    add(evict.begin + 1, evict.end);
}

/// Nothing: it can only go.
void add_simpler(const Finish&, const Shared&, std::size_t, Candidates&) {}

/// Nothing: an append gets simpler by its tokens, which add_fewer_tokens() takes.
void add_simpler(const Append&, const Shared&, std::size_t, Candidates&) {}

/// What the rows hold after n commands, given to them in one call, and then the rest.
std::optional<Case> with_past_replayed(const Case& base, std::size_t n) {
    CacheState state(base.spec, position_count(base.spec, base.parameters));
    for (std::size_t before = 0; before < n; ++before) state.apply(base.program[before]);
    Case replayed{base.spec, base.parameters, {}};
    replayed.spec.rows = state.row_count();
    Append append;
    for (Index r = 0; r < state.row_count(); ++r) {
        auto& tokens = append.rows.emplace_back();
        for (const Node* const node : state.row(r).tokens()) tokens.push_back(node->token);
    }
    if (count_max(append) > 0) replayed.program.emplace_back(std::move(append));
    const auto rest = base.program.begin() + std::ptrdiff_t(n);
    replayed.program.insert(replayed.program.end(), rest, base.program.end());
    if (replayed.program.size() >= base.program.size()) return std::nullopt;
    return repaired(std::move(replayed));
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
                return std::optional(with_rows(*base, kept));
            },
            stretch.is_coarse);
    }
}

}  // namespace

void add_simpler_programs(const Shared& base, Candidates& list) {
    const std::size_t commands = base->program.size();
    list.begin_pass();
    for (std::size_t n = 0; n < commands; ++n) {
        std::visit([&](const auto& command) { add_simpler(command, base, n, list); },
                   base->program[n]);
    }
    list.begin_pass();
    for (std::size_t n = commands; n-- > 0;) {
        if (std::holds_alternative<Append>(base->program[n])) continue;
        list.mark(-Index(n));
        list.add([=] { return with_past_replayed(*base, n + 1); });
        list.add([=] { return with_past_replayed(*base, n); });
    }
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
