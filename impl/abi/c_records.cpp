// SPDX-License-Identifier: Apache-2.0
// Field by field (declared in c_records.hpp).
#include "impl/abi/c_records.hpp"

namespace kvcheck {

// The C enumerations have the order of ours.
static_assert(int(Level::layer) == KVCHECK_LAYER && int(ElementType::f64) == KVCHECK_F64);
static_assert(int(PositionSignal::learned) == KVCHECK_POSITIONS_LEARNED);
static_assert(int(Rotary::adjacent) == KVCHECK_ROTARY_ADJACENT);
static_assert(int(PositionIds::visible_count) == KVCHECK_IDS_VISIBLE_COUNT);
static_assert(int(PaddedQuery::computed) == KVCHECK_PADDED_COMPUTED);
static_assert(int(DeadRow::unspecified) == KVCHECK_DEAD_UNSPECIFIED);
static_assert(int(Storage::int8) == KVCHECK_STORAGE_INT8);

kvcheck_spec c_spec(const Spec& spec) {
    // A field that is missing here does not compile; one without a place in C must have a feature
    // that no plug-in of this version can declare.
    const auto& [level, rows, query_heads, kv_heads, key_width, value_width, model_width, capacity,
                 scale, softcap, window, anchors, slopes, sinks, position_signal, position_ids,
                 padded_query, dead_row, biases, rotary, rotary_width, storage] = spec;
    // Parameters that are not NULL say as much.
    static_cast<void>(slopes);
    static_cast<void>(sinks);
    kvcheck_spec c{};
    c.size = sizeof c;
    c.level = int32_t(level);
    c.rows = rows;
    c.query_heads = query_heads;
    c.kv_heads = kv_heads;
    c.key_width = key_width;
    c.value_width = value_width;
    c.model_width = model_width;
    c.capacity = capacity;
    c.has_scale = scale ? 1 : 0;
    c.scale = scale.value_or(0);
    c.position_signal = int32_t(position_signal);
    c.position_ids = int32_t(position_ids);
    c.padded_query = int32_t(padded_query);
    c.dead_row = int32_t(dead_row);
    c.biases = biases ? 1 : 0;
    c.softcap = softcap.value_or(0);
    c.window = window.value_or(0);
    c.anchors = anchors.value_or(0);
    c.rotary = int32_t(rotary);
    c.rotary_width = spec.turned_width();  // where rotary_width is absent, too
    c.storage = int32_t(storage);
    return c;
}

namespace {

kvcheck_projection c_projection(const Projection& projection) {
    return {projection.weight.empty() ? nullptr : projection.weight.data(),
            projection.bias.empty() ? nullptr : projection.bias.data()};
}

}  // namespace

kvcheck_parameters c_parameters(const Spec& spec, const Parameters& parameters) {
    kvcheck_parameters c{};
    c.size = sizeof c;
    c.query = c_projection(parameters.query);
    c.key = c_projection(parameters.key);
    c.value = c_projection(parameters.value);
    c.output = c_projection(parameters.output);
    c.position_table =
        parameters.position_table.empty() ? nullptr : parameters.position_table.data();
    c.rotary_table = parameters.rotary_table.empty() ? nullptr : parameters.rotary_table.data();
    c.positions = position_count(spec, parameters);
    if (spec.slopes) c.slopes = parameters.slopes.data();
    if (spec.sinks) c.sinks = parameters.sinks.data();
    return c;
}

kvcheck_append c_append(const AppendCall& call) {
    kvcheck_append c{};
    c.size = sizeof c;
    c.rows = int32_t(call.counts.size());
    c.tokens = call.output.shape.extent[1];
    c.counts = call.counts.data();
    c.query = c_view(call.query);
    c.key = c_view(call.key);
    c.value = c_view(call.value);
    c.x = c_view(call.x);
    c.real = call.real.data();
    if (call.query_offset) c.query_offset = call.query_offset->data();
    if (call.back) c.back = call.back->data();
    c.output = c_view(call.output);
    if (call.weights) c.weights = c_view(*call.weights);
    if (call.log_sum_exp) c.log_sum_exp = c_view(*call.log_sum_exp);
    return c;
}

kvcheck_prefix_key c_key(const PrefixKey& key, const std::string& revision) {
    kvcheck_prefix_key c{};
    c.size = sizeof c;
    c.slots = Index(key.labels.size());
    c.labels = key.labels.data();
    c.real = key.real.data();
    c.revision = revision.c_str();
    return c;
}

}  // namespace kvcheck
