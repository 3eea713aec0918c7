// SPDX-License-Identifier: Apache-2.0
// The arithmetic a subject declares: what each of its operations may be wrong by. The bound is
// computed from it (docs/error_bound.md has the symbols); the default accepts any order of sums,
// any blocking, fused multiply-add or not, and an exp within 4 ulp. A tighter declaration is tested
// more sharply, a looser one is legal only because it is declared.
#pragma once

#include <string>
#include <string_view>

#include "model/types/fields.hpp"

namespace kvcheck {

struct NumericProfile {
    int digits = 24;             // precision p of the working format: 24 float, 53 double
    bool flush_to_zero = false;  // subnormal results and inputs may become zero
    double exp_ulps = 4;         // accuracy of exp, normal results
    double log_ulps = 2;         // accuracy of log, where partial results are merged
    double tanh_ulps = 4;        // of tanh in a softcap, in ulps of one
    double divide_ulps = 2;      // of the last division; 0.5 where it is correctly rounded
    int scale_roundings = 5;     // spent on the scale constant, its change of base and its product
    int difference_roundings = 4;  // in score - reference, and its change of base
    int shift_roundings = 4;       // of the size of the largest score, not common to the whole row
    int rescale_block = 1;  // keys between two rescalings of a running sum; 0: never rescaled
    int merge_levels = 1;   // nested merges of normalised partial results
    /// A merge multiplies each part by exp(lse_part - lse) and does not divide by the sum of these
    /// factors, as split-KV combining often does; only matters with merge_levels above 0.
    bool merge_without_division = true;
    double reference_slack = 1;  // weights may exceed one by this factor (lazy rescaling)
    /// Extra relative error of each q*k product (narrow matrix inputs).
    double score_input_error = 0;
    double weight_error = 0;  // extra relative error of each weight before it meets its value
    /// Absolute, where the subject makes the sinusoidal table itself.
    double position_table_error = 0;

    bool operator==(const NumericProfile&) const = default;
};

/// A field by its name in the protocol, and what may be declared of it.
struct ProfileField {
    std::string_view name;
    double least = 0;
    double most = 1;
};
extern const std::array<ProfileField, 16> profile_fields;

/// Calls visit(const ProfileField&, field) for each field of a NumericProfile, in order.
template <RecordOf<NumericProfile> Record, class Visit>
void for_each_field(Record& profile, const Visit& visit) {
    auto& [digits, flush_to_zero, exp_ulps, log_ulps, tanh_ulps, divide_ulps, scale_roundings,
           difference_roundings, shift_roundings, rescale_block, merge_levels,
           merge_without_division, reference_slack, score_input_error, weight_error,
           position_table_error] = profile;
    visit_fields(profile_fields,
                 std::tie(digits, flush_to_zero, exp_ulps, log_ulps, tanh_ulps, divide_ulps,
                          scale_roundings, difference_roundings, shift_roundings, rescale_block,
                          merge_levels, merge_without_division, reference_slack, score_input_error,
                          weight_error, position_table_error),
                 visit);
}

/// Throws InputError, naming `place` and the field, where a declaration makes no sense.
void validate(const NumericProfile& profile, const std::string& place);

/// The profile of a format with every other declaration at its default.
constexpr NumericProfile profile_of_digits(int digits) {
    NumericProfile profile;
    profile.digits = digits;
    return profile;
}

/// What two passes over all keys may declare, in any order of sums: scores and their maximum; then
/// weights by an exp within one ulp, their sum, the values, and a division by the sum.
constexpr NumericProfile two_pass_profile(int digits) {
    NumericProfile profile = profile_of_digits(digits);
    profile.exp_ulps = 1;
    profile.divide_ulps = 0.5;
    profile.scale_roundings = 3;  // a square root, a division and a product
    profile.difference_roundings = 1;
    profile.shift_roundings = 0;  // exp(score - largest) rounds the difference only
    profile.rescale_block = 0;
    profile.merge_levels = 0;
    return profile;
}

}  // namespace kvcheck
