// SPDX-License-Identifier: Apache-2.0
#include "tests/vectors/onnx_messages.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "tests/vectors/protobuf.hpp"

namespace kvcheck::vectors {
namespace {

// Field numbers and constants of onnx.proto.
namespace tensor_field {
constexpr int dims = 1, data_type = 2, float_data = 4, int32_data = 5, int64_data = 7, name = 8,
              raw_data = 9;
}
namespace model_field {
constexpr int graph = 7;
}
namespace graph_field {
constexpr int node = 1;
}
namespace node_field {
constexpr int input = 1, output = 2, op_type = 4, attribute = 5;
}
namespace attribute_field {
constexpr int name = 1, f = 2, i = 3, type = 20;
constexpr int type_float = 1, type_int = 2;
}  // namespace attribute_field

TensorType type_of(const Message& message) {
    switch (message.integer_or(tensor_field::data_type, 0)) {
        case 1:
            return TensorType::f32;
        case 7:
            return TensorType::int64;
        case 9:
            return TensorType::boolean;
        case 10:
            return TensorType::f16;
        default:
            message.fail("another data type", "FLOAT, INT64, BOOL or FLOAT16");
    }
}

std::size_t bytes_of(TensorType type) {
    switch (type) {
        case TensorType::f32:
            return 4;
        case TensorType::f16:
            return 2;
        case TensorType::boolean:
            return 1;
        case TensorType::int64:
            return 8;
    }
    return 0;
}

double half_from_bits(std::uint64_t bits) {
    const double sign = (bits >> 15) != 0 ? -1 : 1;
    const int exponent = int((bits >> 10) & 31);
    const double fraction = double(bits & 1023);
    if (exponent == 31) {
        return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
    }
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
}

double from_bits(TensorType type, std::uint64_t bits) {
    switch (type) {
        case TensorType::f32:
            return std::bit_cast<float>(std::uint32_t(bits));
        case TensorType::f16:
            return half_from_bits(bits & 0xffff);
        case TensorType::boolean:
            return bits != 0 ? 1 : 0;
        case TensorType::int64:
            return double(std::int64_t(bits));
    }
    return 0;
}

/// The elements, wherever the writer chose to put them.
std::vector<double> values_of(const Message& message, TensorType type) {
    std::vector<double> values;
    for (const std::string_view raw : message.runs(tensor_field::raw_data)) {
        const std::size_t size = bytes_of(type);
        if (raw.size() % size != 0) {
            message.fail(std::to_string(raw.size()) + " bytes of raw data",
                         "a multiple of " + std::to_string(size));
        }
        for (std::size_t at = 0; at < raw.size(); at += size) {
            values.push_back(from_bits(type, little_endian(raw.substr(at), size)));
        }
    }
    if (!values.empty()) return values;
    if (type == TensorType::f32) {
        for (const float value : message.floats(tensor_field::float_data)) values.push_back(value);
        return values;
    }
    const int field =
        type == TensorType::int64 ? tensor_field::int64_data : tensor_field::int32_data;
    for (const std::uint64_t bits : message.integers(field))
        values.push_back(from_bits(type, bits));
    return values;
}

std::vector<Index> extents_of(const Message& message, std::size_t count) {
    std::vector<Index> extents;
    std::uint64_t product = 1;
    for (const std::uint64_t extent : message.integers(tensor_field::dims)) {
        // Every element was read from the file, so no honest extent exceeds their number.
        if (extent == 0 || extent > count || product > count) {
            message.fail("an extent of " + std::to_string(extent),
                         "a positive one that " + std::to_string(count) + " elements fill");
        }
        extents.push_back(Index(extent));
        product *= extent;
    }
    if (product != count) {
        message.fail(std::to_string(count) + " elements", std::to_string(product));
    }
    return extents;
}

void read_attribute(const Message& attribute, Node& node) {
    const std::string name = attribute.string_or(attribute_field::name, "");
    const std::uint64_t type = attribute.integer_or(attribute_field::type, 0);
    if (type == attribute_field::type_float) {
        const std::vector<float> values = attribute.floats(attribute_field::f);
        if (values.size() != 1) attribute.fail("attribute " + name + " without f", "one value");
        node.floats[name] = values.front();
    } else if (type == attribute_field::type_int) {
        node.integers[name] = Index(attribute.integer_or(attribute_field::i, 0));
    } else {
        attribute.fail("attribute " + name + " of type " + std::to_string(type), "FLOAT or INT");
    }
}

Message only_message(const Message& parent, int number, const std::string& what) {
    const std::vector<std::string_view> runs = parent.runs(std::uint64_t(number));
    if (runs.size() != 1) parent.fail(std::to_string(runs.size()) + " of " + what, "one");
    return Message(runs.front(), parent.place() + ", " + what);
}

}  // namespace

Tensor tensor_from_bytes(std::string_view bytes, const std::string& place) {
    const Message message(bytes, place);
    Tensor tensor;
    tensor.name = message.string_or(tensor_field::name, "");
    tensor.type = type_of(message);
    tensor.values = values_of(message, tensor.type);
    tensor.extents = extents_of(message, tensor.values.size());
    return tensor;
}

Node node_of_model(std::string_view bytes, const std::string& place) {
    const Message model(bytes, place);
    const Message graph = only_message(model, model_field::graph, "graph");
    const Message message = only_message(graph, graph_field::node, "node");
    Node node;
    node.op_type = message.string_or(node_field::op_type, "");
    for (const auto name : message.runs(node_field::input)) node.inputs.emplace_back(name);
    for (const auto name : message.runs(node_field::output)) node.outputs.emplace_back(name);
    for (const auto attribute : message.runs(node_field::attribute)) {
        read_attribute(Message(attribute, place + ", attribute"), node);
    }
    return node;
}

}  // namespace kvcheck::vectors
