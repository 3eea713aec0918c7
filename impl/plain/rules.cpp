// SPDX-License-Identifier: Apache-2.0
// The right decisions (declared in rules.hpp).
#include "impl/plain/rules.hpp"

#include "impl/plain/storage.hpp"

#include <algorithm>

namespace kvcheck {
bool PlainRules::sees(const TokenPlace& query, Index key) const {
    return key <= query.slot() && query.real[std::size_t(key)] && !is_evicted(query, key) &&
           in_window(query, key);
}

bool PlainRules::is_evicted(const TokenPlace& query, Index key) const {
    return key < Index(query.evicted.size()) && query.evicted[std::size_t(key)];
}

bool PlainRules::in_window(const TokenPlace& query, Index key) const {
    const Spec& spec = query.spec;
    if (!spec.window || query.slot() - key < *spec.window) return true;
    return std::count(query.real.begin(), query.real.begin() + key, true) <
           spec.anchors.value_or(0);
}

std::optional<float> PlainRules::softcap(const Spec& spec, float) const { return spec.softcap; }

float PlainRules::score_offset(const TokenPlace&, Index) const { return 0; }

double PlainRules::bias(const TokenPlace& query, Index key, float slope) const {
    const TokenPlace token{query.spec, key, 0, query.real, query.evicted};
    const PositionIds ids = query.spec.position_ids;
    return -double(slope) * double(position_id(query, ids) - position_id(token, ids));
}

std::optional<float> PlainRules::sink(float given) const { return given; }

Index PlainRules::entry_of(Index query_head) const { return query_head; }

Index PlainRules::position_id(const TokenPlace& token, PositionIds ids) const {
    if (ids == PositionIds::slot) return token.slot();
    return std::count(token.real.begin(), token.real.begin() + token.slot(), true);
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
