// SPDX-License-Identifier: Apache-2.0
// Simpler commands in place of those that bring no token; leaving them out is for
// shrink_program.cpp.
#include <algorithm>
#include <set>
#include <utility>

#include "model/commands/place_in.hpp"
#include "model/row_choice.hpp"
#include "model/walk.hpp"
#include "properties/search/shrink_program.hpp"

namespace kvcheck {
namespace {

/// The case with command n changed, where that leaves a case.
template <class Change>
std::optional<Case> with_command(const Case& base, std::size_t n, const Change& change) {
    Case simpler = base;
    change(simpler.program[n]);
    return repaired(std::move(simpler));
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
        return with_command(*base, n,
                            [](Command& command) { std::get<Reset>(command).row.reset(); });
    });
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

/// Without the reorder that is command n: what its rows get goes to the rows they continue. Nothing
/// where rows change again later, or where two of them continue one.
std::optional<Case> with_rows_at_sources(const Case& base, std::size_t n) {
    const std::vector<Index>& sources = std::get<Reorder>(base.program[n]).sources;
    if (std::set<Index>(sources.begin(), sources.end()).size() < sources.size())
        return std::nullopt;
    std::vector<std::optional<Index>> places;  // of each earlier row among the later ones
    for (Index r = 0; r < rows_before(base, n); ++r) places.push_back(place_in(sources, r));
    Case simpler = base;
    simpler.program.erase(simpler.program.begin() + std::ptrdiff_t(n));
    for (std::size_t later = n; later < simpler.program.size(); ++later) {
        auto* append = std::get_if<Append>(&simpler.program[later]);
        if (append == nullptr) return std::nullopt;
        Append moved;
        for (const std::optional<Index>& place : places) {
            auto& tokens = moved.rows.emplace_back();
            if (place) tokens = append->rows[std::size_t(*place)];
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

/// By less.
void add_simpler(const Shift& shift, const Shared& base, std::size_t n, Candidates& list) {
    list.mark(Index(n));
    for (const Index by : {Index{1}, shift.by / 2, shift.by - 1}) {
        if (by < 1 || by >= shift.by) continue;
        list.add([=] {
            return with_command(*base, n,
                                [&](Command& command) { std::get<Shift>(command).by = by; });
        });
    }
}

/// Fewer slots.
void add_simpler(const Reuse& reuse, const Shared& base, std::size_t n, Candidates& list) {
    list.mark(Index(n));
    for (const Index slots : {Index{1}, reuse.slots / 2, reuse.slots - 1}) {
        if (slots < 1 || slots >= reuse.slots) continue;
        list.add([=] {
            return with_command(*base, n,
                                [&](Command& command) { std::get<Reuse>(command).slots = slots; });
        });
    }
}

/// Nothing: it can only go.
void add_simpler(const Publish&, const Shared&, std::size_t, Candidates&) {}

/// Likewise.
void add_simpler(const Finish&, const Shared&, std::size_t, Candidates&) {}

/// Likewise.
void add_simpler(const Reload&, const Shared&, std::size_t, Candidates&) {}

/// Nothing: an append gets simpler by its tokens, which are for add_fewer_tokens().
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

}  // namespace

void add_simpler_commands(const Shared& base, Candidates& list) {
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
}

}  // namespace kvcheck
