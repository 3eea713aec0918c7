// SPDX-License-Identifier: Apache-2.0
// Clauses 10 and 12: a command for a row that is not there, a length or slots that a row does not
// have, no source at all: refused, and the state stays as it was. Numbers that look right once
// their upper bits are cut off are among them. Only commands that the subject declares are given.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/commands/command_json.hpp"
#include "model/types/assert.hpp"
#include "properties/catalogue.hpp"
#include "properties/claims/refusals.hpp"

namespace kvcheck {
namespace {

constexpr Index cut_to_32_bits = Index{1} << 32;

std::vector<Command> wrong_commands(const CacheState& state) {
    std::vector<Command> commands;
    const Index rows = state.row_count();
    for (const Index row : {Index{-1}, rows, cut_to_32_bits}) {
        commands.insert(commands.end(),
                        {Reset{row}, Truncate{0, row}, Fork{row}, Finish{row}, Evict{row, 0, 1},
                         Shift{row, 0}, Publish{row, 0}, Reuse{row, 0, 1}});
        Reorder reorder;
        for (Index r = 0; r + 1 < rows; ++r) reorder.sources.push_back(r);
        reorder.sources.push_back(row);
        commands.emplace_back(reorder);
    }
    commands.emplace_back(Reorder{});
    for (Index r = 0; r < rows; ++r) {
        const Index length = state.row(r).length();
        for (const Index wrong : {Index{-1}, length + 1, length + cut_to_32_bits}) {
            commands.insert(commands.end(), {Truncate{wrong, r}, Evict{r, 0, wrong}});
        }
        commands.insert(commands.end(), {Truncate{length + 1, std::nullopt}, Evict{r, 0, 0},
                                         Evict{r, -1, length}, Evict{r, length, length + 1}});
        const Index lowest = std::max<Index>(state.row(r).lowest_id(state.position_ids()), 0);
        for (const Index by : {Index{-1}, lowest + 1, cut_to_32_bits})
            commands.emplace_back(Shift{r, by});
        for (const Command& command : {Command(Publish{r, 0}), Command(Reuse{r, 0, length})}) {
            // Of an empty row there is nothing to be asked for by a key.
            if (length > 0 && !state.objection(command).empty()) commands.push_back(command);
        }
    }
    return commands;
}

}  // namespace

Verdict wrong_command_is_refused(Subject& subject, const Case& test_case, Oracle& oracle) {
    const FeatureSet& features = subject.capabilities().features;
    return judge_refusals(
        subject, test_case, oracle, [&](const CacheState& state, const Append& next) {
            std::vector<WrongCall> calls;
            for (const Command& command : wrong_commands(state)) {
                if (!features.has_all(features_of(command))) continue;
                KVCHECK_ASSERT(!state.objection(command).empty());
                WrongCall& call = calls.emplace_back(WrongCall{next, {}, command});
                call.damage.what =
                    std::string(name_of(command)) + " " + fields_json(command).dump();
            }
            return calls;
        });
}

}  // namespace kvcheck
