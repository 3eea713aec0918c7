// SPDX-License-Identifier: Apache-2.0
// One append as it arrives over the child protocol, a line or a frame, laid out in guarded memory
// the way the caller's views say, and read back afterwards.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "impl/memory/guarded_array.hpp"
#include "impl/protocol/frame.hpp"
#include "impl/subject.hpp"
#include "model/types/json.hpp"

namespace kvcheck {

class ServedCall {
public:
    /// Reads and lays out the request's arrays. Throws InputError where it makes no sense.
    ServedCall(const JsonPlace& body, const Spec& spec);
    /// From what follows the session in a frame, up to its end.
    ServedCall(FrameReader& frame, const Spec& spec);

    const AppendCall& call();
    const std::vector<Index>& counts() const { return counts_; }

    /// The parts of an answer to a call that was honoured, except for the fault.
    Json outputs() const;
    void write_outputs(FrameWriter& frame) const;

    /// What was written that must not, in words; empty where nothing was.
    std::string memory_fault() const;

private:
    GuardedArray& add_input(const TokenArray& array, const ViewClaim& claim, const Shape& right);
    void add_output(const ViewClaim& claim, const Spec& spec, Index tokens);
    void add_weights(const ViewClaim& claim);
    void add_log_sum_exp(const ViewClaim& claim);

    AppendCall call_;
    std::vector<Index> counts_;
    std::vector<std::uint8_t> real_;
    std::optional<std::vector<Index>> offsets_;
    std::optional<std::vector<Index>> backs_;
    std::deque<GuardedArray> inputs_;  // of input_arrays(level), where they stay
    std::optional<GuardedArray> output_, weights_, log_sum_exp_;
};

}  // namespace kvcheck
