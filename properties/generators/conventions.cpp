// SPDX-License-Identifier: Apache-2.0
// Drawing them (declared in conventions.hpp).
#include "properties/generators/conventions.hpp"

#include <algorithm>

namespace kvcheck {

void draw_visibility(Draw& draw, FeatureSet allowed, const FeatureSet& focus, Spec& spec) {
    static const std::vector<float> caps = {0.5F, 1.0F, 2.0F, 30.0F, 50.0F};
    static const std::vector<Index> windows = {1, 1, 2, 2, 2, 3, 3, 4, 16, 32};
    const float cap = draw.pick(caps);
    const Index window = draw.pick(windows);
    const Index anchors = draw.range(1, 4);
    const bool is_capped = draw.percent(20);
    const bool drawn_window = draw.percent(30);
    const bool is_windowed = drawn_window || focus.has(Feature::window);
    const bool is_anchored = draw.percent(50);
    if (is_capped && allowed.has(Feature::softcap)) spec.softcap = cap;
    if (!is_windowed || !allowed.has(Feature::window)) return;
    spec.window = window;
    if (is_anchored && allowed.has(Feature::anchors)) spec.anchors = anchors;
}

void draw_additions(Draw& draw, FeatureSet allowed, const FeatureSet& focus, Spec& spec) {
    const bool has_slopes = draw.percent(20);
    const bool has_sinks = draw.percent(20);
    const bool counted = draw.percent(50);
    spec.slopes = has_slopes && allowed.has(Feature::slopes);
    // A row with a sink is never dead.
    const bool wants_dead_rows = focus.has(Feature::padded_query_computed);
    spec.sinks = has_sinks && allowed.has(Feature::sinks) && !wants_dead_rows;
    if (spec.slopes && counted && allowed.has(Feature::visible_count_ids)) {
        spec.position_ids = PositionIds::visible_count;
    }
}

void draw_long_conventions(Draw& draw, FeatureSet allowed, const FeatureSet& focus, Index longest,
                           Spec& spec) {
    static const std::vector<Index> windows = {33, 63, 64, 65, 100, 128, 200};
    const Index window = draw.pick(windows);
    const Index anchors = draw.range(1, 4);
    const bool is_anchored = draw.percent(50);
    const bool drawn_window = draw.percent(30);
    const bool has_slopes = draw.percent(25);
    const bool has_sinks = draw.percent(15);
    const bool is_long = longest > windows.front();
    const bool is_windowed = (drawn_window && is_long) || focus.has(Feature::window);
    if (is_windowed && allowed.has(Feature::window) && longest > 1) {
        spec.window = std::min(is_long ? window : 2, longest - 1);
        if (is_anchored && allowed.has(Feature::anchors)) spec.anchors = anchors;
    }
    if (!is_long) return;
    spec.slopes = has_slopes && allowed.has(Feature::slopes);
    spec.sinks =
        has_sinks && allowed.has(Feature::sinks) && !focus.has(Feature::padded_query_computed);
}

}  // namespace kvcheck
