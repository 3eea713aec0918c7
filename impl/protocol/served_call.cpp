// SPDX-License-Identifier: Apache-2.0
#include "impl/protocol/served_call.hpp"

#include <limits>

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

}  // namespace

void ServedCall::place(std::optional<GuardedArray>& array, const JsonPlace& body, const char* name,
                       const Shape& right) {
    if (right.rank == 0) return;
    const ViewClaim claim = claim_from_wire(body.member("views").member(name));
    // A wrong call's arrays get spare room, so that a subject that trusts its spec stays inside.
    array.emplace(claim.type, claim.shape,
                  GuardedArray::Options{.placement = claim.placement,
                                        .room = claim.shape == right ? 0 : 1,
                                        .guard_pages = true,
                                        .name = name});
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
        for (const JsonPlace& offset : offsets->elements()) {
            offsets_.push_back(offset.integer(least, most));
        }
    }
    const bool layer = spec.level == Level::layer;
    const Shape none;
    const auto at_attention = [&](Index heads, Index width) {
        return layer ? none : Shape{spec.rows, tokens, heads, width};
    };
    const Shape wide = {spec.rows, tokens, spec.model_width};
    place(query_, body, "q", at_attention(spec.query_heads, spec.key_width));
    place(key_, body, "k", at_attention(spec.kv_heads, spec.key_width));
    place(value_, body, "v", at_attention(spec.kv_heads, spec.value_width));
    place(x_, body, "x", layer ? wide : none);
    place(output_, body, "output", layer ? wide : at_attention(spec.query_heads, spec.value_width));
    const auto fill = [&](std::optional<GuardedArray>& array, const char* name) {
        if (!array) return InputView{};
        read_wire(body.member(name), array->output());
        array->seal();
        return array->input();
    };
    call_.query = fill(query_, "q");
    call_.key = fill(key_, "k");
    call_.value = fill(value_, "v");
    call_.x = fill(x_, "x");
    call_.output = output_->output();
    if (body.optional_member("want_weights")) {
        const ViewClaim claim = claim_from_wire(body.member("views").member("weights"));
        place(weights_, body, "weights", claim.shape);
        call_.weights = weights_->output();
    }
}

const AppendCall& ServedCall::call() {
    call_.counts = counts_;
    call_.real = real_;
    if (!offsets_.empty()) call_.query_offset = offsets_;
    return call_;
}

Json ServedCall::done() const {
    Json json;
    json["output"] = written(*output_);
    if (weights_) json["weights"] = written(*weights_);
    const std::string fault = memory_fault();
    if (!fault.empty()) json["memory_fault"] = fault;
    return json;
}

std::string ServedCall::memory_fault() const {
    for (const auto* input : {&query_, &key_, &value_, &x_}) {
        if (*input && !(*input)->unchanged()) {
            return "append changed one of its inputs, or memory around it";
        }
    }
    for (const auto* output : {&output_, &weights_}) {
        if (*output && !(*output)->only_elements_changed()) {
            return "append wrote outside the elements of its outputs";
        }
    }
    return {};
}

}  // namespace kvcheck
