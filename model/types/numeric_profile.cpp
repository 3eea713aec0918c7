// SPDX-License-Identifier: Apache-2.0
// The table of the fields of a numeric profile, and what a declaration may say.
#include "model/types/numeric_profile.hpp"

#include "model/types/error.hpp"
#include "model/types/spec.hpp"

namespace kvcheck {
namespace {

constexpr double ulps_max = 1024;
constexpr double count_max = 1024;
constexpr double error_max = 0.5;
constexpr double slack_max = 1099511627776.0;  // 2^40

}  // namespace

const std::array<ProfileField, 16> profile_fields = {{
    {"digits", 24, 53},
    {"flush_to_zero"},
    {"exp_ulps", 0, ulps_max},
    {"log_ulps", 0, ulps_max},
    {"tanh_ulps", 0, ulps_max},
    {"divide_ulps", 0, ulps_max},
    {"scale_roundings", 0, count_max},
    {"difference_roundings", 0, count_max},
    {"shift_roundings", 0, count_max},
    {"rescale_block", 0, double(extent_max)},
    {"merge_levels", 0, count_max},
    {"merge_without_division"},
    {"reference_slack", 1, slack_max},
    {"score_input_error", 0, error_max},
    {"weight_error", 0, error_max},
    {"position_table_error", 0, count_max},
}};

void validate(const NumericProfile& profile, const std::string& place) {
    if (profile.digits != 24 && profile.digits != 53) {
        throw InputError(place + ".digits", std::to_string(profile.digits), "24 or 53");
    }
    for_each_field(profile, [&](const ProfileField& field, const auto& value) {
        const auto number = double(value);
        if (number >= field.least && number <= field.most) return;
        throw InputError(
            place + "." + std::string(field.name), std::to_string(number),
            "a number from " + std::to_string(field.least) + " to " + std::to_string(field.most));
    });
}

}  // namespace kvcheck
