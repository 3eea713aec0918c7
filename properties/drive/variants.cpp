// SPDX-License-Identifier: Apache-2.0
#include "properties/drive/variants.hpp"

#include <algorithm>
#include <limits>

#include "model/types/assert.hpp"

namespace kvcheck {

Case with_contents(const Case& value, Part part, float content, const TokenChoice& chosen) {
    const bool keep_query = part == Part::seen_by_others && value.spec.level == Level::attention;
    const Index begin = keep_query ? value.spec.query_size() : 0;
    Case changed = value;
    std::size_t epoch = 0;
    std::vector<std::size_t> lengths(std::size_t(value.spec.rows), 0);
    for (Command& command : changed.program) {
        auto* append = std::get_if<Append>(&command);
        if (append == nullptr) {
            ++epoch;
            std::fill(lengths.begin(), lengths.end(), 0);
            continue;
        }
        for (std::size_t r = 0; r < append->rows.size(); ++r) {
            for (Token& token : append->rows[r]) {
                if (chosen(epoch, r, lengths[r]++, token)) {
                    std::fill(token.input.begin() + begin, token.input.end(), content);
                }
            }
        }
    }
    return changed;
}

std::vector<float> finite_contents() {
    constexpr float large = 1048576.0F * 1048576.0F;
    return {large, -large};
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
    for (int cuts = 0; cuts < 1 << (length - 1); ++cuts) {
        std::vector<Index> composition(1, 1);
        for (Index slot = 1; slot < length; ++slot) {
            if ((cuts >> (slot - 1) & 1) != 0)
                composition.push_back(1);
            else
                ++composition.back();
        }
        add(composition);
    }
    return splits;
}

Case with_chunks(const Case& value, const std::vector<Index>& chunks) {
    std::vector<std::vector<std::vector<Index>>> splits;
    for (const Epoch& epoch : history_of(value)) {
        auto& calls = splits.emplace_back();
        std::vector<Index> left;
        for (const RowTokens& row : epoch) left.push_back(Index(row.size()));
        const auto take = [&](Index size) {
            auto& counts = calls.emplace_back();
            for (Index& remaining : left) {
                counts.push_back(std::min(size, remaining));
                remaining -= counts.back();
            }
        };
        const bool is_empty = *std::max_element(left.begin(), left.end()) == 0;
        for (const Index size : chunks) {
            if (!is_empty) take(size);
        }
        const Index longest = *std::max_element(left.begin(), left.end());
        if (longest > 0) take(longest);  // an epoch longer than the split
    }
    return resplit(value, splits);
}

std::string chunks_text(const std::vector<Index>& chunks) {
    std::string text;
    for (const Index size : chunks) text += (text.empty() ? "" : " + ") + std::to_string(size);
    return text;
}

Case with_equal_kv_heads(const Case& value) {
    const Spec& spec = value.spec;
    Case changed = value;
    for (Command& command : changed.program) {
        auto* append = std::get_if<Append>(&command);
        if (append == nullptr) continue;
        for (auto& row : append->rows) {
            for (Token& token : row) {
                const auto key = token.input.begin() + spec.query_size();
                const auto its_value = key + spec.key_size();
                for (Index head = 1; head < spec.kv_heads; ++head) {
                    std::copy_n(key, spec.key_width, key + head * spec.key_width);
                    std::copy_n(its_value, spec.value_width, its_value + head * spec.value_width);
                }
            }
        }
    }
    return changed;
}

Case stranger_to(const Case& value, FeatureSet features) {
    constexpr float content = 0.25F;
    Case other;
    Spec& spec = other.spec;
    spec = value.spec;
    if (features.has(Feature::batch)) ++spec.rows;
    spec.query_heads = spec.kv_heads = value.spec.kv_heads + 1;
    ++spec.key_width;
    spec.value_width = features.has(Feature::value_width) ? spec.key_width + 1 : spec.key_width;
    if (spec.level == Level::layer) ++spec.model_width;
    if (features.has(Feature::custom_scale))
        spec.scale = value.spec.scale ? 2 * *value.spec.scale : 3;
    spec.capacity = Index(value.program.size()) + 1;
    other.parameters = zero_parameters(spec, spec.capacity);
    for (Projection* projection : {&other.parameters.query, &other.parameters.key,
                                   &other.parameters.value, &other.parameters.output}) {
        std::fill(projection->weight.begin(), projection->weight.end(), content);
    }
    for (const Command& command : value.program) {
        if (std::holds_alternative<Reset>(command)) {
            other.program.emplace_back(Reset{});
            continue;
        }
        Append append;
        Token token{true, std::vector<float>(std::size_t(spec.input_size()), content)};
        append.rows.assign(std::size_t(spec.rows), {token});
        other.program.emplace_back(std::move(append));
    }
    return other;
}

Case with_rows(const Case& value, const std::vector<Index>& rows) {
    Case chosen{value.spec, value.parameters, {}};
    chosen.spec.rows = Index(rows.size());
    for (const Command& command : value.program) {
        const auto* append = std::get_if<Append>(&command);
        if (append == nullptr) {
            chosen.program.emplace_back(Reset{});
            continue;
        }
        Append part;
        if (append->query_offset) part.query_offset.emplace();
        for (const Index r : rows) {
            part.rows.push_back(append->rows[std::size_t(r)]);
            if (append->query_offset) {
                part.query_offset->push_back((*append->query_offset)[std::size_t(r)]);
            }
        }
        chosen.program.emplace_back(std::move(part));
    }
    return chosen;
}

}  // namespace kvcheck
