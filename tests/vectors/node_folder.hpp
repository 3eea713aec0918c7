// SPDX-License-Identifier: Apache-2.0
// The files of one ONNX node test of the Attention operator: its node, and its arrays by the names
// that the operator's definition gives them. Files are numbered over the names that are not empty,
// while a name's place in the node says what it means; only that is settled here.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "tests/vectors/array4.hpp"
#include "tests/vectors/onnx_messages.hpp"

namespace kvcheck::vectors {

class NodeFolder {
public:
    /// Reads everything; throws InputError where a file is missing or malformed, where the operator
    /// is another one, or where it has an attribute that we do not know.
    explicit NodeFolder(const std::filesystem::path& folder);

    [[noreturn]] void fail(const std::string& found, const std::string& expected) const;

    const Tensor* tensor(const std::string& name) const;  // null where left out
    bool has_type(TensorType type) const;
    Index integer(const std::string& attribute, Index absent) const;
    std::optional<float> real(const std::string& attribute) const;

    /// The array in the layout (rows, heads, tokens, width), which a tensor of three dimensions is
    /// brought to by splitting its last one into `heads`.
    std::optional<Array4> array(const std::string& name, Index heads) const;
    Array4 needed_array(const std::string& name, Index heads) const;

private:
    void read(const std::filesystem::path& stem, const std::vector<std::string>& given,
              const std::vector<std::string>& meanings);

    std::string place_;
    Node node_;
    std::map<std::string, Tensor> tensors_;
};

std::string shape_text(const std::vector<Index>& extents);

}  // namespace kvcheck::vectors
