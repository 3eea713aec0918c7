// SPDX-License-Identifier: Apache-2.0
// Specs and parameters that differ from a case's in one thing, for what must not be taken over from
// one to the other: saved states (clause 10) and published prefixes (clause 11).
#pragma once

#include <string>
#include <vector>

#include "model/types/feature_set.hpp"
#include "model/types/parameters.hpp"
#include "model/types/spec.hpp"

namespace kvcheck {

struct Foreign {
    std::string what;  // differs, in words
    Spec spec;
    Parameters parameters;
};

/// Specs that differ in one field, of those that the subject takes and the parameters fit.
std::vector<Foreign> other_specs(const Spec& spec, const Parameters& parameters,
                                 const FeatureSet& features);

/// One number of one array is another: one of these for each array that there is.
std::vector<Foreign> other_parameters(const Spec& spec, const Parameters& parameters,
                                      std::uint64_t seed);

}  // namespace kvcheck
