// SPDX-License-Identifier: Apache-2.0
// Cutting and joining calls (declared in splits.hpp).
#include "model/splits.hpp"

#include <algorithm>

#include "model/types/assert.hpp"
#include "model/walk.hpp"

namespace kvcheck {

std::vector<Segment> segments_of(const Case& test_case) {
    Index rows = test_case.spec.rows;
    std::vector<Segment> segments(1, Segment(std::size_t(rows)));
    for (const Command& command : test_case.program) {
        const auto* append = std::get_if<Append>(&command);
        if (append == nullptr) {
            rows = rows_after(command, rows);
            segments.emplace_back(std::size_t(rows));
            continue;
        }
        for (std::size_t r = 0; r < append->rows.size(); ++r) {
            auto& row = segments.back()[r];
            row.insert(row.end(), append->rows[r].begin(), append->rows[r].end());
        }
    }
    return segments;
}

Index longest_row(const Segment& segment) {
    Index longest = 0;
    for (const auto& row : segment) longest = std::max(longest, Index(row.size()));
    return longest;
}

Case resplit(const Case& test_case, const std::vector<Counts>& counts) {
    const std::vector<Segment> segments = segments_of(test_case);
    KVCHECK_ASSERT(counts.size() == segments.size());
    const bool with_offsets = features_of(test_case).has(Feature::query_offset);
    Case result{test_case.spec, test_case.parameters, {}};
    std::size_t segment = 0;
    const auto add_calls = [&] {
        std::vector<Index> done(segments[segment].size(), 0);
        for (const std::vector<Index>& call : counts[segment]) {
            Append append;
            if (with_offsets) append.query_offset.emplace(done.size());
            for (std::size_t r = 0; r < done.size(); ++r) {
                const auto begin = segments[segment][r].begin() + done[r];
                append.rows.emplace_back(begin, begin + call[r]);
                done[r] += call[r];
            }
            result.program.emplace_back(std::move(append));
        }
        for (std::size_t r = 0; r < done.size(); ++r) {
            KVCHECK_ASSERT(done[r] == Index(segments[segment][r].size()));
        }
        ++segment;
    };
    for (const Command& command : test_case.program) {
        if (std::holds_alternative<Append>(command)) continue;
        add_calls();
        result.program.push_back(command);
    }
    add_calls();
    repair_offsets(result);
    return result;
}

Counts counts_of(const Segment& segment, const std::vector<Index>& sizes) {
    std::vector<Index> left;
    left.reserve(segment.size());
    for (const auto& row : segment) left.push_back(Index(row.size()));
    Counts calls;
    const auto take = [&](Index size) {
        auto& counts = calls.emplace_back();
        for (Index& remaining : left) {
            counts.push_back(std::min(size, remaining));
            remaining -= counts.back();
        }
    };
    if (longest_row(segment) == 0) return calls;
    for (const Index size : sizes) take(size);
    const Index longest = *std::max_element(left.begin(), left.end());
    if (longest > 0) take(longest);
    return calls;
}

void repair_offsets(Case& test_case) {
    for_each_append(test_case, [](Index, Append& append, const CacheState& before) {
        if (!append.query_offset) return;
        append.query_offset->resize(std::size_t(before.row_count()));
        for (Index r = 0; r < before.row_count(); ++r) {
            (*append.query_offset)[std::size_t(r)] = before.row(r).length();
        }
    });
}

namespace {

/// Cuts lengths and slots that a command names to what the rows have, and gives finished rows no
/// tokens; a parent that is gone is none.
void fit(Command& command, const CacheState& state) {
    const auto fits = [&](Index row) { return row >= 0 && row < state.row_count(); };
    if (auto* append = std::get_if<Append>(&command)) {
        for (std::size_t r = 0; r < append->rows.size() && fits(Index(r)); ++r) {
            if (state.row(Index(r)).is_finished()) append->rows[r].clear();
            Index slot = state.row(Index(r)).length();
            for (Token& token : append->rows[r]) token.back = std::min(token.back, ++slot);
        }
        if (!append->query_offset) return;
        append->query_offset->clear();
        for (Index r = 0; r < state.row_count(); ++r) {
            append->query_offset->push_back(state.row(r).length());
        }
    } else if (auto* truncate = std::get_if<Truncate>(&command)) {
        for (Index r = 0; r < state.row_count(); ++r) {
            if (truncate->row && *truncate->row != r) continue;
            truncate->length = std::min(truncate->length, state.row(r).length());
        }
    } else if (auto* evict = std::get_if<Evict>(&command); evict != nullptr && fits(evict->row)) {
        evict->end = std::min(evict->end, state.row(evict->row).length());
    } else if (auto* shift = std::get_if<Shift>(&command); shift != nullptr && fits(shift->row)) {
        fit(*shift, state);
    } else if (auto* reuse = std::get_if<Reuse>(&command)) {
        fit(*reuse, state);
    }
}

/// Commands that a program can go on without, where they mean nothing any more.
bool may_go(const Command& command) {
    return std::holds_alternative<Evict>(command) || std::holds_alternative<Publish>(command) ||
           std::holds_alternative<Reuse>(command);
}

}  // namespace

bool repair(Case& test_case) {
    CacheState state(test_case.spec, position_count(test_case.spec, test_case.parameters));
    std::vector<Command> program;
    for (Command& command : test_case.program) {
        fit(command, state);
        const bool admissible = state.objection(command).empty();
        if (!admissible && !may_go(command)) return false;
        if (!admissible) continue;
        state.apply(command);
        program.push_back(std::move(command));
    }
    test_case.program = std::move(program);
    return true;
}

}  // namespace kvcheck
