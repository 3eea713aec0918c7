// SPDX-License-Identifier: Apache-2.0
#include "tests/vectors/onnx_to_spec.hpp"

#include <algorithm>

#include "tests/vectors/case_builder.hpp"

namespace kvcheck::vectors {
namespace {

/// The slot of a query that stands on the causal diagonal.
Index diagonal_slot(const OnnxCase& onnx, Index row, Index query) {
    return onnx.offset(row) + query;
}

/// True where every query has a slot on the diagonal, sees nothing behind it, and sees what the
/// last query sees in front of it: then causality and padding say everything.
bool is_causal_with_padding(const OnnxCase& onnx) {
    const Index last = onnx.queries() - 1;
    return onnx.everywhere([&](Index b, Index h, Index q, Index k) {
        if (onnx.offset(b) < 0 || diagonal_slot(onnx, b, last) >= onnx.keys()) return false;
        const bool reaches = k <= diagonal_slot(onnx, b, q);
        return onnx.sees(b, h, q, k) == (reaches && onnx.sees(b, h, last, k));
    });
}

/// The last key that causality alone shows; the first where it shows none.
Index last_key(const OnnxCase& onnx, Index row, Index query) {
    if (!onnx.causal) return onnx.keys() - 1;
    return std::clamp<Index>(diagonal_slot(onnx, row, query), 0, onnx.keys() - 1);
}

}  // namespace

std::string unsayable(const OnnxCase& onnx) {
    constexpr Index data_type_float = 1;
    constexpr Index data_type_double = 11;
    if (onnx.narrow) return "the arrays are stored in fp16";
    if (onnx.softmax_precision != 0 && onnx.softmax_precision != data_type_float &&
        onnx.softmax_precision != data_type_double) {
        return "the softmax is computed in a narrow type";
    }
    if (onnx.scale && onnx.adds_numbers())
        return "numbers are added to the scores, at a given scale";
    if (onnx.softcap != 0 && onnx.adds_numbers())
        return "numbers are added to the scores, after a softcap";
    return "";
}

std::vector<Said> ways_to_say(const OnnxCase& onnx) {
    std::vector<Said> ways;
    CaseBuilder alone(onnx, "each query as a row of its own", 1);
    for (Index b = 0; b < onnx.batch(); ++b) {
        for (Index q = 0; q < onnx.queries(); ++q) {
            const Index slot = last_key(onnx, b, q);
            alone.add({b, slot + 1, {{slot, q}}});
        }
    }
    ways.push_back(alone.finish());
    if (!is_causal_with_padding(onnx)) return ways;

    CaseBuilder together(onnx, "as a causal sequence", onnx.queries());
    for (Index b = 0; b < onnx.batch(); ++b) {
        BuiltRow row{b, onnx.keys(), {}};
        for (Index q = 0; q < onnx.queries(); ++q) {
            row.seats.push_back({diagonal_slot(onnx, b, q), q});
        }
        together.add(row);
    }
    ways.push_back(together.finish());
    return ways;
}

}  // namespace kvcheck::vectors
