// SPDX-License-Identifier: Apache-2.0
// An ONNX attention case said in the words of docs/contract.md, where they can say it. ONNX lays a
// mask over a rectangle of queries and keys; the contract has rows of slots, causality and padding.
// Any query can be said as a row of its own, and a causal case also as it is meant. No number of
// the answer is known here.
#pragma once

#include <string>
#include <vector>

#include "model/case.hpp"
#include "tests/vectors/onnx_case.hpp"

namespace kvcheck::vectors {

/// Where one query head of the ONNX case stands in ours. Slot n holds key n.
struct Place {
    std::size_t row = 0;
    std::size_t slot = 0;
    std::size_t head = 0;
    Index onnx_row = 0;
    Index onnx_head = 0;
    Index onnx_query = 0;
};

struct Said {
    const char* way = "";
    Case test_case;
    std::vector<Place> places;  // every row, head and query of the ONNX case once
};

/// Why the contract cannot say it; empty where it can.
std::string unsayable(const OnnxCase& onnx);

/// Every way to say it, at least one; needs: unsayable() is empty.
std::vector<Said> ways_to_say(const OnnxCase& onnx);

}  // namespace kvcheck::vectors
