// SPDX-License-Identifier: Apache-2.0
// Appends put together (declared in requests.hpp).
#include "impl/protocol/requests.hpp"

#include <cstring>
#include <nlohmann/json.hpp>

#include "impl/protocol/wire.hpp"
#include "model/types/enum_names.hpp"

namespace kvcheck {
namespace {

std::vector<const InputView*> inputs_of(const AppendCall& call, const Spec& spec) {
    std::vector<const InputView*> inputs;
    for (const TokenArray& array : input_arrays(spec.level)) {
        inputs.push_back(&input_of(call, array.role));
    }
    return inputs;
}

/// "mixed" where the inputs do not agree.
std::string element_of(const AppendCall& call, const Spec& spec) {
    const auto inputs = inputs_of(call, spec);
    for (const InputView* input : inputs) {
        if (input->type != inputs.front()->type) return "mixed";
    }
    return std::string(name_of(inputs.front()->type));
}

Json views_of(const AppendCall& call, const Spec& spec) {
    Json views;
    for (const TokenArray& array : input_arrays(spec.level)) {
        views[std::string(array.name)] = wire_json(claim_of(input_of(call, array.role)));
    }
    views["output"] = wire_json(claim_of(call.output));
    if (call.weights) views["weights"] = wire_json(claim_of(*call.weights));
    if (call.log_sum_exp) views["log_sum_exp"] = wire_json(claim_of(*call.log_sum_exp));
    return views;
}

}  // namespace

Json open_body(const Spec& spec, const Parameters& parameters) {
    return {{"spec", to_json(spec, Decimals::exact)},
            {"parameters", to_json(spec, parameters, Decimals::exact)}};
}

std::string spec_text(const Spec& spec) { return to_json(spec, Decimals::exact).dump(); }

std::string open_frame(const std::string& spec_text, const Parameters& parameters) {
    FrameWriter frame(FrameKind::open);
    frame.text(spec_text);
    for (const ParameterArray& array : parameter_arrays()) {
        const std::vector<float>& values = array.in(parameters);
        frame.word(Index(values.size()));
        frame.bytes(values.data(), values.size() * sizeof(float));
    }
    return frame.take();
}

Parameters read_parameters(FrameReader& frame, const Spec& spec) {
    Parameters parameters;
    for (const ParameterArray& array : parameter_arrays()) {
        std::vector<float>& values = array.in(parameters);
        const std::string name = array.path();
        values.resize(std::size_t(frame.count(name, sizeof(float))));
        const std::string_view bytes = frame.bytes(name, values.size() * sizeof(float));
        if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
        if (!array.exists(spec) && !values.empty())
            frame.fail(name, std::to_string(values.size()) + " numbers", "none, as the spec says");
    }
    frame.end();
    validate(spec, parameters);
    return parameters;
}

Json append_body(const AppendCall& call, const Spec& spec, const Json& session, bool with_views) {
    Json body;
    body["session"] = session;
    body["element"] = element_of(call, spec);
    body["counts"] = std::vector<Index>(call.counts.begin(), call.counts.end());
    for (const TokenArray& array : input_arrays(spec.level)) {
        body[std::string(array.name)] = wire_json(input_of(call, array.role));
    }
    Json rows = Json::array();
    const std::size_t tokens = call.counts.empty() ? 0 : call.real.size() / call.counts.size();
    for (std::size_t r = 0; r < call.counts.size(); ++r) {
        Json row = Json::array();
        for (std::size_t t = 0; t < tokens; ++t) row.push_back(call.real[r * tokens + t] != 0);
        rows.push_back(std::move(row));
    }
    body["real"] = std::move(rows);
    if (call.back) {
        Json backs = Json::array();
        for (std::size_t r = 0; r < call.counts.size(); ++r) {
            const auto row = call.back->subspan(r * tokens, tokens);
            backs.push_back(std::vector<Index>(row.begin(), row.end()));
        }
        body["back"] = std::move(backs);
    }
    if (call.query_offset) {
        body["query_offset"] =
            std::vector<Index>(call.query_offset->begin(), call.query_offset->end());
    }
    if (call.weights) body["want_weights"] = true;
    if (call.log_sum_exp) body["want_log_sum_exp"] = true;
    if (with_views) body["views"] = views_of(call, spec);
    return body;
}

std::string append_frame(const AppendCall& call, const Spec& spec, Index session) {
    FrameWriter frame(FrameKind::append);
    frame.word(session);
    const auto list = [&](std::span<const Index> values) {
        frame.word(Index(values.size()));
        frame.bytes(values.data(), values.size_bytes());
    };
    list(call.counts);
    frame.word(Index(call.real.size()));
    frame.bytes(call.real.data(), call.real.size());
    frame.word(call.query_offset ? 1 : 0);
    if (call.query_offset) list(*call.query_offset);
    for (const InputView* input : inputs_of(call, spec)) {
        frame.claim(claim_of(*input));
        frame.elements(*input);
    }
    frame.claim(claim_of(call.output));
    frame.word(call.weights ? 1 : 0);
    if (call.weights) frame.claim(claim_of(*call.weights));
    // A program that knows neither gets neither; one that knows trees alone, what it knows.
    if (call.back || call.log_sum_exp) list(call.back.value_or(std::span<const Index>()));
    if (call.log_sum_exp) frame.claim(claim_of(*call.log_sum_exp));
    return frame.take();
}

bool output_fits_inputs(const AppendCall& call, const Spec& spec) {
    const bool layer = spec.level == Level::layer;
    Shape shape = layer ? call.x.shape : call.query.shape;
    if (!layer) shape.extent[3] = call.value.shape.extent[3];
    for (const InputView* input : inputs_of(call, spec)) {
        if (call.output.type == input->type) return call.output.shape == shape;
    }
    return false;
}

}  // namespace kvcheck
