// SPDX-License-Identifier: Apache-2.0
// The two ONNX messages that a node test consists of: a tensor, and a model whose graph is a single
// node. Everything else that ONNX can say - external data, strings, subgraphs, other element types
// - is an InputError here.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/types/spec.hpp"

namespace kvcheck::vectors {

enum class TensorType { f32, f16, boolean, int64 };

struct Tensor {
    std::string name;
    TensorType type = TensorType::f32;
    std::vector<Index> extents;
    std::vector<double> values;  // row-major; every type but a large int64 is exact in double
};

struct Node {
    std::string op_type;
    std::vector<std::string> inputs;  // in the operator's order; empty where left out
    std::vector<std::string> outputs;
    std::map<std::string, Index> integers;  // attributes
    std::map<std::string, float> floats;
};

/// Both throw InputError; `place` (a file name) opens its message.
Tensor tensor_from_bytes(std::string_view bytes, const std::string& place);
Node node_of_model(std::string_view bytes, const std::string& place);

}  // namespace kvcheck::vectors
