// SPDX-License-Identifier: Apache-2.0
// Clauses 5, 7, 12 and 16: every extent of every array one too high and one too low, alone and
// together with those it must agree with; a count outside the call; the other element type, of one
// array or of all; a token beyond the capacity or the position table; a parent that is not there.
// The memory behind a wrong view is large enough for the right one and for the wrong one.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/cache_state.hpp"
#include "properties/catalogue.hpp"
#include "properties/claims/refusals.hpp"

namespace kvcheck {
namespace {

using Extents = std::vector<std::pair<Role, std::size_t>>;

std::string names_of(const Extents& extents) {
    std::string names;
    for (const auto& [array, dimension] : extents) {
        if (!names.empty()) names += " and ";
        names += name_of(array);
    }
    return names;
}

/// Extents that have to agree among themselves, and here do, with a wrong number.
std::vector<Extents> agreeing(Level level) {
    constexpr std::size_t heads = 2;
    constexpr std::size_t width = 3;
    if (level == Level::layer) return {{{Role::x, 2}, {Role::output, 2}}};
    return {{{Role::key, heads}, {Role::value, heads}},
            {{Role::query, heads}, {Role::output, heads}},
            {{Role::query, width}, {Role::key, width}},
            {{Role::value, width}, {Role::output, width}}};
}

const TokenArray& array_of(Role role, Level level) {
    const auto& arrays = call_arrays(level);
    return *std::find_if(arrays.begin(), arrays.end(),
                         [&](const TokenArray& array) { return array.role == role; });
}

void add_wrong_shapes(std::vector<WrongCall>& calls, const Spec& spec, const Append& next) {
    static const std::array<const char*, 4> dimensions = {"rows", "tokens", "heads", "width"};
    const auto add = [&](const Extents& extents, Index rows) {
        const auto& [first, dimension] = extents.front();
        const Shape shape = call_shape(array_of(first, spec.level), spec, count_max(next));
        const Index extent = shape.extent[dimension];
        const bool last = dimension + 1 == std::size_t(shape.rank);
        for (const Index change : {Index{-1}, Index{1}}) {
            Damage damage;
            damage.what = fmt::format("the {} of {} is {} where the spec says {}",
                                      dimensions[last ? 3 : dimension], names_of(extents),
                                      extent + change, extent);
            if (dimension == 1) {
                damage.what = fmt::format("{} has {} tokens in a call for {}", name_of(first),
                                          extent + change, extent);
            }
            damage.rows = change * rows;
            for (const auto& [array, place] : extents) {
                damage.extents.push_back({array, place, change});
            }
            calls.push_back({next, damage});
        }
    };
    Extents rows;
    for (const TokenArray& array : call_arrays(spec.level)) {
        rows.emplace_back(array.role, 0);
        const Shape shape = call_shape(array, spec, count_max(next));
        for (std::size_t dimension = 0; dimension < std::size_t(shape.rank); ++dimension) {
            add({{array.role, dimension}}, 0);
        }
    }
    add(rows, 1);
    for (const Extents& extents : agreeing(spec.level)) add(extents, 0);
}

void add_wrong_types(std::vector<WrongCall>& calls, const Spec& spec, const Append& next) {
    Damage all;
    all.what = "every array has the other element type";
    for (const TokenArray& array : call_arrays(spec.level)) {
        all.other_type.push_back(array.role);
        Damage one;
        one.what = fmt::format("{} has the other element type", name_of(array.role));
        one.other_type = {array.role};
        calls.push_back({next, one});
    }
    calls.push_back({next, all});
}

void add_wrong_counts(std::vector<WrongCall>& calls, const Append& next) {
    constexpr Index cut_to_32_bits = Index{1} << 32;
    constexpr Index cut_to_48_bits = Index{1} << 48;
    for (Index row = 0; row < Index(next.rows.size()); ++row) {
        const Index right = Index(next.rows[std::size_t(row)].size());
        for (const Index count :
             {Index{-1}, count_max(next) + 1, right + cut_to_32_bits, right + cut_to_48_bits}) {
            Damage damage;
            damage.what = fmt::format("the count of row {} is {} in a call for {} tokens", row,
                                      count, count_max(next));
            damage.count = {row, count};
            calls.push_back({next, damage});
        }
    }
}

/// The first token of a row gets a parent that is not there.
void add_wrong_parents(std::vector<WrongCall>& calls, const CacheState& state, const Append& next) {
    constexpr Index cut_to_32_bits = Index{1} << 32;
    for (Index row = 0; row < Index(next.rows.size()); ++row) {
        if (next.rows[std::size_t(row)].empty()) continue;
        const Index length = state.row(row).length();
        for (const Index back : {Index{0}, Index{-1}, length + 2, 1 + cut_to_32_bits}) {
            Damage damage;
            damage.what = fmt::format("the token in slot {} of row {} has its parent {} slots back",
                                      length, row, back);
            damage.back = {row, back};
            calls.push_back({next, damage});
        }
    }
}

/// One row is given as many copies of a token as would first break the contract. Beyond its
/// capacity a subject may declare to do something else.
void add_overfull(std::vector<WrongCall>& calls, const Case& test_case, const CacheState& state,
                  const Append& next, const FeatureSet& features) {
    const bool refuses =
        !features.has_any({Feature::capacity_unbounded, Feature::capacity_evicted});
    constexpr Index copies_max = 64;
    for (std::size_t r = 0; r < next.rows.size(); ++r) {
        if (next.rows[r].empty()) continue;
        // The other rows get what they would get: a refusal must leave no trace in them either.
        Append overfull;
        overfull.rows = next.rows;
        overfull.rows[r].clear();
        // Those that are full themselves get nothing.
        if (!state.objection(overfull).empty()) overfull.rows.assign(overfull.rows.size(), {});
        Token token = next.rows[r].front();
        token.real = true;
        for (float& number : token.input) number = 1;
        while (state.objection(overfull).empty() && Index(overfull.rows[r].size()) <= copies_max) {
            overfull.rows[r].push_back(token);
        }
        const std::string objection = state.objection(overfull);
        if (objection.empty()) continue;
        const Index length = state.row(Index(r)).length() + Index(overfull.rows[r].size());
        if (length > state.capacity() && !refuses) continue;
        Damage damage;
        damage.what =
            fmt::format("{} (capacity {}, positions {})", objection, test_case.spec.capacity,
                        position_count(test_case.spec, test_case.parameters));
        calls.push_back({overfull, damage});
    }
}

}  // namespace

Verdict wrong_call_is_refused(Subject& subject, const Case& test_case, Oracle& oracle) {
    const FeatureSet features = subject.capabilities().features;
    return judge_refusals(subject, test_case, oracle,
                          [&](const CacheState& state, const Append& next) {
                              std::vector<WrongCall> calls;
                              Spec spec = test_case.spec;
                              spec.rows = state.row_count();
                              if (count_max(next) > 0) {
                                  add_wrong_shapes(calls, spec, next);
                                  add_wrong_types(calls, spec, next);
                                  add_wrong_counts(calls, next);
                                  if (features.has(Feature::tree)) {
                                      add_wrong_parents(calls, state, next);
                                  }
                              }
                              if (features.has(Feature::unequal_counts) || spec.rows == 1) {
                                  add_overfull(calls, test_case, state, next, features);
                              }
                              return calls;
                          });
}

}  // namespace kvcheck
