// SPDX-License-Identifier: Apache-2.0
// Fewer commands, fewer rows, fewer tokens. Large pieces are tried before small ones, so that a
// long row gets short before time runs out.
#include <algorithm>

#include "model/row_choice.hpp"
#include "model/splits.hpp"
#include "properties/search/shrink.hpp"

namespace kvcheck {
namespace {

using Shared = std::shared_ptr<const Case>;

Append* append_at(Case& test_case, std::size_t command) {
    return std::get_if<Append>(&test_case.program[command]);
}

std::optional<Case> repaired(Case test_case) {
    repair_offsets(test_case);
    return test_case;
}

Case without_commands(const Case& base, std::size_t begin, std::size_t end) {
    Case shorter = base;
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

/// Every segment in one call.
std::optional<Case> all_merged(const Case& base) {
    std::vector<Counts> counts;
    for (const Segment& segment : segments_of(base)) counts.push_back(counts_of(segment, {}));
    Case shorter = resplit(base, counts);
    if (shorter.program.size() >= base.program.size()) return std::nullopt;
    return shorter;
}

std::optional<Case> merged(const Case& base, std::size_t command) {
    Case shorter = base;
    Append* const first = append_at(shorter, command);
    const Append* const second = append_at(shorter, command + 1);
    if (first == nullptr || second == nullptr) return std::nullopt;
    for (std::size_t r = 0; r < first->rows.size(); ++r) {
        first->rows[r].insert(first->rows[r].end(), second->rows[r].begin(), second->rows[r].end());
    }
    return repaired(without_commands(shorter, command + 1, command + 2));
}

/// Removes tokens [begin, end) of one command, in one row or (row < 0) in all.
std::optional<Case> without_tokens(const Case& base, std::size_t command, Index row, Index begin,
                                   Index end) {
    Case shorter = base;
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

/// Fewer tokens of the append that is command n.
void add_simpler(const Append& append, const Shared& base, std::size_t n,
                 std::vector<Candidate>& list) {
    const Index most = count_max(append);
    const auto add = [&](Index row, Index begin, Index end) {
        list.emplace_back([=] { return without_tokens(*base, n, row, begin, end); });
    };
    for (const Index size : piece_sizes(most)) {
        for (Index t = 0; t < most; t += size) add(-1, t, t + size);
    }
    if (append.rows.size() < 2) return;
    for (std::size_t r = 0; r < append.rows.size(); ++r) {
        const Index count = Index(append.rows[r].size());
        if (count > 1) add(Index(r), 0, count);
        for (Index t = 0; t < count; ++t) add(Index(r), t, t + 1);
    }
}

/// Only what follows the reset that is command n, only what is before it, and a reset of all rows
/// in place of one.
void add_simpler(const Reset& reset, const Shared& base, std::size_t n,
                 std::vector<Candidate>& list) {
    const std::size_t commands = base->program.size();
    list.emplace_back([=] { return repaired(without_commands(*base, 0, n + 1)); });
    list.emplace_back([=] { return repaired(without_commands(*base, n, commands)); });
    if (!reset.row) return;
    list.emplace_back([=] {
        Case plainer = *base;
        plainer.program[n] = Reset{};
        return repaired(std::move(plainer));
    });
}

}  // namespace

void add_simpler_programs(const Shared& base, std::vector<Candidate>& list) {
    const std::size_t commands = base->program.size();
    const auto add_simpler_commands = [&](bool appends) {
        for (std::size_t n = 0; n < commands; ++n) {
            const Command& command = base->program[n];
            if (std::holds_alternative<Append>(command) != appends) continue;
            std::visit([&](const auto& one) { add_simpler(one, base, n, list); }, command);
        }
    };
    add_simpler_commands(false);
    list.emplace_back([=] { return all_merged(*base); });
    for (const Index size : piece_sizes(Index(commands))) {
        for (std::size_t n = 0; n < commands; n += std::size_t(size)) {
            const std::size_t end = std::min(commands, n + std::size_t(size));
            list.emplace_back([=] { return repaired(without_commands(*base, n, end)); });
        }
    }
    for (std::size_t n = 0; n + 1 < commands; ++n) {
        list.emplace_back([=] { return merged(*base, n); });
    }
    for (Index row = 0; row < base->spec.rows && base->spec.rows > 1; ++row) {
        list.emplace_back([=] {
            std::vector<Index> kept;
            for (Index r = 0; r < base->spec.rows; ++r) {
                if (r != row) kept.push_back(r);
            }
            return std::optional(with_rows(*base, kept));
        });
    }
    add_simpler_commands(true);
}

}  // namespace kvcheck
