// SPDX-License-Identifier: Apache-2.0
// Plainer conventions: the defaults of the spec, no spare room, real tokens instead of padding.
#include <algorithm>
#include <cmath>

#include "model/cache_state.hpp"
#include "properties/search/shrink.hpp"

namespace kvcheck {
namespace {

using Shared = std::shared_ptr<const Case>;

std::optional<Case> with_spec(const Case& value, void (*change)(Case&)) {
    Case plainer = value;
    change(plainer);
    if (plainer == value) return std::nullopt;
    return plainer;
}

void unspecified_padded_queries(Case& value) { value.spec.padded_query = PaddedQuery::unspecified; }

void zero_dead_rows(Case& value) { value.spec.dead_row = DeadRow::zeros; }

void default_scale(Case& value) { value.spec.scale.reset(); }

void ids_by_slot(Case& value) { value.spec.position_ids = PositionIds::slot; }

void no_positions(Case& value) {
    value.spec.position_signal = PositionSignal::none;
    value.parameters.position_table.clear();
}

void learned_positions(Case& value) {
    if (value.spec.position_signal == PositionSignal::sinusoidal) {
        value.spec.position_signal = PositionSignal::learned;
    }
}

void no_biases(Case& value) {
    value.spec.biases = false;
    for (Projection* projection : {&value.parameters.query, &value.parameters.key,
                                   &value.parameters.value, &value.parameters.output}) {
        projection->bias.clear();
    }
}

void no_offsets(Case& value) {
    for (Command& command : value.program) {
        if (auto* append = std::get_if<Append>(&command)) append->query_offset.reset();
    }
}

void no_spare_slots(Case& value) {
    Index longest = 0;
    for (const Epoch& epoch : history_of(value)) {
        for (const RowTokens& row : epoch) longest = std::max(longest, Index(row.size()));
    }
    value.spec.capacity = std::min(value.spec.capacity, longest);
}

void no_spare_positions(Case& value) {
    Index needed = 1;
    for (const Epoch& epoch : history_of(value)) {
        for (const RowTokens& row : epoch) {
            RowState state(value.spec.position_ids);
            for (const Token& token : row) {
                needed = std::max(needed, state.position_id(state.length()) + 1);
                state.append(token.real);
            }
        }
    }
    auto& table = value.parameters.position_table;
    table.resize(std::min(table.size(), std::size_t(needed * value.spec.model_width)));
}

std::optional<Case> with_real_token(const Case& value, std::size_t command, std::size_t row,
                                    std::size_t index) {
    Case plainer = value;
    Token& token = std::get<Append>(plainer.program[command]).rows[row][index];
    token.real = true;
    for (float& number : token.input) {
        if (!std::isfinite(number)) number = 0;
    }
    return plainer;
}

}  // namespace

void add_simpler_specs(const Shared& value, std::vector<Candidate>& list) {
    for (const auto change :
         {no_offsets, no_spare_slots, no_spare_positions, no_positions, learned_positions,
          ids_by_slot, no_biases, default_scale, unspecified_padded_queries, zero_dead_rows}) {
        list.emplace_back([=] { return with_spec(*value, change); });
    }
    for (std::size_t n = 0; n < value->program.size(); ++n) {
        const auto* append = std::get_if<Append>(&value->program[n]);
        if (append == nullptr) continue;
        for (std::size_t r = 0; r < append->rows.size(); ++r) {
            for (std::size_t t = 0; t < append->rows[r].size(); ++t) {
                if (append->rows[r][t].real) continue;
                list.emplace_back([=] { return with_real_token(*value, n, r, t); });
            }
        }
    }
}

}  // namespace kvcheck
