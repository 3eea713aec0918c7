// SPDX-License-Identifier: Apache-2.0
// Rows as tables (declared in row_table.hpp).
#include "properties/drive/row_table.hpp"

#include "model/rules.hpp"
#include "model/types/arrays.hpp"

namespace kvcheck {

RowTable row_table_of(const Output& output, const Spec& spec, int digits) {
    const Observation& seen = output.seen();
    const TokenTruth& truth = output.truth();
    RowTable table;
    const Rules<double> rules;
    const Node& query = seen.token();
    const std::vector<const Node*> path = path_of(query);
    const auto sees = [&](const Node& token) {
        const bool is_ancestor =
            token.depth <= query.depth && path[std::size_t(token.depth)] == &token;
        return is_ancestor && rules.sees(spec, query, token);
    };
    table.row = seen.row;
    table.slot = seen.slot();
    for (const Node* const token : seen.history.tokens()) {
        RowTable::Key& key = table.keys.emplace_back();
        key.slot = token->slot;
        key.real = token->token.real;
        key.visible = sees(*token);
        if (spec.has_positions()) {
            key.position_id = position_id(spec.position_ids, *token);
        }
    }
    const std::size_t slots = seen.weights.empty() ? 0 : seen.weights.front().size();
    while (table.keys.size() < slots) {
        table.keys.push_back({.slot = Index(table.keys.size()), .later = true});
    }
    for (std::size_t head = 0; head < truth.weights.size(); ++head) {
        RowTable::Head& one = table.heads.emplace_back();
        one.head = Index(head);
        one.right = weights_by_slot(truth.weights[head], query);
        if (head < seen.weights.size()) one.seen = seen.weights[head];
    }
    for (std::size_t i = 0; i < truth.output.size() && i < seen.output.size(); ++i) {
        const Answer& right = truth.output[i];
        const double ratio = deviation_of(seen.output[i], right, digits).ratio;
        table.output.push_back({right, seen.output[i], ratio});
    }
    table.has_sink = spec.sinks;
    table.heads_of_output = extent_of(output_array(spec.level).axis, spec).heads;
    return table;
}

}  // namespace kvcheck
