// SPDX-License-Identifier: Apache-2.0
// Tightening a numeric profile step by step (declared in proposal.hpp).
#include "properties/search/proposal.hpp"

#include <algorithm>
#include <string_view>

#include "oracles/truth.hpp"
#include "properties/catalogue.hpp"
#include "properties/generators/draw.hpp"
#include "properties/generators/structure.hpp"
#include "properties/generators/values.hpp"

namespace kvcheck {
namespace {

/// A proposal leaves as much room again as was used: other cases have larger errors.
constexpr double ratio_most = 0.5;

/// Declarations that real kernels make, the field that blunts the bound most first, and for each
/// the tightest value first.
struct Rung {
    std::string_view field;
    double value;
};
constexpr Rung ladder[] = {{"rescale_block", 0},
                           {"rescale_block", 64},
                           {"rescale_block", 16},
                           {"merge_levels", 0},
                           {"shift_roundings", 0},
                           {"score_input_error", 0},
                           {"weight_error", 0},
                           {"reference_slack", 1},
                           {"exp_ulps", 1},
                           {"exp_ulps", 2},
                           {"difference_roundings", 1},
                           {"scale_roundings", 1},
                           {"scale_roundings", 3},
                           {"divide_ulps", 0.5},
                           {"divide_ulps", 1},
                           {"position_table_error", 0}};

/// Grows with what a declaration permits.
double room(std::string_view field, double value) {
    if (field != "rescale_block") return value;
    return value == 0 ? 0 : 1 / value;
}

std::optional<NumericProfile> tightened(const NumericProfile& profile, const Rung& rung) {
    NumericProfile result = profile;
    for_each_field(result, [&](const ProfileField& field, auto& value) {
        if (field.name != rung.field) return;
        if (room(rung.field, rung.value) < room(rung.field, double(value)))
            value = std::remove_reference_t<decltype(value)>(rung.value);
    });
    if (result == profile) return std::nullopt;
    return result;
}

std::vector<Case> random_cases(Level level, FeatureSet allowed, Index count) {
    std::vector<Case> cases;
    SplitMix stream(std::uint64_t(level) + 1);
    Draw draw(stream);
    for (Index n = 0; n < count; ++n) {
        Recipe recipe;
        recipe.family = Family(n % family_count);
        recipe.seed = draw.bits();
        cases.push_back(draw_structure(draw, level, allowed, {}));
        fill_values(cases.back(), recipe, allowed.has(Feature::masked_nonfinite));
    }
    return cases;
}

/// The largest error / bound under a profile; nothing where a case fails or passes `most`.
std::optional<double> largest_ratio(Subject& subject, const std::vector<Case>& cases,
                                    const NumericProfile& profile, double most) {
    double largest = 0;
    for (const Case& test_case : cases) {
        Oracle oracle(test_case.spec, test_case.parameters, profile, Evaluation::exact,
                      stored_keys_of(subject.capabilities().features));
        for (const std::string_view name :
             {"outputs_match_the_oracle", "weights_match_the_oracle"}) {
            const Property& property = *property_named(name);
            if (!subject.capabilities().features.has_all(property.needs)) continue;
            const Verdict verdict = property.check(subject, test_case, oracle);
            largest = std::max(largest, verdict.worst_ratio);
            if (verdict.is_failure() || largest > most) return std::nullopt;
        }
    }
    return largest;
}

}  // namespace

std::vector<Case> sample_cases(FeatureSet features, Index cases) {
    std::vector<Case> all;
    for (const auto& [level, feature] : {std::pair{Level::attention, Feature::attention},
                                         std::pair{Level::layer, Feature::layer}}) {
        if (!features.has(feature)) continue;
        for (Case& test_case : random_cases(level, features, cases)) {
            all.push_back(std::move(test_case));
        }
    }
    return all;
}

std::optional<ProfileProposal> propose_profile(Subject& subject, Index cases) {
    const std::vector<Case> all = sample_cases(subject.capabilities().features, cases);
    const NumericProfile& declared = subject.capabilities().profile;
    const std::optional<double> as_declared = largest_ratio(subject, all, declared, 1);
    if (!as_declared) return std::nullopt;
    ProfileProposal proposal{declared, *as_declared, *as_declared, Index(all.size())};
    for (const Rung& rung : ladder) {
        const auto candidate = tightened(proposal.profile, rung);
        if (!candidate) continue;
        const auto ratio = largest_ratio(subject, all, *candidate, ratio_most);
        if (!ratio) continue;
        proposal.profile = *candidate;
        proposal.proposed_ratio = *ratio;
    }
    return proposal;
}

}  // namespace kvcheck
