// SPDX-License-Identifier: Apache-2.0
// What a subject says of itself: the features it has, its element type and its arithmetic. A case
// that needs a feature the subject lacks is not run on it; a declared feature that no case
// exercised is a failure, or distrusted where there were few cases.
#pragma once

#include <string>

#include "model/types/feature_set.hpp"
#include "model/types/numeric_profile.hpp"
#include "model/types/view.hpp"

namespace kvcheck {

struct Capabilities {
    std::string name;     // as typed after --subject
    std::string version;  // free text
    FeatureSet features;
    ElementType element = ElementType::f32;  // of every view it is given, and of what it stores
    NumericProfile profile;
};

}  // namespace kvcheck
