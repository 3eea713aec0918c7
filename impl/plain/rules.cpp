// SPDX-License-Identifier: Apache-2.0
// The right decisions (declared in rules.hpp).
#include "impl/plain/rules.hpp"

#include "impl/plain/storage.hpp"

#include <algorithm>
#include <cmath>

namespace kvcheck {

Index ancestors(const TokenPlace& token, bool only_real, Index first) {
    if (!token.is_in_tree()) {
        if (!only_real) return std::max<Index>(token.slot() - first, 0);
        const Index end = std::max(token.slot(), first);
        return std::count(token.real.begin() + first, token.real.begin() + end, true);
    }
    Index count = 0;
    for (Index slot = token.parent(); slot >= first; slot = token.parents[std::size_t(slot)]) {
        if (!only_real || token.real[std::size_t(slot)]) ++count;
    }
    return count;
}

bool PlainRules::sees(const TokenPlace& query, Index key) const {
    return key <= query.slot() && is_on_path(query, key) && query.real[std::size_t(key)] &&
           !is_evicted(query, key) && in_window(query, key);
}

bool PlainRules::is_on_path(const TokenPlace& query, Index key) const {
    if (!query.is_in_tree()) return key <= query.slot();
    Index slot = query.slot();
    while (slot > key) slot = query.parents[std::size_t(slot)];
    return slot == key;
}

bool PlainRules::is_evicted(const TokenPlace& query, Index key) const {
    return key < Index(query.evicted.size()) && query.evicted[std::size_t(key)];
}

bool PlainRules::in_window(const TokenPlace& query, Index key) const {
    const Spec& spec = query.spec;
    const TokenPlace token = query.at(key);
    if (!spec.window || ancestors(query, false) - ancestors(token, false) < *spec.window) {
        return true;
    }
    return ancestors(token, true) < spec.anchors.value_or(0);
}

Index PlainRules::kv_head(const Spec& spec, Index query_head) const {
    return query_head / (spec.query_heads / spec.kv_heads);
}

std::optional<float> PlainRules::softcap(const TokenPlace& query, float) const {
    return query.spec.softcap;
}

float PlainRules::score_offset(const TokenPlace&, Index) const { return 0; }

double PlainRules::bias(const TokenPlace& query, Index key, float slope) const {
    const PositionIds ids = query.spec.position_ids;
    return -double(slope) * double(position_id(query, ids) - position_id(query.at(key), ids));
}

std::optional<float> PlainRules::sink(float given) const { return given; }

double PlainRules::log_sum_exp(double largest, double sum) const { return largest + std::log(sum); }

bool PlainRules::sums_hidden(const TokenPlace&, Index) const { return false; }

Index PlainRules::entry_of(Index query_head) const { return query_head; }

Index PlainRules::position_id(const TokenPlace& token, PositionIds ids) const {
    return ancestors(token, ids == PositionIds::visible_count);
}

std::optional<Lifecycle> PlainRules::carried_out(const Lifecycle& command) const { return command; }

bool PlainRules::copies_a_fork() const { return true; }

bool PlainRules::copies_evictions() const { return true; }

SavedSlots PlainRules::saved(const Spec&, SavedSlots row) const { return row; }

PlainRotation PlainRules::rotation(const Spec& spec) const {
    return {spec.rotary, spec.turned_width()};
}

Index PlainRules::key_id(const TokenPlace& token, PositionIds ids) const {
    return position_id(token, ids);
}

double PlainRules::stored(Storage storage, Stored, double number) const {
    return narrowed(storage, number);
}

double PlainRules::int8_size(Stored, const Int8Sizes& sizes) const { return sizes.own; }

double PlainRules::int8_code(Stored, double quotient) const { return std::nearbyint(quotient); }

Storage PlainRules::sums(const Spec&) const { return Storage::element; }

}  // namespace kvcheck
