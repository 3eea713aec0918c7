// SPDX-License-Identifier: Apache-2.0
// The subject: its options, what it declares, its sessions (declared in fast.hpp).
#include "impl/fast/fast.hpp"

#include <algorithm>
#include <new>

#include "impl/fast/session.hpp"
#include "model/types/assert.hpp"
#include "model/types/error.hpp"
#include "model/types/spec_fields.hpp"

namespace kvcheck {
namespace {

/// Declared accuracy of exp2_of (exp2-inl.hpp), measured by
/// tests/impl/fast_exp2_test.cpp; without fused multiply-add the last steps round more often.
constexpr double exp_ulps_fused = 0.75;
constexpr double exp_ulps_unfused = 1;

NumericProfile profile_of(const fast::Kernels& kernels) {
    NumericProfile profile;
    profile.digits = 24;
    profile.exp_ulps = kernels.fused ? exp_ulps_fused : exp_ulps_unfused;
    profile.divide_ulps = 1;           // a rounded reciprocal and a product
    profile.scale_roundings = 2;       // scale * log2(e) is rounded once, and its product
    profile.difference_roundings = 1;  // score - reference
    profile.shift_roundings = 0;       // nothing of the size of a score is rounded apart
    profile.rescale_block = int(fast::block_slots);
    profile.log_ulps = 0;      // parts are merged before they are normalised,
    profile.merge_levels = 0;  // which is a rescaling like any other
    profile.merge_without_division = false;
    profile.reference_slack = double(1 << fast::reference_slack_bits);
    return profile;
}

const fast::Target& target_named(const std::string& name) {
    if (name.empty()) return fast::targets().front();
    for (const fast::Target& target : fast::targets()) {
        if (target.name == name) return target;
    }
    std::string known;
    for (const std::string& target : fast_targets()) {
        known += known.empty() ? target : ", " + target;
    }
    throw InputError("fast.target", name, "one of " + known);
}

void validate(const FastOptions& options) {
    const auto require = [](const char* field, Index value, bool holds, const char* expected) {
        if (!holds) throw InputError(field, std::to_string(value), expected);
    };
    constexpr int threads_max = 1024;
    require("fast.threads", options.threads, options.threads >= 1 && options.threads <= threads_max,
            "a number from 1 to 1024");
    require("fast.parallel_from", options.parallel_from, options.parallel_from >= 0,
            "a number not below 0");
    require("fast.split_slots", options.split_slots,
            options.split_slots > 0 && options.split_slots % fast::block_slots == 0,
            "a multiple of 64 above 0");
}

FeatureSet fast_features() {
    FeatureSet features = FeatureSet::plain_attention();
    for (const Feature feature : {Feature::any_scale,
                                  Feature::softcap,
                                  Feature::window,
                                  Feature::anchors,
                                  Feature::slopes,
                                  Feature::rotary_halves,
                                  Feature::rotary_adjacent,
                                  Feature::partial_rotary,
                                  Feature::rotated_keys,
                                  Feature::bf16_storage,
                                  Feature::fp16_storage,
                                  Feature::int8_storage,
                                  Feature::sinks,
                                  Feature::layer,
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
                                  Feature::weak_prefix_hash,
                                  Feature::tree,
                                  Feature::dead_row_nan,
                                  Feature::visible_count_ids,
                                  Feature::sinusoidal_positions,
                                  Feature::learned_positions,
                                  Feature::biases,
                                  Feature::free_model_width,
                                  Feature::weights,
                                  Feature::log_sum_exp,
                                  Feature::kv_export,
                                  Feature::poison_unused}) {
        features.add(feature);
    }
    return features;
}

class FastSubject final : public Subject {
public:
    FastSubject(std::string name, const FastOptions& options)
        : target_(target_named(options.target)),
          options_(options),
          pool_(std::make_shared<fast::Pool>(options.threads)) {
        capabilities_.name = std::move(name);
        capabilities_.version =
            std::string(target_.name) + ", threads: " + std::to_string(options.threads);
        capabilities_.features = fast_features();
        capabilities_.element = ElementType::f32;
        capabilities_.profile = profile_of(*target_.kernels);
    }

    const Capabilities& capabilities() const override { return capabilities_; }

    Opened open(const Spec& spec, const Parameters& parameters) override {
        // A convention that is not listed above would otherwise be ignored without a word.
        const FeatureSet lacking = needed_by(spec).without(capabilities_.features);
        if (!lacking.empty()) {
            return {Status::refused("this subject lacks " + names_of(lacking, ", ")), nullptr};
        }
        try {
            return {Status::done(), std::make_unique<fast::FastSession>(
                                        spec, parameters, target_.of(spec.storage), pool_,
                                        fast::Cuts{options_.parallel_from, options_.split_slots})};
        } catch (const std::bad_alloc&) {
            return {Status::refused("no memory for this many slots"), nullptr};
        }
    }

    Opened load(const Spec& spec, const Parameters& parameters,
                std::span<const std::byte> bytes) override {
        Opened opened = open(spec, parameters);
        if (!opened.status.ok()) return opened;
        Status status = static_cast<fast::FastSession&>(*opened.session).load(bytes);
        if (!status.ok()) opened.session.reset();
        return {std::move(status), std::move(opened.session)};
    }

private:
    const fast::Target& target_;
    FastOptions options_;
    std::shared_ptr<fast::Pool> pool_;
    Capabilities capabilities_;
};

}  // namespace

std::vector<std::string> fast_targets() {
    std::vector<std::string> names;
    for (const fast::Target& target : fast::targets()) names.emplace_back(target.name);
    return names;
}

std::unique_ptr<Subject> make_fast(std::string name, const FastOptions& options) {
    validate(options);
    return std::make_unique<FastSubject>(std::move(name), options);
}

MemoryUse memory_use(const Session& session) {
    const auto* const own = dynamic_cast<const fast::FastSession*>(&session);
    KVCHECK_ASSERT(own != nullptr);
    return own->memory_use();
}

}  // namespace kvcheck
