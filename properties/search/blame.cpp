// SPDX-License-Identifier: Apache-2.0
// Random cases with and without a feature (declared in blame.hpp).
#include "properties/search/blame.hpp"

#include <algorithm>

#include "properties/catalogue.hpp"
#include "properties/search/proposal.hpp"
#include "properties/search/search.hpp"

namespace kvcheck {
namespace {

bool fails(Subject& subject, const Case& test_case) {
    for (const char* const name : {"outputs_match_the_oracle", "weights_match_the_oracle"}) {
        const Property& property = *property_named(name);
        if (!subject.capabilities().features.has_all(property.needs)) continue;
        if (check(property, subject, test_case, Evaluation::certified).is_failure()) return true;
    }
    return false;
}

bool any_fails(Subject& subject, const std::vector<Case>& cases) {
    return std::any_of(cases.begin(), cases.end(),
                       [&](const Case& test_case) { return fails(subject, test_case); });
}

}  // namespace

Blame find_blame(Subject& subject, Index cases) {
    const FeatureSet declared = subject.capabilities().features;
    Blame blame;
    FeatureSet common = FeatureSet::all();
    for (const Case& test_case : sample_cases(declared, cases)) {
        ++blame.cases;
        if (!fails(subject, test_case)) continue;
        ++blame.failed;
        common = common.without(FeatureSet::all().without(features_of(test_case)));
    }
    if (blame.failed < blame_failures_least) return blame;
    // A level is named where the other one holds.
    for (const Feature feature : common.list()) {
        FeatureSet fewer = declared;
        fewer.remove(feature);
        const std::vector<Case> without = sample_cases(fewer, cases);
        if (without.empty() || any_fails(subject, without)) continue;
        blame.feature = feature;
        return blame;
    }
    return blame;
}

}  // namespace kvcheck
