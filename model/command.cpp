// SPDX-License-Identifier: Apache-2.0
// What is asked of any command (declared in command.hpp), answered by each one's own file.
#include "model/command.hpp"

#include "model/commands/evict.hpp"
#include "model/commands/finish.hpp"
#include "model/commands/fork.hpp"
#include "model/commands/reload.hpp"
#include "model/commands/reorder.hpp"
#include "model/commands/reset.hpp"
#include "model/commands/shift.hpp"
#include "model/commands/truncate.hpp"

namespace kvcheck {

std::string_view name_of(const Command& command) {
    return std::visit([](const auto& one) { return one.name; }, command);
}

FeatureSet features_of(const Command& command) {
    return std::visit([](const auto& one) { return needed_by(one); }, command);
}

std::optional<Command> with_rows(const Command& command, const std::vector<Index>& rows) {
    return std::visit(
        [&](const auto& one) -> std::optional<Command> { return for_rows(one, rows); }, command);
}

}  // namespace kvcheck
