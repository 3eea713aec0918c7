// SPDX-License-Identifier: Apache-2.0
// Faults of a stack (declared in decoder.hpp).
#include "impl/mutants/decoder.hpp"

#include <algorithm>

#include "model/types/assert.hpp"

namespace kvcheck {
namespace {

using Needs = DecoderMutant::Needs;

class SwappedCaches final : public DecoderRules {
    Index cache_of(const CallPlace& call) const override {
        const Index other = call.layer == 0 ? 1 : 0;
        return call.past > 0 && call.layer < 2 ? other : call.layer;
    }
};

class StaleCache final : public DecoderRules {
    bool keeps(const CallPlace& call) const override { return call.layer != 1 || call.past == 0; }
};

class StoresInput final : public DecoderRules {
    bool stores_normed(const CallPlace&) const override { return false; }
};

class RestartedTable final : public DecoderRules {
    Index table_row(Index, Index index) const override { return index; }
};

class TableOffByOne final : public DecoderRules {
    Index table_row(Index id, Index) const override { return id + 1; }
};

class DroppedResidual final : public DecoderRules {
    bool adds_residual(const CallPlace& call) const override { return call.past == 0; }
};

class NoEpsilon final : public DecoderRules {
    float epsilon(float) const override { return 0; }
};

class NoFinalNorm final : public DecoderRules {
    bool ends_with_norm(const CallPlace& call) const override { return call.past == 0; }
};

class OtherOneTokenPath final : public DecoderRules {
    bool swaps_gate(const CallPlace& call) const override { return call.tokens == 1; }
    Activation activation(const CallPlace& call, Activation given) const override {
        return call.tokens == 1 ? Activation::swiglu : given;
    }
};

class MaskWithoutOffset final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override {
        return key <= query.index && query.real[std::size_t(key)] && in_window(query, key);
    }
};

class RestartedRotation final : public PlainRules {
    Index position_id(const TokenPlace& token, PositionIds) const override { return token.index; }
};

template <class Rules>
DecoderMutant of_stack(std::string_view name, std::string_view what, std::string_view shown_by) {
    DecoderMutant mutant;
    mutant.name = name;
    mutant.what = what;
    mutant.shown_by = shown_by;
    mutant.rules = std::make_shared<Rules>();
    mutant.attention_rules = std::make_shared<PlainRules>();
    return mutant;
}

template <class Rules>
DecoderMutant of_attention(std::string_view name, std::string_view what,
                           std::string_view shown_by) {
    DecoderMutant mutant = of_stack<DecoderRules>(name, what, shown_by);
    mutant.attention_rules = std::make_shared<Rules>();
    return mutant;
}

std::vector<DecoderMutant> all() {
    std::vector<DecoderMutant> list = {
        of_stack<SwappedCaches>("swapped_layer_caches",
                                "after the first call layers 0 and 1 use each other's cache",
                                "attention"),
        of_stack<StaleCache>("stale_deeper_cache",
                             "the cache of layer 1 does not grow after the first call",
                             "cached key"),
        of_stack<StoresInput>("keys_before_the_norm",
                              "keys and values are formed of a layer's input before its norm",
                              "key projection"),
        of_stack<RestartedTable>("restarted_table", "each call reads the position table from row 0",
                                 "embedding"),
        of_stack<TableOffByOne>("table_off_by_one", "position p reads row p + 1 of the table",
                                "embedding"),
        of_stack<DroppedResidual>("residual_dropped",
                                  "onto a cache, attention replaces the input and is not added",
                                  "residual after attention"),
        of_stack<NoEpsilon>("epsilon_missing", "norms divide by the root without eps",
                            "norm before attention"),
        of_stack<NoFinalNorm>("final_norm_skipped",
                              "onto a cache, logits are formed without the "
                              "last norm",
                              "final norm"),
        of_stack<OtherOneTokenPath>(
            "one_token_path",
            "calls of one token take SiLU for GELU, and the up projection for the gate",
            "activation"),
        of_attention<MaskWithoutOffset>("mask_without_offset",
                                        "a query sees as many keys as its place in the call",
                                        "attention"),
        of_attention<RestartedRotation>(
            "restarted_rotation", "each call turns queries and keys from position 0", "cached key"),
    };
    for (DecoderMutant& mutant : list) {
        if (mutant.shown_by == "embedding") mutant.needs = Needs::table;
        if (mutant.name == "restarted_rotation") mutant.needs = Needs::rotary_alone;
        for (const std::string_view at_once :
             {"keys_before_the_norm", "table_off_by_one", "epsilon_missing"}) {
            if (mutant.name == at_once) mutant.in_first_call = true;
        }
        if (mutant.name == "epsilon_missing") mutant.below_rounding = true;
    }
    return list;
}

}  // namespace

bool DecoderMutant::applies_to(const DecoderSpec& spec) const {
    if (name == "swapped_layer_caches" || name == "stale_deeper_cache") return spec.layers > 1;
    switch (needs) {
        case Needs::nothing:
            break;
        case Needs::table:
            return spec.position_signal != PositionSignal::none;
        case Needs::rotary_alone:
            return spec.attention.rotary != Rotary::none &&
                   spec.position_signal == PositionSignal::none;
    }
    return true;
}

const std::vector<DecoderMutant>& decoder_mutants() {
    static const std::vector<DecoderMutant> list = all();
    return list;
}

const DecoderMutant& decoder_mutant(std::string_view name) {
    const auto& list = decoder_mutants();
    const auto found = std::find_if(
        list.begin(), list.end(), [&](const DecoderMutant& mutant) { return mutant.name == name; });
    KVCHECK_ASSERT(found != list.end());
    return *found;
}

}  // namespace kvcheck
