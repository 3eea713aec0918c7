// SPDX-License-Identifier: Apache-2.0
// A call from its text to guarded memory and back (declared in served_call.hpp).
#include "impl/protocol/served_call.hpp"

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "impl/protocol/wire.hpp"

namespace kvcheck {
namespace {

/// The elements of an output; null where the poison is still there.
Json written(const GuardedArray& array) {
    const InputView view = array.input();
    const auto build = [&](const auto& self, int dimension, Index offset) -> Json {
        if (dimension == view.shape.rank) {
            const std::byte* const element = view.data + offset * Index(size_of(view.type));
            if (GuardedArray::is_poison(view.type, element)) return nullptr;
            return wire_json(InputView{element, view.type, Shape{}, {}});
        }
        Json list = Json::array();
        const auto d = std::size_t(dimension);
        for (Index i = 0; i < view.shape.extent[d]; ++i) {
            list.push_back(self(self, dimension + 1, offset + i * view.stride[d]));
        }
        return list;
    };
    return build(build, 0, 0);
}

/// Memory for one array as its view says; `right` is the shape that the spec says.
GuardedArray placed_array(const char* name, const ViewClaim& claim, const Shape& right) {
    // A wrong call's arrays get spare room, so that a subject that trusts its spec stays inside.
    return {claim.type, claim.shape,
            GuardedArray::Options{.placement = claim.placement,
                                  .room = claim.shape == right ? 0 : 1,
                                  .guard_pages = true,
                                  .name = name}};
}

}  // namespace

GuardedArray& ServedCall::add_input(const TokenArray& array, const ViewClaim& claim,
                                    const Shape& right) {
    return inputs_.emplace_back(placed_array(array.name.data(), claim, right));
}

void ServedCall::add_output(const ViewClaim& claim, const Spec& spec, Index tokens) {
    const TokenArray& output = output_array(spec.level);
    output_.emplace(placed_array(output.name.data(), claim, call_shape(output, spec, tokens)));
    call_.output = output_->output();
}

void ServedCall::add_weights(const ViewClaim& claim) {
    weights_.emplace(placed_array("weights", claim, claim.shape));
    call_.weights = weights_->output();
}

void ServedCall::add_log_sum_exp(const ViewClaim& claim) {
    log_sum_exp_.emplace(placed_array("log_sum_exp", claim, claim.shape));
    call_.log_sum_exp = log_sum_exp_->output();
}

ServedCall::ServedCall(const JsonPlace& body, const Spec& spec) {
    constexpr Index least = std::numeric_limits<Index>::min();
    constexpr Index most = std::numeric_limits<Index>::max();
    for (const JsonPlace& count : body.member("counts").elements()) {
        counts_.push_back(count.integer(least, most));
    }
    const auto rows = body.member("real").elements();
    const Index tokens = rows.empty() ? 0 : Index(rows.front().elements().size());
    for (const JsonPlace& row : rows) {
        for (const JsonPlace& real : row.elements()) real_.push_back(real.boolean() ? 1 : 0);
    }
    if (const auto offsets = body.optional_member("query_offset")) {
        offsets_.emplace();
        for (const JsonPlace& offset : offsets->elements()) {
            offsets_->push_back(offset.integer(least, most));
        }
    }
    if (const auto backs = body.optional_member("back")) {
        backs_.emplace();
        for (const JsonPlace& row : backs->elements()) {
            for (const JsonPlace& back : row.elements()) {
                backs_->push_back(back.integer(least, most));
            }
        }
    }
    const auto claim_at = [&](std::string_view name) {
        return claim_from_wire(body.member("views").member(name));
    };
    for (const TokenArray& array : input_arrays(spec.level)) {
        GuardedArray& input =
            add_input(array, claim_at(array.name), call_shape(array, spec, tokens));
        read_wire(body.member(array.name), input.output());
        input.seal();
        input_of(call_, array.role) = input.input();
    }
    add_output(claim_at(output_array(spec.level).name), spec, tokens);
    if (body.optional_member("want_weights")) add_weights(claim_at("weights"));
    if (body.optional_member("want_log_sum_exp")) add_log_sum_exp(claim_at("log_sum_exp"));
}

ServedCall::ServedCall(FrameReader& frame, const Spec& spec) {
    const auto list = [&](std::string_view what) {
        std::vector<Index> values(std::size_t(frame.count(what, sizeof(Index))));
        const std::string_view bytes = frame.bytes(what, values.size() * sizeof(Index));
        if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    };
    counts_ = list("counts");
    const std::string_view real = frame.text("real");
    for (const char c : real) real_.push_back(c != 0 ? 1 : 0);
    if (frame.word("has_query_offset", 0, 1) != 0) offsets_ = list("query_offset");
    const Index tokens = counts_.empty() ? 0 : Index(real_.size() / counts_.size());
    for (const TokenArray& array : input_arrays(spec.level)) {
        GuardedArray& input =
            add_input(array, frame.claim(array.name), call_shape(array, spec, tokens));
        frame.elements(array.name, input.output());
        input.seal();
        input_of(call_, array.role) = input.input();
    }
    add_output(frame.claim(output_array(spec.level).name), spec, tokens);
    if (frame.word("want_weights", 0, 1) != 0) add_weights(frame.claim("weights"));
    if (!frame.at_end()) {
        backs_ = list("back");
        if (backs_->empty()) backs_.reset();
        if (!frame.at_end()) add_log_sum_exp(frame.claim("log_sum_exp"));
    }
    frame.end();
}

const AppendCall& ServedCall::call() {
    call_.counts = counts_;
    call_.real = real_;
    if (offsets_) call_.query_offset = *offsets_;
    if (backs_) call_.back = *backs_;
    return call_;
}

Json ServedCall::outputs() const {
    Json json;
    json["output"] = written(*output_);
    if (weights_) json["weights"] = written(*weights_);
    if (log_sum_exp_) json["log_sum_exp"] = written(*log_sum_exp_);
    return json;
}

void ServedCall::write_outputs(FrameWriter& frame) const {
    frame.elements(output_->input());
    if (weights_) frame.elements(weights_->input());
    if (log_sum_exp_) frame.elements(log_sum_exp_->input());
}

std::string ServedCall::memory_fault() const {
    for (const GuardedArray& input : inputs_) {
        if (!input.unchanged()) return "append changed one of its inputs, or memory around it";
    }
    for (const auto* output : {&output_, &weights_, &log_sum_exp_}) {
        if (*output && !(*output)->only_elements_changed()) {
            return "append wrote outside the elements of its outputs";
        }
    }
    return {};
}

}  // namespace kvcheck
