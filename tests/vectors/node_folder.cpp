// SPDX-License-Identifier: Apache-2.0
#include "tests/vectors/node_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/case_file.hpp"
#include "model/types/error.hpp"

namespace kvcheck::vectors {
namespace {

/// One that is not known would change what a case means.
bool is_known(const std::string& attribute) {
    static const std::vector<std::string> known = {
        "is_causal", "kv_num_heads",          "q_num_heads",      "scale",
        "softcap",   "qk_matmul_output_mode", "softmax_precision"};
    return std::find(known.begin(), known.end(), attribute) != known.end();
}

}  // namespace

std::string shape_text(const std::vector<Index>& extents) {
    return fmt::format("[{}]", fmt::join(extents, ", "));
}

NodeFolder::NodeFolder(const std::filesystem::path& folder) : place_(folder.string()) {
    const std::string model = (folder / "model.onnx").string();
    node_ = node_of_model(read_text_file(model), model);
    if (node_.op_type != "Attention") fail("operator " + node_.op_type, "Attention");
    for (const auto& [name, value] : node_.integers) {
        if (!is_known(name)) fail("attribute " + name, "one of opset 24");
    }
    for (const auto& [name, value] : node_.floats) {
        if (!is_known(name)) fail("attribute " + name, "one of opset 24");
    }
    const std::filesystem::path data = folder / "test_data_set_0";
    read(data / "input_", node_.inputs,
         {"Q", "K", "V", "attn_mask", "past_key", "past_value", "nonpad_kv_seqlen"});
    read(data / "output_", node_.outputs,
         {"Y", "present_key", "present_value", "qk_matmul_output"});
}

void NodeFolder::read(const std::filesystem::path& stem, const std::vector<std::string>& given,
                      const std::vector<std::string>& meanings) {
    if (given.size() > meanings.size()) {
        fail(fmt::format("{} names", given.size()), fmt::format("at most {}", meanings.size()));
    }
    int number = 0;
    for (std::size_t n = 0; n < given.size(); ++n) {
        if (given[n].empty()) continue;
        const std::string file = fmt::format("{}{}.pb", stem.string(), number++);
        Tensor tensor = tensor_from_bytes(read_text_file(file), file);
        if (tensor.name != given[n]) fail(file + " named " + tensor.name, given[n]);
        tensors_[meanings[n]] = std::move(tensor);
    }
}

void NodeFolder::fail(const std::string& found, const std::string& expected) const {
    throw InputError(place_, found, expected);
}

const Tensor* NodeFolder::tensor(const std::string& name) const {
    const auto found = tensors_.find(name);
    return found == tensors_.end() ? nullptr : &found->second;
}

bool NodeFolder::has_type(TensorType type) const {
    return std::any_of(tensors_.begin(), tensors_.end(),
                       [&](const auto& entry) { return entry.second.type == type; });
}

Index NodeFolder::integer(const std::string& attribute, Index absent) const {
    const auto found = node_.integers.find(attribute);
    return found == node_.integers.end() ? absent : found->second;
}

std::optional<float> NodeFolder::real(const std::string& attribute) const {
    const auto found = node_.floats.find(attribute);
    if (found == node_.floats.end()) return std::nullopt;
    return found->second;
}

std::optional<Array4> NodeFolder::array(const std::string& name, Index heads) const {
    const Tensor* found = tensor(name);
    if (found == nullptr) return std::nullopt;
    const std::vector<Index>& shape = found->extents;
    Array4 array;
    for (const double value : found->values) array.values.push_back(float(value));
    if (shape.size() == 4) {
        array.extent = {shape[0], shape[1], shape[2], shape[3]};
        return array;
    }
    if (shape.size() != 3 || heads < 1 || shape[2] % heads != 0) {
        fail(fmt::format("{} of shape {} with {} heads", name, shape_text(shape), heads),
             "four dimensions, or three of which the heads divide the last");
    }
    array.extent = {shape[0], shape[1], heads, shape[2] / heads};
    return heads_first(array);
}

Array4 NodeFolder::needed_array(const std::string& name, Index heads) const {
    std::optional<Array4> found = array(name, heads);
    if (!found) fail("no " + name, "the operator's " + name);
    return std::move(*found);
}

}  // namespace kvcheck::vectors
