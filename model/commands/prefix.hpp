// SPDX-License-Identifier: Apache-2.0
// The commands of clause 11: a row's tokens are published as a prefix, and an empty row continues
// one. Not among Lifecycle: a session is asked for them by labels of the tokens, which whoever
// drives it has.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/types/feature_set.hpp"
#include "model/types/spec.hpp"

namespace kvcheck {

class CacheState;

/// What the row holds can be reused from now on, whatever becomes of the row.
struct Publish {
    static constexpr std::string_view name = "publish";

    Index row = 0;
    Index as = 0;  // the name by which a program speaks of it

    bool operator==(const Publish&) const = default;
};

/// The row, which is empty, continues the longest published prefix of what is wanted: the first
/// `slots` tokens of the prefix named `of`.
struct Reuse {
    static constexpr std::string_view name = "reuse";

    Index row = 0;
    Index of = 0;
    Index slots = 0;

    bool operator==(const Reuse&) const = default;
};

/// Empty where the contract admits the command in this state, else the clause it breaks, in words.
std::string objection_to(const Publish& publish, const CacheState& state);
std::string objection_to(const Reuse& reuse, const CacheState& state);

FeatureSet needed_by(const Publish& publish);
FeatureSet needed_by(const Reuse& reuse);

/// The same for a batch of these rows; nothing where its row is not among them. A row that reuses
/// what one of the others published is left without it (row_choice.hpp, stands_alone).
std::optional<Publish> for_rows(const Publish& publish, const std::vector<Index>& rows);
std::optional<Reuse> for_rows(const Reuse& reuse, const std::vector<Index>& rows);

/// Cuts what is wanted to what the name means now.
void fit(Reuse& reuse, const CacheState& state);

/// Needs: no objection.
void apply(const Publish& publish, CacheState& state);
void apply(const Reuse& reuse, CacheState& state);

}  // namespace kvcheck
