// SPDX-License-Identifier: Apache-2.0
#include "model/case.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/cache_state.hpp"
#include "model/types/error.hpp"
#include "model/types/ieee.hpp"

namespace kvcheck {
namespace {

void validate_token(const Spec& spec, const Token& token, const std::string& place) {
    if (Index(token.input.size()) != spec.input_size()) {
        throw InputError(place, std::to_string(token.input.size()) + " values",
                         std::to_string(spec.input_size()) + ", as the spec says");
    }
    // What somebody sees must be finite: a real token, and the query of a computed padded one.
    Index seen = spec.input_size();
    if (!token.real) {
        if (spec.padded_query == PaddedQuery::unspecified) return;
        if (spec.level == Level::attention) seen = spec.query_size();
    }
    for (Index i = 0; i < seen; ++i) {
        if (!std::isfinite(token.input[std::size_t(i)])) {
            throw InputError(place, float_text(token.input[std::size_t(i)]),
                             token.real
                                 ? "finite numbers in a real token"
                                 : "a finite query in a padded token whose output is computed");
        }
    }
}

/// Padding patterns of one epoch's row.
FeatureSet padding_features(const RowTokens& row) {
    FeatureSet features;
    const auto is_real = [](const Token& token) { return token.real; };
    const auto first = std::find_if(row.begin(), row.end(), is_real);
    if (first == row.end()) {
        if (!row.empty()) features.add(Feature::padding_all);
        return features;
    }
    const auto last = std::find_if(row.rbegin(), row.rend(), is_real).base();
    if (first != row.begin()) features.add(Feature::padding_left);
    if (last != row.end()) features.add(Feature::padding_right);
    if (!std::all_of(first, last, is_real)) features.add(Feature::padding_holes);
    return features;
}

FeatureSet spec_features(const Spec& spec) {
    FeatureSet features;
    const auto add_if = [&](bool needed, Feature feature) {
        if (needed) features.add(feature);
    };
    features.add(spec.level == Level::layer ? Feature::layer : Feature::attention);
    add_if(spec.rows > 1, Feature::batch);
    add_if(spec.query_heads != spec.kv_heads, Feature::grouped_heads);
    add_if(spec.value_width != spec.key_width, Feature::value_width);
    add_if(spec.scale.has_value(), Feature::custom_scale);
    add_if(spec.position_signal == PositionSignal::sinusoidal, Feature::sinusoidal_positions);
    add_if(spec.position_signal == PositionSignal::learned, Feature::learned_positions);
    add_if(spec.position_ids == PositionIds::visible_count, Feature::visible_count_ids);
    add_if(spec.biases, Feature::biases);
    add_if(spec.padded_query == PaddedQuery::computed, Feature::padded_query_computed);
    return features;
}

FeatureSet append_features(const Append& append, const std::vector<Index>& lengths) {
    FeatureSet features;
    const Index most = count_max(append);
    if (most == 0) features.add(Feature::empty_chunks);
    for (std::size_t r = 0; r < append.rows.size(); ++r) {
        const Index count = Index(append.rows[r].size());
        if (count != most) features.add(Feature::unequal_counts);
        if (count > 1 && lengths[r] > 0) features.add(Feature::warm_chunks);
    }
    if (append.query_offset) features.add(Feature::query_offset);
    return features;
}

/// A case takes as long as its exact answer, and longer than a minute is nobody's wish.
void validate_work(const Case& value, const std::string& prefix) {
    constexpr double products_max = 1 << 28;
    double products = 0;
    for (const Epoch& epoch : history_of(value)) {
        for (const RowTokens& row : epoch) products += double(row.size()) * double(row.size());
    }
    products *=
        double(value.spec.query_heads) * double(value.spec.key_width + value.spec.value_width);
    if (products > products_max) {
        throw InputError(prefix + "program", std::to_string(std::int64_t(products)) + " products",
                         "at most 2^28, counted as docs/case_file.md says");
    }
}

}  // namespace

void validate(const Case& value, const std::string& prefix) {
    validate(value.spec, prefix + "spec");
    validate(value.spec, value.parameters, prefix + "parameters");
    CacheState state(value.spec, position_count(value.spec, value.parameters));
    for (std::size_t n = 0; n < value.program.size(); ++n) {
        const std::string place = prefix + "program[" + std::to_string(n) + "].append";
        if (const auto* append = std::get_if<Append>(&value.program[n])) {
            for (std::size_t r = 0; r < append->rows.size(); ++r) {
                for (std::size_t t = 0; t < append->rows[r].size(); ++t) {
                    validate_token(
                        value.spec, append->rows[r][t],
                        place + ".rows[" + std::to_string(r) + "][" + std::to_string(t) + "]");
                }
            }
            const std::string objection = state.objection(*append);
            if (!objection.empty()) throw InputError(place, objection, "an admissible append");
            state.apply(*append);
        } else {
            state.apply(Reset{});
        }
    }
    validate_work(value, prefix);
}

std::vector<Epoch> history_of(const Case& value) {
    std::vector<Epoch> epochs(1, Epoch(std::size_t(value.spec.rows)));
    for (const Command& command : value.program) {
        if (const auto* append = std::get_if<Append>(&command)) {
            for (std::size_t r = 0; r < append->rows.size(); ++r) {
                auto& row = epochs.back()[r];
                row.insert(row.end(), append->rows[r].begin(), append->rows[r].end());
            }
        } else {
            epochs.emplace_back(std::size_t(value.spec.rows));
        }
    }
    return epochs;
}

Case resplit(const Case& value, const std::vector<std::vector<std::vector<Index>>>& splits) {
    const std::vector<Epoch> epochs = history_of(value);
    KVCHECK_ASSERT(splits.size() == epochs.size());
    const bool with_offsets = features_of(value).has(Feature::query_offset);
    Case result{value.spec, value.parameters, {}};
    for (std::size_t e = 0; e < epochs.size(); ++e) {
        if (e > 0) result.program.emplace_back(Reset{});
        std::vector<Index> done(epochs[e].size(), 0);
        for (const std::vector<Index>& counts : splits[e]) {
            Append append;
            if (with_offsets) append.query_offset = done;
            for (std::size_t r = 0; r < done.size(); ++r) {
                const auto begin = epochs[e][r].begin() + done[r];
                append.rows.emplace_back(begin, begin + counts[r]);
                done[r] += counts[r];
            }
            result.program.emplace_back(std::move(append));
        }
        for (std::size_t r = 0; r < done.size(); ++r) {
            KVCHECK_ASSERT(done[r] == Index(epochs[e][r].size()));
        }
    }
    return result;
}

FeatureSet features_of(const Case& value) {
    FeatureSet features = spec_features(value.spec);
    std::vector<Index> lengths(std::size_t(value.spec.rows), 0);
    bool was_reset = false;
    for (const Command& command : value.program) {
        if (const auto* append = std::get_if<Append>(&command)) {
            features = features | append_features(*append, lengths);
            for (std::size_t r = 0; r < lengths.size(); ++r) {
                lengths[r] += Index(append->rows[r].size());
            }
            if (was_reset && count_max(*append) > 0) features.add(Feature::reset);
        } else {
            std::fill(lengths.begin(), lengths.end(), 0);
            was_reset = true;
        }
    }
    for (const Epoch& epoch : history_of(value)) {
        for (const RowTokens& row : epoch) {
            features = features | padding_features(row);
            for (const Token& token : row) {
                const bool nonfinite = std::any_of(token.input.begin(), token.input.end(),
                                                   [](float x) { return !std::isfinite(x); });
                if (nonfinite) features.add(Feature::masked_nonfinite);
            }
            const bool starts_dead = !row.empty() && !row.front().real;
            if (!starts_dead || value.spec.padded_query != PaddedQuery::computed) continue;
            if (value.spec.dead_row == DeadRow::zeros) features.add(Feature::dead_row_zeros);
            if (value.spec.dead_row == DeadRow::nan) features.add(Feature::dead_row_nan);
        }
    }
    return features;
}

CaseSize size_of(const Case& value) {
    CaseSize size{value.spec.rows, value.spec.query_heads, 0, Index(value.program.size())};
    for (const Epoch& epoch : history_of(value)) {
        Index longest = 0;
        for (const RowTokens& row : epoch) longest = std::max(longest, Index(row.size()));
        size.tokens += longest;
    }
    return size;
}

}  // namespace kvcheck
