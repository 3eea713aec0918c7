// SPDX-License-Identifier: Apache-2.0
#include "model/types/numeric_profile.hpp"

#include "model/types/error.hpp"
#include "model/types/spec.hpp"

namespace kvcheck {

void validate(const NumericProfile& profile, const std::string& place) {
    const auto require = [&](const char* field, double value, double least, double most) {
        if (value >= least && value <= most) return;
        throw InputError(place + "." + field, std::to_string(value),
                         "a number from " + std::to_string(least) + " to " + std::to_string(most));
    };
    if (profile.digits != 24 && profile.digits != 53) {
        throw InputError(place + ".digits", std::to_string(profile.digits), "24 or 53");
    }
    constexpr double ulps_max = 1024;
    constexpr double count_max = 1024;
    constexpr double error_max = 0.5;
    constexpr double slack_max = 1099511627776.0;  // 2^40
    require("exp_ulps", profile.exp_ulps, 0, ulps_max);
    require("log_ulps", profile.log_ulps, 0, ulps_max);
    require("divide_ulps", profile.divide_ulps, 0, ulps_max);
    require("scale_roundings", profile.scale_roundings, 0, count_max);
    require("difference_roundings", profile.difference_roundings, 0, count_max);
    require("shift_roundings", profile.shift_roundings, 0, count_max);
    require("rescale_block", profile.rescale_block, 0, double(extent_max));
    require("merge_levels", profile.merge_levels, 0, count_max);
    require("reference_slack", profile.reference_slack, 1, slack_max);
    require("score_input_error", profile.score_input_error, 0, error_max);
    require("weight_error", profile.weight_error, 0, error_max);
    require("position_table_error", profile.position_table_error, 0, count_max);
}

}  // namespace kvcheck
