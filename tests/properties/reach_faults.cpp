// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reach_faults.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace kvcheck {
namespace {

/// An append that was honoured, and what the rows held before it.
struct Honoured {
    const AppendCall& call;
    const Session* session;
    std::vector<Index> past;  // [rows] lengths

    Index rows() const { return call.output.shape.extent[0]; }
    Index tokens() const { return call.output.shape.extent[1]; }
    Index count(Index row) const { return call.counts[std::size_t(row)]; }
    Index length(Index row) const { return past[std::size_t(row)] + count(row); }
    Index value_width() const { return call.output.shape.extent[3]; }
    bool is_real(Index row, Index t) const {
        return call.real[std::size_t(row * tokens() + t)] != 0;
    }
    /// Where the row got tokens, its last output becomes wrong.
    void spoil(Index row) const {
        if (count(row) == 0) return;
        float& x = call.output.at<float>(row, count(row) - 1, 0, 0);
        x = std::isfinite(x) ? x + 1 + std::fabs(x) : 0;
    }
    void spoil_all() const {
        for (Index row = 0; row < rows(); ++row) spoil(row);
    }
};

Tamper once_honoured(std::function<void(const Honoured&)> change) {
    Tamper tamper;
    tamper.append = [change](Session& inner, const AppendCall& call) {
        // A wrong call may have fewer rows than the session.
        constexpr Index rows_most = 64;
        std::vector<RowNumbers> numbers(rows_most);
        std::vector<Index> past;
        inner.numbers(numbers);
        for (const RowNumbers& row : numbers) past.push_back(row.length.value_or(0));
        const Status status = inner.append(call);
        if (status.ok() && call.output.shape.size() > 0) change({call, &inner, past});
        return status;
    };
    return tamper;
}

/// Wrong in sessions whose scale is this one.
Tamper wrong_for_scale(float wrong) {
    const auto scale = std::make_shared<std::optional<float>>();
    Tamper tamper = once_honoured([scale, wrong](const Honoured& append) {
        if (*scale == wrong) append.spoil_all();
    });
    tamper.open = [scale](const Spec& spec) {
        *scale = spec.scale;
        return Status::done();
    };
    return tamper;
}

Tamper scale_minus_one() { return wrong_for_scale(-1); }
Tamper scale_zero() { return wrong_for_scale(0); }
Tamper scale_ten_thousand() { return wrong_for_scale(10000); }

Tamper buffer_of_256() {
    // Calls of several tokens enlarge the buffer, calls of one write past its end.
    const auto room = std::make_shared<std::map<const Session*, Index>>();
    return once_honoured([room](const Honoured& append) {
        constexpr Index first_room = 256;
        Index& own = (*room)[append.session];
        if (append.past[0] == 0) own = first_room;
        if (append.tokens() > 1) own = std::max(own, append.length(0));
        if (append.length(0) > own) append.spoil(0);
    });
}

class FirstTileHidden final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override {
        constexpr Index tile = 128;
        bool any = query.slot() < tile;
        for (Index slot = 0; slot < tile && !any; ++slot) any = query.real[std::size_t(slot)];
        return any && PlainRules::sees(query, key);
    }
};

class FutureFilled final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override {
        return query.real[std::size_t(key)];
    }
    float score_offset(const TokenPlace& query, Index key) const override {
        constexpr float fill = -1e9F;
        return key <= query.slot() ? 0 : fill;
    }
};

Tamper with_these_rules(std::shared_ptr<const PlainRules> rules) {
    Tamper tamper;
    tamper.rules = std::move(rules);
    return tamper;
}
Tamper first_tile_hidden() { return with_these_rules(std::make_shared<FirstTileHidden>()); }
Tamper mask_filled_with_a_number() { return with_these_rules(std::make_shared<FutureFilled>()); }

Tamper width_160() {
    return once_honoured([](const Honoured& append) {
        constexpr Index built_in = 160;
        const bool both = append.call.key.shape.extent[3] == built_in &&
                          append.call.value.shape.extent[3] == built_in;
        if (both) append.spoil(0);
    });
}

Tamper ninth_row() {
    return once_honoured([](const Honoured& append) {
        if (append.rows() >= 9) append.spoil(append.rows() - 1);
    });
}

Tamper maximum_from_a_number() {
    // softmax with a running maximum that begins at -1e30: a first key below it weighs nothing.
    const auto scale = std::make_shared<std::optional<float>>();
    Tamper tamper = once_honoured([scale](const Honoured& append) {
        constexpr float least = -1e30F;
        const AppendCall& call = append.call;
        const Index width = call.query.shape.extent[3];
        for (Index row = 0; row < append.rows(); ++row) {
            if (append.past[std::size_t(row)] > 0 || append.count(row) == 0) continue;
            if (!append.is_real(row, 0)) continue;
            float score = 0;
            for (Index d = 0; d < width; ++d) {
                score += call.query.at<float>(row, 0, 0, d) * call.key.at<float>(row, 0, 0, d);
            }
            score *= scale->value_or(1 / std::sqrt(float(width)));
            for (Index d = 0; d < append.value_width() && score < least; ++d) {
                call.output.at<float>(row, 0, 0, d) = 0;
            }
        }
    });
    tamper.open = [scale](const Spec& spec) {
        *scale = spec.scale;
        return Status::done();
    };
    return tamper;
}

