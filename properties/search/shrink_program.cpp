// SPDX-License-Identifier: Apache-2.0
// Fewer commands, fewer rows, fewer tokens. Large pieces are tried before small ones, so that a
// long row gets short before time runs out.
#include <algorithm>

#include "properties/drive/variants.hpp"
#include "properties/search/shrink.hpp"

namespace kvcheck {
namespace {

using Shared = std::shared_ptr<const Case>;

Append* append_at(Case& value, std::size_t command) {
    return std::get_if<Append>(&value.program[command]);
}

std::optional<Case> repaired(Case value) {
    repair_offsets(value);
    return value;
}

Case without_commands(const Case& value, std::size_t begin, std::size_t end) {
    Case shorter = value;
    shorter.program.erase(shorter.program.begin() + std::ptrdiff_t(begin),
                          shorter.program.begin() + std::ptrdiff_t(end));
    return shorter;
}

/// Halves, quarters and so on down to single ones, of `whole` things.
std::vector<Index> piece_sizes(Index whole) {
    std::vector<Index> sizes;
    for (Index size = whole / 2; size > 1; size /= 2) sizes.push_back(size);
    if (whole > 0) sizes.push_back(1);
    return sizes;
}

/// Every epoch in one call.
std::optional<Case> all_merged(const Case& value) {
    Case shorter{value.spec, value.parameters, {}};
    for (const Command& command : value.program) {
        const auto* append = std::get_if<Append>(&command);
        Append* const last =
            shorter.program.empty() ? nullptr : append_at(shorter, shorter.program.size() - 1);
        if (append == nullptr || last == nullptr) {
            shorter.program.push_back(command);
            continue;
        }
        for (std::size_t r = 0; r < last->rows.size(); ++r) {
            last->rows[r].insert(last->rows[r].end(), append->rows[r].begin(),
                                 append->rows[r].end());
        }
    }
    if (shorter.program.size() == value.program.size()) return std::nullopt;
    return repaired(std::move(shorter));
}

std::optional<Case> merged(const Case& value, std::size_t command) {
    Case shorter = value;
    Append* const first = append_at(shorter, command);
    const Append* const second = append_at(shorter, command + 1);
    if (first == nullptr || second == nullptr) return std::nullopt;
    for (std::size_t r = 0; r < first->rows.size(); ++r) {
        first->rows[r].insert(first->rows[r].end(), second->rows[r].begin(), second->rows[r].end());
    }
    return repaired(without_commands(shorter, command + 1, command + 2));
}

/// Removes tokens [begin, end) of one command, in one row or (row < 0) in all.
std::optional<Case> without_tokens(const Case& value, std::size_t command, Index row, Index begin,
                                   Index end) {
    Case shorter = value;
    bool removed = false;
    Append* const append = append_at(shorter, command);
    for (std::size_t r = 0; r < append->rows.size(); ++r) {
        if (row >= 0 && Index(r) != row) continue;
        auto& tokens = append->rows[r];
        const Index last = std::min(end, Index(tokens.size()));
        if (begin >= last) continue;
        tokens.erase(tokens.begin() + begin, tokens.begin() + last);
        removed = true;
    }
    if (!removed) return std::nullopt;
    return repaired(std::move(shorter));
}

void add_token_removals(const Shared& value, std::vector<Candidate>& list) {
    for (std::size_t n = 0; n < value->program.size(); ++n) {
        const auto* append = std::get_if<Append>(&value->program[n]);
        if (append == nullptr) continue;
        const Index most = count_max(*append);
        const auto add = [&](Index row, Index begin, Index end) {
            list.emplace_back([=] { return without_tokens(*value, n, row, begin, end); });
        };
        for (const Index size : piece_sizes(most)) {
            for (Index t = 0; t < most; t += size) add(-1, t, t + size);
        }
        for (Index r = 0; r < value->spec.rows && value->spec.rows > 1; ++r) {
            const Index count = Index(append->rows[std::size_t(r)].size());
            if (count > 1) add(r, 0, count);
            for (Index t = 0; t < count; ++t) add(r, t, t + 1);
        }
    }
}

}  // namespace

void add_simpler_programs(const Shared& value, std::vector<Candidate>& list) {
    const std::size_t commands = value->program.size();
    for (std::size_t n = 0; n < commands; ++n) {
        if (!std::holds_alternative<Reset>(value->program[n])) continue;
        list.emplace_back([=] { return repaired(without_commands(*value, 0, n + 1)); });
        list.emplace_back([=] { return repaired(without_commands(*value, n, commands)); });
    }
    list.emplace_back([=] { return all_merged(*value); });
    for (const Index size : piece_sizes(Index(commands))) {
        for (std::size_t n = 0; n < commands; n += std::size_t(size)) {
            const std::size_t end = std::min(commands, n + std::size_t(size));
            list.emplace_back([=] { return repaired(without_commands(*value, n, end)); });
        }
    }
    for (std::size_t n = 0; n + 1 < commands; ++n) {
        list.emplace_back([=] { return merged(*value, n); });
    }
    for (Index row = 0; row < value->spec.rows && value->spec.rows > 1; ++row) {
        list.emplace_back([=] {
            std::vector<Index> kept;
            for (Index r = 0; r < value->spec.rows; ++r) {
                if (r != row) kept.push_back(r);
            }
            return std::optional(with_rows(*value, kept));
        });
    }
    add_token_removals(value, list);
}

}  // namespace kvcheck
