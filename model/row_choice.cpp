// SPDX-License-Identifier: Apache-2.0
// Choosing rows (declared in row_choice.hpp).
#include "model/row_choice.hpp"

namespace kvcheck {

Case with_rows(const Case& test_case, const std::vector<Index>& rows) {
    Case chosen{test_case.spec, test_case.parameters, {}};
    chosen.spec.rows = Index(rows.size());
    for (const Command& command : test_case.program) {
        if (auto part = with_rows(command, rows)) chosen.program.push_back(std::move(*part));
    }
    return chosen;
}

}  // namespace kvcheck
