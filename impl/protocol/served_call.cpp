// SPDX-License-Identifier: Apache-2.0
// A call from its text to guarded memory and back (declared in served_call.hpp).
#include "impl/protocol/served_call.hpp"

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

}  // namespace

GuardedArray ServedCall::placed_array(const JsonPlace& body, std::string_view name,
                                      const Shape& right) {
    const ViewClaim claim = claim_from_wire(body.member("views").member(name));
    // A wrong call's arrays get spare room, so that a subject that trusts its spec stays inside.
    return {claim.type, claim.shape,
            GuardedArray::Options{.placement = claim.placement,
                                  .room = claim.shape == right ? 0 : 1,
                                  .guard_pages = true,
                                  .name = name.data()}};
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
    for (const TokenArray& array : input_arrays(spec.level)) {
        GuardedArray& input =
            inputs_.emplace_back(placed_array(body, array.name, call_shape(array, spec, tokens)));
        read_wire(body.member(array.name), input.output());
        input.seal();
        input_of(call_, array.role) = input.input();
    }
    const TokenArray& output = output_array(spec.level);
    output_.emplace(placed_array(body, output.name, call_shape(output, spec, tokens)));
    call_.output = output_->output();
    if (body.optional_member("want_weights")) {
        const ViewClaim claim = claim_from_wire(body.member("views").member("weights"));
        weights_.emplace(placed_array(body, "weights", claim.shape));
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
    for (const GuardedArray& input : inputs_) {
        if (!input.unchanged()) return "append changed one of its inputs, or memory around it";
    }
    for (const auto* output : {&output_, &weights_}) {
        if (*output && !(*output)->only_elements_changed()) {
            return "append wrote outside the elements of its outputs";
        }
    }
    return {};
}

}  // namespace kvcheck
