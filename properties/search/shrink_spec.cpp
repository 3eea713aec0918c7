// SPDX-License-Identifier: Apache-2.0
// Plainer conventions: simpler values of the spec's fields, no spare room, real tokens instead of
// padding, nearer parents.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "model/quarter_turns.hpp"
#include "model/splits.hpp"
#include "model/types/spec_fields.hpp"
#include "model/walk.hpp"
#include "properties/search/shrink.hpp"

namespace kvcheck {
namespace {

using Shared = std::shared_ptr<const Case>;

/// Ids may have changed, and with them how far a row can be shifted.
std::optional<Case> repaired(Case test_case) {
    if (!repair(test_case)) return std::nullopt;
    return test_case;
}

std::optional<Case> changed(const Case& base, void (*change)(Case&)) {
    Case plainer = base;
    change(plainer);
    if (plainer == base) return std::nullopt;
    return repaired(std::move(plainer));
}

void no_offsets(Case& test_case) {
    for_each_append(test_case,
                    [](Index, Append& append, const CacheState&) { append.query_offset.reset(); });
}

void no_spare_slots(Case& test_case) {
    test_case.spec.capacity = std::min(test_case.spec.capacity, longest_row(test_case));
}

void no_spare_positions(Case& test_case) {
    Index needed = 1;
    for_each_end(test_case, [&](const CacheState& state, Index row) {
        const auto& last = state.row(row).last();
        if (last) needed = std::max(needed, unshifted_id(test_case.spec.position_ids, *last) + 1);
        if (state.row(row).shift() > 0) needed = std::max(needed, turns_period);
    });
    const auto cut = [&](std::vector<float>& table, Index width) {
        table.resize(std::min(table.size(), std::size_t(needed * width)));
    };
    cut(test_case.parameters.position_table, test_case.spec.model_width);
    cut(test_case.parameters.rotary_table, test_case.spec.turned_width());
}

/// The case with another value of one field; parameters that it leaves without a use go.
template <class Value>
Case with_convention(const Case& base, const SpecField& field, const Value& simpler) {
    Case plainer = base;
    for_each_field(plainer.spec, [&](const SpecField& other, auto& value) {
        if constexpr (std::is_same_v<std::remove_reference_t<decltype(value)>, Value>) {
            if (&other == &field) value = simpler;
        }
    });
    if constexpr (std::is_same_v<Value, Rotary>) {
        if (simpler == Rotary::none) plainer.spec.rotary_width.reset();
    }
    widen_rotary_table(base.spec, plainer.spec, plainer.parameters);
    drop_what_the_spec_lacks(plainer.spec, plainer.parameters);
    return plainer;
}

/// Every simpler value of every convention.
void add_simpler_conventions(const Shared& base, Candidates& list) {
    for_each_field(base->spec, [&](const SpecField& field, const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (is_convention<Value>) {
            for (const Value simpler : simpler_values(value)) {
                // Lower values of a shape are shrink_shape.cpp's.
                if (field.is_shape && !(simpler == Value{})) continue;
                list.add([base, &field, simpler] {
                    return std::optional(with_convention(*base, field, simpler));
                });
            }
        }
    });
}

void make_real(Token& token) {
    token.real = true;
    for (float& number : token.input) {
        if (!std::isfinite(number)) number = 0;
    }
}

void no_padding(Case& test_case) {
    for_each_token(test_case, [](const TokenSite&, Token& token) {
        if (!token.real) make_real(token);
    });
}

void no_branches(Case& test_case) {
    for_each_token(test_case, [](const TokenSite&, Token& token) { token.back = 1; });
}

std::optional<Case> with_parent(const Case& base, const TokenSite& site, Index back) {
    Case plainer = base;
    std::get<Append>(plainer.program[std::size_t(site.command)])
        .rows[std::size_t(site.row)][std::size_t(site.index)]
        .back = back;
    return repaired(std::move(plainer));
}

std::optional<Case> with_real_token(const Case& base, const TokenSite& site) {
    Case plainer = base;
    make_real(std::get<Append>(plainer.program[std::size_t(site.command)])
                  .rows[std::size_t(site.row)][std::size_t(site.index)]);
    return repaired(std::move(plainer));
}

}  // namespace

void add_simpler_specs(const Shared& base, Candidates& list) {
    list.begin_pass();
    for (const auto change :
         {no_offsets, no_spare_slots, no_spare_positions, no_padding, no_branches}) {
        list.add([=] { return changed(*base, change); });
    }
    list.begin_pass();
    add_simpler_conventions(base, list);
    list.begin_pass();
    for_each_token(*base, [&](const TokenSite& site, const Token& token) {
        if (token.real) return;
        list.mark(site.command, site.row, site.index);
        list.add([=] { return with_real_token(*base, site); });
    });
    list.begin_pass();
    for_each_token(*base, [&](const TokenSite& site, const Token& token) {
        if (token.back == 1) return;
        list.mark(site.command, site.row, site.index);
        list.add([=] { return with_parent(*base, site, 1); });
        if (token.back == 2) return;
        list.add([=] { return with_parent(*base, site, token.back - 1); });
    });
}

}  // namespace kvcheck
