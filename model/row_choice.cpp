// SPDX-License-Identifier: Apache-2.0
// Choosing rows (declared in row_choice.hpp).
#include "model/row_choice.hpp"

#include "model/commands/place_in.hpp"

namespace kvcheck {

std::optional<Command> RowChoice::follow(const Command& command, Index row_count) {
    std::optional<Command> part = with_rows(command, rows_);
    if (const auto* reorder = std::get_if<Reorder>(&command)) {
        std::vector<Index> rows;
        for (std::size_t r = 0; r < reorder->sources.size(); ++r) {
            if (place_in(rows_, reorder->sources[r])) rows.push_back(Index(r));
        }
        rows_ = std::move(rows);
    }
    const auto* fork = std::get_if<Fork>(&command);
    if (fork != nullptr && place_in(rows_, fork->row)) rows_.push_back(row_count);
    return part;
}

void RowChoice::follow_from(std::size_t begin, const Case& test_case, Index row_count,
                            Case& chosen) {
    for (std::size_t n = begin; n < test_case.program.size() && !rows_.empty(); ++n) {
        const Command& command = test_case.program[n];
        if (auto part = follow(command, row_count)) chosen.program.push_back(std::move(*part));
        row_count = rows_after(command, row_count);
    }
}

std::vector<std::vector<Index>> rows_through(const Case& test_case,
                                             const std::vector<Index>& rows) {
    std::vector<std::vector<Index>> chosen;
    RowChoice choice(rows);
    Index row_count = test_case.spec.rows;
    for (const Command& command : test_case.program) {
        chosen.push_back(choice.rows());
        choice.follow(command, row_count);
        row_count = rows_after(command, row_count);
    }
    return chosen;
}

bool stands_alone(const Case& test_case, const std::vector<Index>& rows) {
    const std::vector<std::vector<Index>> own = rows_through(test_case, rows);
    bool others_publish = false;
    for (std::size_t n = 0; n < test_case.program.size(); ++n) {
        const Command& command = test_case.program[n];
        const auto* const publish = std::get_if<Publish>(&command);
        others_publish = others_publish || (publish != nullptr && !place_in(own[n], publish->row));
        const auto* const reuse = std::get_if<Reuse>(&command);
        if (reuse != nullptr && others_publish && place_in(own[n], reuse->row)) return false;
    }
    return true;
}

Case with_rows(const Case& test_case, const std::vector<Index>& rows) {
    Case chosen{test_case.spec, test_case.parameters, {}};
    chosen.spec.rows = Index(rows.size());
    RowChoice(rows).follow_from(0, test_case, test_case.spec.rows, chosen);
    return chosen;
}

}  // namespace kvcheck
