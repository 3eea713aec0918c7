// SPDX-License-Identifier: Apache-2.0
// What the textbook subject declares (plain.hpp); what it does stands in session.hpp.
#include "impl/plain/plain.hpp"

#include <array>
#include <limits>
#include <map>

#include "impl/plain/session.hpp"
#include "model/types/spec_fields.hpp"

namespace kvcheck {
namespace {

/// What this subject can do. Not batch_invariant: Eigen's products of different sizes add in
/// different orders.
FeatureSet plain_features() {
    return {Feature::attention,
            Feature::layer,
            Feature::batch,
            Feature::grouped_heads,
            Feature::value_width,
            Feature::custom_scale,
            Feature::any_scale,
            Feature::softcap,
            Feature::window,
            Feature::anchors,
            Feature::slopes,
            Feature::sinks,
            Feature::rotary_halves,
            Feature::rotary_adjacent,
            Feature::partial_rotary,
            Feature::bf16_storage,
            Feature::fp16_storage,
            Feature::int8_storage,
            Feature::padding_left,
            Feature::padding_right,
            Feature::padding_holes,
            Feature::padding_all,
            Feature::unequal_counts,
            Feature::empty_chunks,
            Feature::warm_chunks,
            Feature::reset,
            Feature::reset_row,
            Feature::truncate,
            Feature::truncate_row,
            Feature::reorder,
            Feature::varying_rows,
            Feature::fork,
            Feature::finish,
            Feature::evict,
            Feature::shift,
            Feature::save,
            Feature::prefix_reuse,
            Feature::cross,
            Feature::admission,
            Feature::tree,
            Feature::padded_query_computed,
            Feature::dead_row_zeros,
            Feature::dead_row_nan,
            Feature::visible_count_ids,
            Feature::sinusoidal_positions,
            Feature::learned_positions,
            Feature::biases,
            Feature::free_model_width,
            Feature::query_offset,
            Feature::validates,
            Feature::weights,
            Feature::log_sum_exp,
            Feature::kv_export,
            Feature::rotated_keys,
            Feature::poison_unused,
            Feature::weak_prefix_hash,
            Feature::repeatable,
            Feature::masked_nonfinite};
}

template <class Scalar>
class PlainSubject final : public Subject {
public:
    PlainSubject(std::string name, std::shared_ptr<const PlainRules> rules)
        : rules_(std::move(rules)) {
        capabilities_.name = std::move(name);
        capabilities_.version = "textbook";
        capabilities_.features = plain_features();
        capabilities_.element = element_of<Scalar>;
        capabilities_.profile = two_pass_profile(std::numeric_limits<Scalar>::digits);
    }

    const Capabilities& capabilities() const override { return capabilities_; }

    Opened open(const Spec& spec, const Parameters& parameters) override {
        // A convention that is not listed above would otherwise be ignored without a word.
        const FeatureSet lacking = needed_by(spec).without(capabilities_.features);
        if (!lacking.empty()) {
            return {Status::refused("this subject lacks " + names_of(lacking, ", ")), nullptr};
        }
        return {Status::done(), std::make_unique<PlainSession<Scalar>>(spec, parameters, rules_,
                                                                       prefixes_of(spec))};
    }

    Opened load(const Spec& spec, const Parameters& parameters,
                std::span<const std::byte> bytes) override {
        Opened opened = open(spec, parameters);
        if (!opened.status.ok()) return opened;
        Status status = static_cast<PlainSession<Scalar>&>(*opened.session).load(bytes);
        if (!status.ok()) opened.session.reset();
        return {std::move(status), std::move(opened.session)};
    }

private:
    using Prefixes = std::shared_ptr<PlainPrefixes<Scalar>>;

    Prefixes prefixes_of(const Spec& spec) {
        Prefixes own = std::make_shared<PlainPrefixes<Scalar>>(rules_->prefixes());
        if (rules_->prefixes().per_session) return own;
        return shared_.try_emplace({spec.kv_heads, spec.key_width, spec.value_width}, own)
            .first->second;
    }

    std::shared_ptr<const PlainRules> rules_;
    std::map<std::array<Index, 3>, Prefixes> shared_;  // by the extents of what is stored
    Capabilities capabilities_;
};

}  // namespace

template <class Scalar>
std::unique_ptr<Subject> make_plain(std::string name, std::shared_ptr<const PlainRules> rules) {
    return std::make_unique<PlainSubject<Scalar>>(std::move(name), std::move(rules));
}

template std::unique_ptr<Subject> make_plain<float>(std::string, std::shared_ptr<const PlainRules>);
template std::unique_ptr<Subject> make_plain<double>(std::string,
                                                     std::shared_ptr<const PlainRules>);

}  // namespace kvcheck
