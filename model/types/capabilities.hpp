// SPDX-License-Identifier: Apache-2.0
// What a subject says of itself: the features it has, its element type and its arithmetic. A case
// that needs a feature the subject lacks is not run on it; a declared feature that no case
// exercised is a failure, or distrusted where there were few cases.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/types/numeric_profile.hpp"
#include "model/types/view.hpp"

namespace kvcheck {

enum class Feature : std::uint8_t {
    // levels
    attention,
    layer,
    // what a case may contain
    batch,                  // more than one row
    grouped_heads,          // H != Hkv
    value_width,            // Dv != Dk
    custom_scale,           // a given scale
    padding_left,           // padding before the first real token of a row
    padding_right,          // padding after the last real token
    padding_holes,          // padding between real tokens
    padding_all,            // a row without a real token
    unequal_counts,         // rows append different numbers of tokens in one call
    empty_chunks,           // a call that appends nothing
    warm_chunks,            // two or more tokens onto a cache that holds some
    reset,                  // tokens after a reset
    padded_query_computed,  // the output of a padded query follows the contract
    dead_row_zeros,         // a query that sees no key yields zeros
    dead_row_nan,           // ... yields NaN
    visible_count_ids,      // position ids that count real tokens
    sinusoidal_positions,
    learned_positions,
    biases,
    // what the subject shows or promises
    query_offset,      // takes the assertion and refuses a wrong one
    weights,           // returns its attention weights
    kv_export,         // returns its stored keys and values
    poison_unused,     // can overwrite memory that it holds but has not appended
    repeatable,        // the same call gives the same bits
    batch_invariant,   // a row alone, in a batch or in another place gives the same bits
    masked_nonfinite,  // NaN or infinity in an invisible token has no influence
};
constexpr int feature_count = int(Feature::masked_nonfinite) + 1;

/// The name used in reports and in the protocol, as spelled in the enumeration.
std::string_view name_of(Feature feature);
std::optional<Feature> feature_named(std::string_view name);

/// A set of features.
class FeatureSet {
public:
    FeatureSet() = default;
    FeatureSet(std::initializer_list<Feature> features) {
        for (const Feature feature : features) add(feature);
    }
    static FeatureSet all();
    /// What attention has that limits its callers in nothing and shows nothing but its outputs.
    static FeatureSet plain_attention();

    void add(Feature feature) { bits_ |= bit(feature); }
    void remove(Feature feature) { bits_ &= ~bit(feature); }
    bool has(Feature feature) const { return (bits_ & bit(feature)) != 0; }
    bool has_all(FeatureSet other) const { return (other.bits_ & ~bits_) == 0; }
    bool empty() const { return bits_ == 0; }
    FeatureSet operator|(FeatureSet other) const { return FeatureSet(bits_ | other.bits_); }
    FeatureSet without(FeatureSet other) const { return FeatureSet(bits_ & ~other.bits_); }
    std::vector<Feature> list() const;
    bool operator==(const FeatureSet&) const = default;

private:
    explicit FeatureSet(std::uint64_t bits) : bits_(bits) {}
    static std::uint64_t bit(Feature feature) { return std::uint64_t{1} << int(feature); }
    std::uint64_t bits_ = 0;
};

struct Capabilities {
    std::string name;     // as typed after --subject
    std::string version;  // free text
    FeatureSet features;
    ElementType element = ElementType::f32;  // of every view it is given, and of what it stores
    NumericProfile profile;
};

}  // namespace kvcheck
