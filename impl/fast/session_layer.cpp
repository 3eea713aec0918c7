// SPDX-License-Identifier: Apache-2.0
// The layer's part of a session: waves of tokens through projections and attention.
#include <algorithm>
#include <tuple>

#include "impl/fast/session.hpp"

namespace kvcheck::fast {
namespace {

/// Tokens of a projection task.
constexpr Index projected_tokens = 48;

}  // namespace

void FastSession::append_layer(const AppendCall& call, Sight sight) {
    Index row = 0;
    Index first = 0;  // token of the row's call
    while (row < spec_.rows) {
        Index tokens = 0;  // of the wave
        plan_.clear();
        while (row < spec_.rows && tokens < layer_->tokens_max) {
            const Index count = call.counts[std::size_t(row)];
            const Index left = count - first;
            // Work arrays hold the queries of as many tokens as a row has slots.
            const Index taken = std::min({left, layer_->tokens_max - tokens, spec_.capacity});
            if (taken > 0) {
                plan_.add(row, tokens, first, taken, cache_.length(row),
                          sight == Sight::all ? unsplit : count);
                load(call, sight, plan_.segments().back());
            }
            tokens += taken;
            first += taken;
            if (taken == left) {
                ++row;
                first = 0;
            }
        }
        if (tokens > 0) run_layer(call, sight, tokens);
    }
}

/// Queries without keys take no slot, and have no position.
void FastSession::load(const AppendCall& call, Sight sight, const Segment& segment) {
    const Index width = spec_.model_width;
    const auto& [row, position, first, count] =
        std::tie(segment.row, segment.position, segment.first, segment.tokens);
    if (sight == Sight::causal) grow(call, row, first, count);
    for (Index t = 0; t < count; ++t) {
        float* const x = layer_->x.at(position + t);
        for (Index i = 0; i < width; ++i) x[i] = call.x.at<float>(row, first + t, i);
        if (spec_.position_signal == PositionSignal::none || sight == Sight::all) continue;
        const Index id = cache_.row(row).id(segment.past + t);
        const float* const signal = layer_->position_table.data() + id * width;
        for (Index i = 0; i < width; ++i) x[i] += signal[i];
    }
}

void FastSession::run_layer(const AppendCall& call, Sight sight, Index tokens) {
    LayerArrays& layer = *layer_;
    const Index parts = (tokens + projected_tokens - 1) / projected_tokens;
    const auto project = [&](const PackedProjection& weight, const TokenArray& in, Index task,
                             const TokenArray& out) {
        const Index first = task / weight.panels() * projected_tokens;
        weight.apply(kernels_, in.at(first), in.stride, std::min(projected_tokens, tokens - first),
                     task % weight.panels(), out.at(first));
    };

    const Index query_tasks = parts * layer.query_weight.panels();
    const Index key_tasks = query_tasks + parts * layer.key_weight.panels();
    const Index all_tasks = key_tasks + parts * layer.value_weight.panels();
    const Index work =
        layer.query_weight.work() + layer.key_weight.work() + layer.value_weight.work();
    run(sight == Sight::all ? query_tasks : all_tasks, tokens * work, [&](Index task, int) {
        if (task < query_tasks) {
            project(layer.query_weight, layer.x, task, layer.query);
        } else if (task < key_tasks) {
            project(layer.key_weight, layer.x, task - query_tasks, layer.key);
        } else {
            project(layer.value_weight, layer.x, task - key_tasks, layer.value);
        }
    });

    const auto array = [](const TokenArray& tokens_of, Index width) {
        return array_of_tokens(tokens_of.data, tokens_of.stride, width);
    };
    const Wave wave = {call,
                       sight,
                       array(layer.query, spec_.key_width).constant(),
                       array(layer.key, spec_.key_width).constant(),
                       array(layer.value, spec_.value_width).constant(),
                       array(layer.attended, spec_.value_width)};
    sight == Sight::all ? attend_all(wave) : store_and_attend(wave);

    run(parts * layer.output_weight.panels(), tokens * layer.output_weight.work(),
        [&](Index task, int) { project(layer.output_weight, layer.attended, task, layer.y); });
    for (const Segment& segment : plan_.segments()) {
        for (Index t = 0; t < segment.tokens; ++t) {
            const float* const y = layer.y.at(segment.position + t);
            for (Index i = 0; i < spec_.model_width; ++i) {
                call.output.at<float>(segment.row, segment.first + t, i) = y[i];
            }
        }
    }
}

}  // namespace kvcheck::fast
