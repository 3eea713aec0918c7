// SPDX-License-Identifier: Apache-2.0
// Making them (declared in companions.hpp).
#include "properties/drive/companions.hpp"

#include <algorithm>
#include <cmath>

#include "model/types/arrays.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

bool first_token(const TokenSite& site, const Token&) { return site.slot == 0; }

/// Chosen tokens become padding where they were real, and the reverse. Contents go with it: what is
/// real must be finite. The case as it is where ids would change with it of which a shift says how
/// far they may fall.
Case with_other_validity(const Case& test_case, const TokenChoice& chosen) {
    Case other = test_case;
    if (holds_a_shift(test_case)) return other;
    for_each_token(other, [&](const TokenSite& site, Token& token) {
        if (!chosen(site, token)) return;
        if (!token.real) std::fill(token.input.begin(), token.input.end(), 0.25F);
        token.real = !token.real;
    });
    return other;
}

/// Every call brings one token less to every row that gets more than one. The case as it is where a
/// later command needs those tokens.
Case with_other_counts(const Case& test_case) {
    Case other = test_case;
    for (Command& command : other.program) {
        auto* append = std::get_if<Append>(&command);
        if (append == nullptr) continue;
        for (auto& row : append->rows) {
            if (row.size() > 1) row.pop_back();
        }
    }
    const bool is_whole = repair(other) && other.program.size() == test_case.program.size();
    return is_whole ? other : test_case;
}

Case with_other_parameters(const Case& test_case) {
    Case other = test_case;
    for (const ParameterArray& array : parameter_arrays()) {
        if (array.name == "rotary_table" && holds_a_shift(test_case)) continue;
        for (float& number : array.in(other.parameters))
            number = number == 0.5F ? 2.0F : 1 - number;
    }
    return other;
}

}  // namespace

std::vector<Case> with_other_scales(const Case& test_case, FeatureSet features) {
    std::vector<Case> others;
    if (!features.has(Feature::custom_scale)) return others;
    const auto add = [&](float scale) {
        others.push_back(test_case);
        others.back().spec.scale = scale;
    };
    const float scale = test_case.spec.scale.value_or(1);
    add(scale == 0 ? 2 : 3 * scale);
    if (features.has(Feature::any_scale)) add(scale == 0 ? -1 : -scale);
    std::erase_if(others, [&](const Case& other) {
        return !features.has_all(features_of(other)) || !std::isfinite(*other.spec.scale);
    });
    return others;
}

std::vector<Companion> companions_of(const Case& test_case, FeatureSet features) {
    std::vector<Companion> companions;
    const auto add = [&](std::string_view differs_in, Case other) {
        if (other == test_case || !features.has_all(features_of(other))) return;
        companions.push_back({differs_in, std::move(other)});
    };
    add("contents", with_contents(test_case, finite_contents(test_case.spec).front(), every_token));
    add("validity", with_other_validity(test_case, every_token));
    // The least that two masks can differ by.
    add("the validity of its first token", with_other_validity(test_case, first_token));
    add("counts", with_other_counts(test_case));
    for (Case& other : with_other_scales(test_case, features)) add("scale", std::move(other));
    add("parameters", with_other_parameters(test_case));
    companions.push_back({"everything", stranger_to(test_case, features)});
    return companions;
}

}  // namespace kvcheck
