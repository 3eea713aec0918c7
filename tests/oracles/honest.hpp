// SPDX-License-Identifier: Apache-2.0
// Correct attention in many arithmetics: the same sums in another order, with and without fused
// multiply-add, in blocks with a running maximum, in parts that are merged. None may ever exceed
// the bound. One query of one head at a time; caches and layouts are other tests' business.
#pragma once

#include <string>
#include <vector>

#include "model/case.hpp"
#include "model/types/numeric_profile.hpp"

namespace kvcheck {

/// One query with the keys and values it sees, in float.
struct QuerySample {
    std::vector<float> query;
    std::vector<std::vector<float>> keys;
    std::vector<std::vector<float>> values;
    std::optional<float> scale;  // 1/sqrt(width) where absent
};

struct HonestVariant {
    std::string name;
    NumericProfile profile;
    std::vector<double> (*output)(const QuerySample& sample);  // [Dv]
};

const std::vector<HonestVariant>& honest_variants();

}  // namespace kvcheck
