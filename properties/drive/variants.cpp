// SPDX-License-Identifier: Apache-2.0
// Making cases from cases (declared in variants.hpp).
#include "properties/drive/variants.hpp"

#include <algorithm>
#include <limits>

#include "model/types/arrays.hpp"

namespace kvcheck {

bool every_token(const TokenSite&, const Token&) { return true; }

Case with_contents(const Case& test_case, float content, const TokenChoice& chosen) {
    Case changed = test_case;
    for_each_token(changed, [&](const TokenSite& site, Token& token) {
        if (chosen(site, token)) std::fill(token.input.begin(), token.input.end(), content);
    });
    return changed;
}

Case without_branches(const Case& test_case) {
    Case chain = test_case;
    for_each_token(chain, [](const TokenSite&, Token& token) { token.back = 1; });
    return chain;
}

std::vector<float> finite_contents(const Spec& spec) {
    constexpr float large = 1048576.0F * 1048576.0F;
    // What overflows when it is stored is not finite any more.
    constexpr float large_half = 16384;
    constexpr float before_projections = 64;
    if (spec.storage != Storage::fp16) return {large, -large};
    const float most = spec.level == Level::layer ? before_projections : large_half;
    return {most, -most};
}

std::vector<float> nonfinite_contents() {
    using Limits = std::numeric_limits<float>;
    return {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()};
}

std::vector<std::vector<Index>> splits_of(Index length) {
    std::vector<std::vector<Index>> splits;
    const auto add = [&](std::vector<Index> split) {
        if (std::find(splits.begin(), splits.end(), split) == splits.end()) {
            splits.push_back(std::move(split));
        }
    };
    add({length});
    if (length < 2) return splits;
    add(std::vector<Index>(std::size_t(length), 1));
    add({length - 1, 1});
    add({1, length - 1});
    std::vector<Index> three_two_two;
    for (Index left = length; left > 0; left -= three_two_two.back()) {
        three_two_two.push_back(std::min<Index>(left, three_two_two.empty() ? 3 : 2));
    }
    add(three_two_two);
    add({0, length / 2, 0, length - length / 2});
    constexpr Index exhaustive_max = 4;
    if (length > exhaustive_max) return splits;
    for (unsigned cuts = 0; cuts < 1U << unsigned(length - 1); ++cuts) {
        add(composition(length, cuts));
    }
    return splits;
}

std::vector<Index> composition(Index length, unsigned cuts) {
    std::vector<Index> sizes(1, 1);
    for (Index slot = 1; slot < length; ++slot) {
        if ((cuts >> unsigned(slot - 1) & 1U) != 0)
            sizes.push_back(1);
        else
            ++sizes.back();
    }
    return sizes;
}

Case with_chunks(const Case& test_case, const std::vector<Index>& chunks) {
    std::vector<Counts> counts;
    for (const Segment& segment : segments_of(test_case)) {
        counts.push_back(counts_of(segment, chunks));
    }
    return resplit(test_case, counts);
}

std::string chunks_text(const std::vector<Index>& chunks) {
    constexpr std::size_t written_out_max = 3;  // equal ones in a run
    std::string text;
    for (std::size_t n = 0; n < chunks.size();) {
        std::size_t end = n;
        while (end < chunks.size() && chunks[end] == chunks[n]) ++end;
        const std::size_t count = end - n;
        const bool written_out = count <= written_out_max;
        for (std::size_t i = 0; i < (written_out ? count : 2); ++i) {
            text += (text.empty() ? "" : " + ") + std::to_string(chunks[n]);
        }
        if (!written_out) text += " + ... (" + std::to_string(count) + " times)";
        n = end;
    }
    return text;
}

Case with_equal_kv_heads(const Case& test_case) {
    const Spec& spec = test_case.spec;
    Case changed = test_case;
    for_each_token(changed, [&](const TokenSite&, Token& token) {
        for_each_input(spec, [&](const TokenArray& array, Index begin, Index) {
            if (array.role == Role::query) return;
            const AxisExtent extent = extent_of(array.axis, spec);
            const auto first = token.input.begin() + begin;
            for (Index head = 1; head < extent.heads; ++head) {
                std::copy_n(first, extent.width, first + head * extent.width);
            }
        });
    });
    return changed;
}

namespace {

/// A reorder for a batch of `rows` rows that has as many afterwards.
Reorder for_as_many_rows(Reorder reorder, Index rows) {
    for (Index& source : reorder.sources) source = std::min(source, rows - 1);
    reorder.sources.resize(std::size_t(rows), rows - 1);
    return reorder;
}

}  // namespace

Case stranger_to(const Case& test_case, FeatureSet features) {
    constexpr float content = 0.25F;
    Case other;
    Spec& spec = other.spec;
    spec = test_case.spec;
    if (features.has(Feature::batch)) ++spec.rows;
    spec.query_heads = spec.kv_heads = test_case.spec.kv_heads + 1;
    spec.key_width += spec.rotary == Rotary::none ? 1 : 2;  // pairs remain pairs
    spec.value_width = features.has(Feature::value_width) ? spec.key_width + 1 : spec.key_width;
    if (spec.level == Level::layer) ++spec.model_width;
    if (features.has(Feature::custom_scale)) {
        spec.scale = test_case.spec.scale ? 2 * *test_case.spec.scale : 3;
    }
    spec.capacity = Index(test_case.program.size()) + 1;
    other.parameters = zero_parameters(spec, spec.capacity);
    for (const ParameterArray& array : parameter_arrays()) {
        if (array.part != "weight" && array.name != "rotary_table") continue;
        auto& weights = array.in(other.parameters);
        std::fill(weights.begin(), weights.end(), content);
    }
    CacheState state(spec, spec.capacity);
    const Token token{true, std::vector<float>(std::size_t(spec.input_size()), content)};
    for (Command command : test_case.program) {
        const auto* reorder = std::get_if<Reorder>(&command);
        if (reorder != nullptr && !features.has(Feature::varying_rows))
            command = for_as_many_rows(*reorder, state.row_count());
        // What the stranger's rows, or its table, do not admit gives way to tokens.
        const bool turns_back =
            std::holds_alternative<Shift>(command) && spec.rotary != Rotary::none;
        if (std::holds_alternative<Append>(command) || turns_back ||
            !state.objection(command).empty()) {
            Append append;
            for (Index r = 0; r < state.row_count(); ++r)
                append.rows.emplace_back(state.row(r).is_finished() ? 0 : 1, token);
            command = std::move(append);
        }
        state.apply(command);
        other.program.push_back(std::move(command));
    }
    return other;
}

}  // namespace kvcheck
