// SPDX-License-Identifier: Apache-2.0
// When an append is admissible and what it does (declared in append.hpp).
#include "model/commands/append.hpp"

#include <algorithm>

#include "model/cache_state.hpp"
#include "model/types/assert.hpp"

namespace kvcheck {
namespace {

std::string objection_to_row(const std::vector<Token>& tokens, Index row, const CacheState& state) {
    History history = state.row(row);
    for (const Token& token : tokens) {
        const Index slot = history.length();
        const std::string at = "row " + std::to_string(row) + ", slot " + std::to_string(slot);
        if (slot >= state.capacity()) return at + ": beyond the capacity (clause 7)";
        if (token.back < 1 || token.back > slot + 1) {
            return at + ": no parent is " + std::to_string(token.back) +
                   " slots before it (clause 16)";
        }
        history = history.with({token.real, {}, token.back});
        const Index id = position_id(state.position_ids(), *history.last());
        if (id < 0) return at + ": its id lies below zero (clause 5)";
        if (id >= state.position_limit()) {
            return at + ": its id lies beyond the " + std::string(state.tables()) + " (clause 5)";
        }
    }
    return {};
}

bool is_branch(const Token& token) { return token.back != 1; }

}  // namespace

Index count_max(const Append& append) {
    Index most = 0;
    for (const auto& row : append.rows) most = std::max(most, Index(row.size()));
    return most;
}

bool has_branches(const Append& append) {
    return std::any_of(append.rows.begin(), append.rows.end(), [](const auto& row) {
        return std::any_of(row.begin(), row.end(), is_branch);
    });
}

FeatureSet needed_by(const Append& append) {
    FeatureSet features;
    if (append.query_offset) features.add(Feature::query_offset);
    if (has_branches(append)) features.add(Feature::tree);
    return features;
}

std::optional<Append> for_rows(const Append& append, const std::vector<Index>& rows) {
    Append part;
    if (append.query_offset) part.query_offset.emplace();
    for (const Index r : rows) {
        part.rows.push_back(append.rows[std::size_t(r)]);
        if (append.query_offset) {
            part.query_offset->push_back((*append.query_offset)[std::size_t(r)]);
        }
    }
    return part;
}

std::string objection_to(const Append& append, const CacheState& state) {
    if (Index(append.rows.size()) != state.row_count()) return "the number of rows (clause 12)";
    if (append.query_offset && append.query_offset->size() != append.rows.size()) {
        return "the number of query offsets (clause 6)";
    }
    for (Index r = 0; r < state.row_count(); ++r) {
        const Index length = state.row(r).length();
        if (append.query_offset && (*append.query_offset)[std::size_t(r)] != length) {
            return "query_offset of row " + std::to_string(r) + ": " +
                   std::to_string((*append.query_offset)[std::size_t(r)]) + ", the next slot is " +
                   std::to_string(length) + " (clause 6)";
        }
        if (state.row(r).is_finished() && !append.rows[std::size_t(r)].empty()) {
            return "row " + std::to_string(r) + ": it is finished (clause 10)";
        }
        std::string objection = objection_to_row(append.rows[std::size_t(r)], r, state);
        if (!objection.empty()) return objection;
    }
    return {};
}

void apply(const Append& append, CacheState& state) {
    KVCHECK_ASSERT(Index(append.rows.size()) == state.row_count());
    for (Index r = 0; r < state.row_count(); ++r) {
        for (const Token& token : append.rows[std::size_t(r)]) {
            state.row(r) = state.row(r).with(token);
        }
    }
}

}  // namespace kvcheck
