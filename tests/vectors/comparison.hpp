// SPDX-License-Identifier: Apache-2.0
// An ONNX case, said in one way, against what we answer. ONNX computed its answers in double and
// rounded once, so an oracle rounded once has the same bits; a subject in float lies within its
// bound. What differs becomes a failure of the running test.
#pragma once

#include <memory>

#include "model/splits.hpp"
#include "properties/drive/judge.hpp"
#include "tests/vectors/onnx_to_spec.hpp"

namespace kvcheck::vectors {

class Comparison {
public:
    /// Keeps references to both.
    Comparison(const OnnxCase& onnx, const Said& said);

    /// Outputs of both oracles, and weights of the first where ONNX shows its own.
    void oracles();

    /// The default subject, fed with the same tokens as `program` cuts them into calls: its
    /// outputs, and what it stores where ONNX hands its own cache back.
    void subject(const Case& program);

    /// Numbers of ONNX that were compared bit for bit.
    Index compared_bits() const { return compared_bits_; }

private:
    void same(float expected, const Answer& answer, const std::string& place);
    void weights(const Place& place, const std::vector<Answer>& answers);
    void stored(const Place& place, const StoredRow& stored) const;
    TokenTruth truth_of(const Place& place);
    std::size_t element(const Place& place, Index d) const;

    const OnnxCase& onnx_;
    const Said& said_;
    std::unique_ptr<Subject> subject_;
    Oracle oracle_;
    Segment rows_;
    Index compared_bits_ = 0;
};

}  // namespace kvcheck::vectors
