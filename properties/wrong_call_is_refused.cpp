// SPDX-License-Identifier: Apache-2.0
// Clauses 5, 7 and 12: every extent one too high and one too low, a count outside the call, the
// other element type, a token beyond the capacity or the position table. The memory behind a wrong
// view is large enough for the right one and for the wrong one.
#include <fmt/format.h>

#include "model/cache_state.hpp"
#include "properties/catalogue.hpp"
#include "properties/refusals.hpp"

namespace kvcheck {
namespace {

void add_wrong_shapes(std::vector<WrongCall>& calls, const Spec& spec, const Append& next) {
    const auto add = [&](const char* name, Index extent, Index Damage::*member, Index least) {
        for (const Index change : {Index{-1}, Index{1}}) {
            if (extent + change < least) continue;
            Damage damage;
            damage.what =
                fmt::format("{} is {} where the spec says {}", name, extent + change, extent);
            damage.*member = change;
            calls.push_back({next, damage});
        }
    };
    add("the number of rows", spec.rows, &Damage::rows, 0);
    if (spec.level == Level::layer) {
        add("the width of x", spec.model_width, &Damage::model_width, 0);
        add("the width of the output", spec.model_width, &Damage::output_width, 0);
    } else {
        add("the number of query heads", spec.query_heads, &Damage::query_heads, 0);
        add("the number of key and value heads", spec.kv_heads, &Damage::kv_heads, 0);
        add("the width of query and key", spec.key_width, &Damage::key_width, 0);
        add("the width of value", spec.value_width, &Damage::value_width, 0);
        add("the width of the output", spec.value_width, &Damage::output_width, 0);
    }
    Damage type;
    type.what = "the inputs have the other element type";
    type.other_type = true;
    calls.push_back({next, type});
}

void add_wrong_counts(std::vector<WrongCall>& calls, const Append& next) {
    for (const Index count : {Index{-1}, count_max(next) + 1}) {
        Damage damage;
        damage.what =
            fmt::format("the count of row 0 is {} in a call for {} tokens", count, count_max(next));
        damage.count_of_row_0 = count;
        calls.push_back({next, damage});
    }
}

/// One row is given as many copies of a token as would first break the contract.
void add_overfull(std::vector<WrongCall>& calls, const Case& value, const CacheState& state,
                  const Append& next) {
    constexpr Index copies_max = 64;
    for (std::size_t r = 0; r < next.rows.size(); ++r) {
        if (next.rows[r].empty()) continue;
        // The other rows get what they would get: a refusal must leave no trace in them either.
        Append overfull;
        overfull.rows = next.rows;
        overfull.rows[r].clear();
        if (!state.objection(overfull).empty()) continue;
        Token token = next.rows[r].front();
        token.real = true;
        for (float& number : token.input) number = 1;
        while (state.objection(overfull).empty() && Index(overfull.rows[r].size()) <= copies_max) {
            overfull.rows[r].push_back(token);
        }
        const std::string objection = state.objection(overfull);
        if (objection.empty()) continue;
        Damage damage;
        damage.what = fmt::format("{} (capacity {}, positions {})", objection, value.spec.capacity,
                                  position_count(value.spec, value.parameters));
        calls.push_back({overfull, damage});
    }
}

}  // namespace

Verdict wrong_call_is_refused(Subject& subject, const Case& value, Oracle& oracle) {
    return judge_refusals(subject, value, oracle,
                          [&](const Drive&, const CacheState& state, const Append& next) {
                              std::vector<WrongCall> calls;
                              if (count_max(next) > 0) {
                                  add_wrong_shapes(calls, value.spec, next);
                                  add_wrong_counts(calls, next);
                              }
                              if (subject.capabilities().features.has(Feature::unequal_counts) ||
                                  value.spec.rows == 1) {
                                  add_overfull(calls, value, state, next);
                              }
                              return calls;
                          });
}

}  // namespace kvcheck
