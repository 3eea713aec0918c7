// SPDX-License-Identifier: Apache-2.0
// The command that gives rows their tokens (clauses 3, 5, 6, 7).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/token.hpp"
#include "model/types/feature_set.hpp"

namespace kvcheck {

class CacheState;

struct Append {
    static constexpr std::string_view name = "append";

    std::vector<std::vector<Token>> rows;            // [rows], each row its own count
    std::optional<std::vector<Index>> query_offset;  // [rows], the next slot of each row

    bool operator==(const Append&) const = default;
};

/// The most tokens any row receives.
Index count_max(const Append& append);
/// A token follows another one than the slot before it (clause 16).
bool has_branches(const Append& append);

FeatureSet needed_by(const Append& append);
/// The part that these rows get.
std::optional<Append> for_rows(const Append& append, const std::vector<Index>& rows);

/// Empty where the contract admits the command in this state, else the clause it breaks, in words.
std::string objection_to(const Append& append, const CacheState& state);
/// Needs: no objection.
void apply(const Append& append, CacheState& state);

}  // namespace kvcheck
