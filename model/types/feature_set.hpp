// SPDX-License-Identifier: Apache-2.0
// The features a subject may declare and a case may need, as a table: everything that is said of a
// feature anywhere (reports, doctor, list, the docs, the C interface's macro) is read from it.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvcheck {

enum class Feature : std::uint8_t {
    // levels
    attention,
    layer,
    // what a case may contain
    batch,
    grouped_heads,
    value_width,
    custom_scale,
    any_scale,
    softcap,
    window,
    anchors,
    slopes,
    sinks,
    rotary_halves,
    rotary_adjacent,
    partial_rotary,
    bf16_storage,
    fp16_storage,
    int8_storage,
    padding_left,
    padding_right,
    padding_holes,
    padding_all,
    unequal_counts,
    empty_chunks,
    warm_chunks,
    reset,
    reset_row,
    truncate,
    truncate_row,
    reorder,
    varying_rows,
    fork,
    finish,
    evict,
    shift,
    save,
    prefix_reuse,
    cross,
    admission,
    tree,
    padded_query_computed,
    dead_row_zeros,
    dead_row_nan,
    visible_count_ids,
    sinusoidal_positions,
    learned_positions,
    biases,
    free_model_width,
    // what the subject shows or promises
    query_offset,
    validates,
    weights,
    log_sum_exp,
    kv_export,
    rotated_keys,
    poison_unused,
    weak_prefix_hash,
    repeatable,
    batch_invariant,
    masked_nonfinite,
    // what it does with a token beyond the capacity, in place of refusing it
    capacity_unbounded,
    capacity_evicted,
};
constexpr std::size_t feature_count = std::size_t(Feature::capacity_evicted) + 1;

/// All that is known of a feature.
struct FeatureInfo {
    enum class Levels { both, layer };

    Feature feature;
    std::string_view name;     // as spelled in the enumeration, in the protocol and in reports
    std::string_view meaning;  // what a subject that declares it does
    Levels levels = Levels::both;
    /// What is not tried on a subject without it; empty where that is plain from its name.
    std::string_view untried = {};
    /// The property that exercises it; empty where every case that needs it does.
    std::string_view exercised_by = {};
    /// What a list of names says to take it back. A feature with such a word is taken for granted
    /// in a list, because lists were written before there was a choice; empty: it must be named.
    std::string_view denial = {};
    /// One of several ways: a subject without it goes another and lacks nothing.
    bool is_choice = false;
    /// Attention that limits its callers in nothing has it, and shows nothing but its outputs.
    bool plain_attention = false;
};
const FeatureInfo& info_of(Feature feature);
std::string_view name_of(Feature feature);
std::optional<Feature> feature_named(std::string_view name);

/// A set of features.
class FeatureSet {
public:
    FeatureSet() = default;
    FeatureSet(std::initializer_list<Feature> features) {
        for (const Feature feature : features) add(feature);
    }
    static FeatureSet all() { return FeatureSet(Bits().set()); }
    /// What FeatureInfo::plain_attention marks.
    static FeatureSet plain_attention();
    /// The four ways in which a row may be padded.
    static FeatureSet paddings();

    void add(Feature feature) { bits_.set(std::size_t(feature)); }
    void remove(Feature feature) { bits_.reset(std::size_t(feature)); }
    bool has(Feature feature) const { return bits_.test(std::size_t(feature)); }
    bool has_all(const FeatureSet& other) const { return (other.bits_ & ~bits_).none(); }
    bool has_any(const FeatureSet& other) const { return (other.bits_ & bits_).any(); }
    bool empty() const { return bits_.none(); }
    FeatureSet operator|(const FeatureSet& other) const { return FeatureSet(bits_ | other.bits_); }
    FeatureSet without(const FeatureSet& other) const { return FeatureSet(bits_ & ~other.bits_); }
    std::vector<Feature> list() const;
    bool operator==(const FeatureSet&) const = default;

private:
    using Bits = std::bitset<feature_count>;
    explicit FeatureSet(const Bits& bits) : bits_(bits) {}
    Bits bits_;
};

/// What a list of names declares, as libraries and programs give one: what it names, and what is
/// taken for granted and not denied; of a layer's parts only where it names the layer. Calls
/// `unknown` with every word that means nothing.
FeatureSet features_of_list(const std::vector<std::string>& words,
                            const std::function<void(const std::string& word)>& unknown);
/// The list that declares exactly these.
std::vector<std::string> list_of_features(const FeatureSet& features);

/// Which of these no subject can have together, in words; empty where there are none.
std::string contradiction_in(const FeatureSet& features);

/// The names, with `separator` between them.
std::string names_of(const FeatureSet& features, std::string_view separator);

}  // namespace kvcheck