Tamper tiled_queries() {
    // A tile of 64 queries multiplies weights of zero by what padding holds.
    return once_honoured([](const Honoured& append) {
        constexpr Index tile = 64;
        constexpr Index vector = 16;
        if (append.tokens() < tile || append.value_width() % vector != 0) return;
        for (Index t = 0; t < append.count(0); ++t) {
            if (append.is_real(0, t)) continue;
            for (Index d = 0; d < append.value_width(); ++d) {
                if (!std::isnan(append.call.value.at<float>(0, t, 0, d))) continue;
                append.call.output.at<float>(0, append.count(0) - 1, 0, d) =
                    std::numeric_limits<float>::quiet_NaN();
            }
        }
    });
}

Tamper split_keys() {
    return once_honoured([](const Honoured& append) {
        constexpr Index split = 512;
        if (append.length(0) > split) append.spoil(0);
    });
}

Tamper path_without_weights() {
    return once_honoured([](const Honoured& append) {
        if (!append.call.weights && append.count(0) > 1) append.spoil(0);
    });
}

Tamper path_with_weights() {
    return once_honoured([](const Honoured& append) {
        if (append.call.weights && append.count(0) > 1) append.spoil(0);
    });
}

Tamper path_without_offsets() {
    return once_honoured([](const Honoured& append) {
        if (!append.call.query_offset && append.past[0] > 0) append.spoil(0);
    });
}

/// What is kept per shape, as an implementation with a cache of plans or masks does.
using ShapeKey = std::tuple<Index, Index, Index, Index>;
ShapeKey key_of(const AppendCall& call) {
    return {call.output.shape.extent[0], call.query.shape.extent[2], call.key.shape.extent[2],
            call.key.shape.extent[3]};
}

Tamper padding_mask_shared() {
    struct Masks {
        std::map<ShapeKey, std::vector<bool>> shared;
        std::map<const Session*, std::vector<bool>> own;
    };
    const auto masks = std::make_shared<Masks>();
    return once_honoured([masks](const Honoured& append) {
        std::vector<bool>& shared = masks->shared[key_of(append.call)];
        std::vector<bool>& own = masks->own[append.session];
        const Index past = append.past[0];
        own.resize(std::size_t(past));
        for (Index t = 0; t < append.count(0); ++t) own.push_back(append.is_real(0, t));
        shared.resize(std::max(shared.size(), own.size()));
        for (std::size_t slot = std::size_t(past); slot < own.size(); ++slot) {
            shared[slot] = own[slot];
        }
        if (!std::equal(own.begin(), own.end(), shared.begin())) append.spoil(0);
    });
}

Tamper scale_kept_per_shape() {
    struct Kept {
        std::map<std::tuple<Index, Index, Index, Index, Index>, std::optional<float>> scale;
        bool wrong = false;
    };
    const auto kept = std::make_shared<Kept>();
    Tamper tamper = once_honoured([kept](const Honoured& append) {
        if (kept->wrong) append.spoil(0);
    });
    tamper.open = [kept](const Spec& spec) {
        const auto place = kept->scale.try_emplace(
            {spec.rows, spec.query_heads, spec.kv_heads, spec.key_width, spec.value_width},
            spec.scale);
        kept->wrong = place.first->second != spec.scale;
        return Status::done();
    };
    return tamper;
}

}  // namespace

const std::vector<Fault>& reach_faults() {
    static const std::vector<Fault> list = {
        {"BufferOf256Slots", "outputs_match_the_oracle", buffer_of_256},
        {"FirstTileOf128Hidden", "outputs_match_the_oracle", first_tile_hidden},
        {"Width160", "outputs_match_the_oracle", width_160},
        {"NinthRow", "outputs_match_the_oracle", ninth_row},
        {"ScaleMinusOne", "outputs_match_the_oracle", scale_minus_one},
        {"ScaleZero", "outputs_match_the_oracle", scale_zero},
        {"ScaleTenThousand", "outputs_match_the_oracle", scale_ten_thousand},
        {"MaskFilledWithANumber", "outputs_match_the_oracle", mask_filled_with_a_number},
        {"MaximumFromANumber", "outputs_match_the_oracle", maximum_from_a_number},
        {"TiledQueriesOf64", "outputs_match_the_oracle", tiled_queries},
        {"SplitKeysOf513", "outputs_match_the_oracle", split_keys},
        {"PathWithoutWeights", "outputs_match_the_oracle", path_without_weights},
        {"PathWithWeights", "outputs_match_the_oracle", path_with_weights},
        {"PathWithoutOffsets", "outputs_match_the_oracle", path_without_offsets},
        {"PaddingMaskShared", "rows_do_not_mix", padding_mask_shared},
        {"ScaleKeptPerShape", "rows_do_not_mix", scale_kept_per_shape},
    };
    return list;
}

}  // namespace kvcheck
