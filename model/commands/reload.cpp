// SPDX-License-Identifier: Apache-2.0
// What a reload asks for and what it leaves (declared in reload.hpp).
#include "model/commands/reload.hpp"

namespace kvcheck {

std::string objection_to(const Reload&, const CacheState&) { return {}; }

FeatureSet needed_by(const Reload&) { return {Feature::save}; }

std::optional<Reload> for_rows(const Reload& reload, const std::vector<Index>&) { return reload; }

void apply(const Reload&, CacheState& state) { state.prefixes().clear(); }

}  // namespace kvcheck
