// SPDX-License-Identifier: Apache-2.0
// Which features mean nothing without others: no case can exercise them then.
#pragma once

#include <string>
#include <vector>

#include "model/types/feature_set.hpp"

namespace kvcheck {

/// A feature, and those of which it needs at least one.
struct FeatureNeed {
    Feature feature;
    FeatureSet one_of;
};

/// What is declared in vain: the needs of these features that none of them meets.
std::vector<FeatureNeed> unmet_needs(const FeatureSet& declared);

/// "partial_rotary needs rotary_halves or rotary_adjacent".
std::string text_of(const FeatureNeed& need);

}  // namespace kvcheck
