// SPDX-License-Identifier: Apache-2.0
// A tighter numeric profile than the declared one, found by trying: declarations are tightened one
// after another, as far as all that was seen stays well inside the bound. A proposal is a
// measurement of some cases and no proof; who knows the arithmetic declares what it does.
#pragma once

#include <optional>
#include <vector>

#include "impl/subject.hpp"
#include "model/case.hpp"

namespace kvcheck {

struct ProfileProposal {
    NumericProfile profile;
    double declared_ratio = 0;  // largest error / bound as declared
    double proposed_ratio = 0;  // and with `profile`
    Index cases = 0;            // that were judged under each profile
};

/// Judges outputs and, where they are shown, weights of `cases` random cases at each level that the
/// subject has. Nothing where a case fails as declared; the declared profile itself where nothing
/// can be tightened.
std::optional<ProfileProposal> propose_profile(Subject& subject, Index cases);

/// The cases that it judges: `cases` random ones at each level among `features`, always the same.
std::vector<Case> sample_cases(FeatureSet features, Index cases);

}  // namespace kvcheck
