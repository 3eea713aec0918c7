// SPDX-License-Identifier: Apache-2.0
#include "tests/vectors/onnx_case.hpp"

#include <limits>

#include "tests/vectors/node_folder.hpp"

namespace kvcheck::vectors {
namespace {

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();
constexpr Index mode_weights = 3;  // of qk_matmul_output_mode: the probabilities

void require_shape(const NodeFolder& folder, const char* name, const Array4& array,
                   const std::array<Index, 4>& shape) {
    if (array.extent == shape) return;
    folder.fail(name + (" of shape " + shape_text({array.extent.begin(), array.extent.end()})),
                shape_text({shape.begin(), shape.end()}));
}

/// The mask as what is added, its shape aligned at the right.
std::optional<Array4> mask_of(const NodeFolder& folder, const OnnxCase& onnx) {
    const Tensor* tensor = folder.tensor("attn_mask");
    if (tensor == nullptr) return std::nullopt;
    const std::size_t rank = tensor->extents.size();
    if (rank < 2 || rank > 4)
        folder.fail("a mask of shape " + shape_text(tensor->extents), "2 to 4");
    Array4 mask{{1, 1, 1, 1}, {}};
    for (std::size_t n = 0; n < rank; ++n) mask.extent[4 - rank + n] = tensor->extents[n];
    const std::array<Index, 4> full = {onnx.batch(), onnx.query_heads(), onnx.queries(), 0};
    for (std::size_t n = 0; n < 3; ++n) {
        if (mask.extent[n] != 1 && mask.extent[n] != full[n]) {
            folder.fail("a mask of shape " + shape_text(tensor->extents), "one that broadcasts");
        }
    }
    if (mask.extent[3] > onnx.keys()) folder.fail("a mask wider than the keys", "at most as wide");
    const bool boolean = tensor->type == TensorType::boolean;
    for (const double entry : tensor->values) {
        mask.values.push_back(!boolean ? float(entry) : entry != 0 ? 0 : minus_infinity);
    }
    return mask;
}

std::optional<std::vector<Index>> nonpad_of(const NodeFolder& folder, const OnnxCase& onnx) {
    const Tensor* tensor = folder.tensor("nonpad_kv_seqlen");
    if (tensor == nullptr) return std::nullopt;
    if (tensor->extents != std::vector<Index>{onnx.batch()}) {
        folder.fail("nonpad_kv_seqlen of shape " + shape_text(tensor->extents), "one a row");
    }
    std::vector<Index> counts;
    for (const double count : tensor->values) {
        if (!(count >= 0 && count <= double(onnx.keys()))) {
            folder.fail("a nonpad_kv_seqlen out of range", "at most the number of keys");
        }
        counts.push_back(Index(count));
    }
    return counts;
}

/// Past and new keys are joined, so that `present` can be compared with what a cache stores.
void read_keys(const NodeFolder& folder, OnnxCase& onnx, Index heads) {
    onnx.key = folder.needed_array("K", heads);
    onnx.value = folder.needed_array("V", heads);
    const auto past_key = folder.array("past_key", heads);
    const auto past_value = folder.array("past_value", heads);
    const auto join = [&](const char* name, const std::optional<Array4>& past, Array4& all) {
        if (!past) return;
        require_shape(folder, name, *past,
                      {all.extent[0], all.extent[1], past->extent[2], all.extent[3]});
        onnx.past = past->extent[2];
        all = joined(*past, all);
    };
    join("past_key", past_key, onnx.key);
    join("past_value", past_value, onnx.value);
    onnx.present_key = folder.array("present_key", heads);
    onnx.present_value = folder.array("present_value", heads);
}

void check_shapes(const NodeFolder& folder, const OnnxCase& onnx) {
    const Index batch = onnx.batch();
    const Index keys = onnx.keys();
    if (onnx.query_heads() % onnx.kv_heads() != 0) folder.fail("heads that do not group", "groups");
    const std::array<Index, 4> key = {batch, onnx.kv_heads(), keys, onnx.key_width()};
    const std::array<Index, 4> value = {batch, onnx.kv_heads(), keys, onnx.value_width()};
    require_shape(folder, "K", onnx.key, key);
    require_shape(folder, "V", onnx.value, value);
    require_shape(folder, "Y", onnx.expected,
                  {batch, onnx.query_heads(), onnx.queries(), onnx.value_width()});
    if (onnx.present_key) require_shape(folder, "present_key", *onnx.present_key, key);
    if (onnx.present_value) require_shape(folder, "present_value", *onnx.present_value, value);
    if (onnx.weights) {
        require_shape(folder, "qk_matmul_output", *onnx.weights,
                      {batch, onnx.query_heads(), onnx.queries(), keys});
    }
}

}  // namespace

Index OnnxCase::offset(Index row) const {
    return nonpad ? (*nonpad)[std::size_t(row)] - queries() : past;
}

float OnnxCase::bias(Index row, Index head, Index q, Index k) const {
    if (causal && k > q + offset(row)) return minus_infinity;
    if (nonpad && k >= (*nonpad)[std::size_t(row)]) return minus_infinity;
    if (!mask) return 0;
    if (k >= mask->extent[3]) return minus_infinity;  // a mask shorter than the keys hides the rest
    const auto wrapped = [&](std::size_t n, Index index) {
        return mask->extent[n] == 1 ? 0 : index;
    };
    return mask->at(wrapped(0, row), wrapped(1, head), wrapped(2, q), k);
}

bool OnnxCase::sees(Index row, Index head, Index q, Index k) const {
    return bias(row, head, q, k) != minus_infinity;
}

bool OnnxCase::adds_numbers() const {
    return !everywhere([&](Index b, Index h, Index q, Index k) {
        return !sees(b, h, q, k) || bias(b, h, q, k) == 0;
    });
}

bool OnnxCase::heads_agree() const {
    return everywhere(
        [&](Index b, Index h, Index q, Index k) { return bias(b, h, q, k) == bias(b, 0, q, k); });
}

OnnxCase read_onnx_case(const std::filesystem::path& path) {
    const NodeFolder folder(path);
    const Index query_heads = folder.integer("q_num_heads", 0);
    OnnxCase onnx;
    onnx.narrow = folder.has_type(TensorType::f16);
    onnx.query = folder.needed_array("Q", query_heads);
    read_keys(folder, onnx, folder.integer("kv_num_heads", 0));
    onnx.expected = folder.needed_array("Y", query_heads);
    if (folder.integer("qk_matmul_output_mode", 0) == mode_weights) {
        onnx.weights = folder.array("qk_matmul_output", 0);
    }
    onnx.mask = mask_of(folder, onnx);
    onnx.nonpad = nonpad_of(folder, onnx);
    onnx.causal = folder.integer("is_causal", 0) != 0;
    onnx.scale = folder.real("scale");
    onnx.softcap = folder.real("softcap").value_or(0);
    onnx.softmax_precision = folder.integer("softmax_precision", 0);
    check_shapes(folder, onnx);
    return onnx;
}

}  // namespace kvcheck::vectors
