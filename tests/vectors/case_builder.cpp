// SPDX-License-Identifier: Apache-2.0
#include "tests/vectors/case_builder.hpp"

#include <algorithm>

namespace kvcheck::vectors {

CaseBuilder::CaseBuilder(const OnnxCase& onnx, const char* way, Index queries_per_row)
    : onnx_(onnx),
      heads_agree_(onnx.heads_agree()),
      adds_numbers_(onnx.adds_numbers()),
      heads_(onnx.key_width(), adds_numbers_ ? queries_per_row : 0) {
    said_.way = way;
    added_.query_offset.emplace();
    Spec& spec = said_.test_case.spec;
    spec.rows = 0;
    spec.query_heads = heads_agree_ ? onnx.query_heads() : 1;
    spec.kv_heads = heads_agree_ ? onnx.kv_heads() : 1;
    spec.key_width = heads_.width();
    spec.value_width = onnx.value_width();
    spec.capacity = onnx.keys();
    spec.scale = onnx.scale;
    if (onnx.softcap != 0) spec.softcap = onnx.softcap;
    spec.dead_row = DeadRow::zeros;  // ONNX has this convention, too
}

void CaseBuilder::add(const BuiltRow& row) {
    for (Index head = 0; head < (heads_agree_ ? 1 : onnx_.query_heads()); ++head) {
        const std::vector<Token> tokens = tokens_of(row, head);
        const Index past = std::min(onnx_.past, row.length);
        past_.rows.emplace_back(tokens.begin(), tokens.begin() + past);
        added_.rows.emplace_back(tokens.begin() + past, tokens.end());
        added_.query_offset->push_back(past);
        ++said_.test_case.spec.rows;
    }
}

Said CaseBuilder::finish() {
    if (onnx_.past > 0) said_.test_case.program.emplace_back(std::move(past_));
    said_.test_case.program.emplace_back(std::move(added_));
    return std::move(said_);
}

std::vector<Token> CaseBuilder::tokens_of(const BuiltRow& row, Index head) {
    const BuiltRow::Seat& last = row.seats.back();
    std::vector<Token> tokens(std::size_t(row.length));
    for (Index slot = 0; slot < row.length; ++slot) {
        Token& token = tokens[std::size_t(slot)];
        // Nobody reaches a key behind the last query; of the others, all who reach it agree.
        token.real = slot > last.slot || onnx_.sees(row.onnx_row, head, last.query, slot);
        token.input.assign(std::size_t(said_.test_case.spec.input_size()), 0);
        write_keys(row, head, slot, token);
    }
    seat_queries(row, head, tokens);
    return tokens;
}

void CaseBuilder::write_keys(const BuiltRow& row, Index head, Index slot, Token& token) const {
    const Spec& spec = said_.test_case.spec;
    float* key = token.input.data() + spec.query_size();
    float* value = key + spec.key_size();
    const Index first = head / (onnx_.query_heads() / onnx_.kv_heads());
    for (Index kv_head = first; kv_head < first + spec.kv_heads; ++kv_head) {
        heads_.write_key(onnx_.key.innermost(row.onnx_row, kv_head, slot), key);
        for (std::size_t n = 0; adds_numbers_ && n < row.seats.size(); ++n) {
            const Index query = row.seats[n].query;
            if (!onnx_.sees(row.onnx_row, head, query, slot)) continue;
            heads_.write_number(onnx_.bias(row.onnx_row, head, query, slot), Index(n), key);
        }
        std::copy_n(onnx_.value.innermost(row.onnx_row, kv_head, slot), spec.value_width, value);
        key += spec.key_width;
        value += spec.value_width;
    }
}

void CaseBuilder::seat_queries(const BuiltRow& row, Index head, std::vector<Token>& tokens) {
    Spec& spec = said_.test_case.spec;
    for (std::size_t n = 0; n < row.seats.size(); ++n) {
        const BuiltRow::Seat& seat = row.seats[n];
        Token& token = tokens[std::size_t(seat.slot)];
        // A masked key must stay invisible to the query that stands in its slot.
        if (!token.real) spec.padded_query = PaddedQuery::computed;
        for (Index h = 0; h < spec.query_heads; ++h) {
            const Index onnx_head = head + h;
            heads_.write_query(onnx_.query.innermost(row.onnx_row, onnx_head, seat.query), Index(n),
                               &token.input[std::size_t(h * spec.key_width)]);
            said_.places.push_back({std::size_t(spec.rows), std::size_t(seat.slot), std::size_t(h),
                                    row.onnx_row, onnx_head, seat.query});
        }
    }
}

}  // namespace kvcheck::vectors
