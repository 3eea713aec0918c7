// SPDX-License-Identifier: Apache-2.0
// The memory of one append call: a command's tokens laid out in guarded arrays, the views a subject
// is given of them, and afterwards what it wrote there and where it should not have. A call can be
// made wrong on purpose; everything a wrong view claims lies inside the memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "impl/host/guarded_array.hpp"
#include "impl/subject.hpp"
#include "model/command.hpp"

namespace kvcheck {

/// One way of making a call wrong; what is not mentioned is right.
struct Damage {
    std::string what;  // for people: "query_offset of row 1 is 2, its next slot is 0"
    std::optional<std::vector<Index>> query_offset;
    Index rows = 0;           // added to the extent of every array
    Index query_heads = 0;    // added to that extent of the query
    Index kv_heads = 0;       // of key and value
    Index key_width = 0;      // of query and key
    Index value_width = 0;    // of value
    Index model_width = 0;    // of x
    Index output_width = 0;   // of the output
    bool other_type = false;  // every input claims the other element type
    std::optional<Index> count_of_row_0;
};

struct CallOptions {
    ElementType element = ElementType::f32;
    Layout layout = Layout::packed;
    float beyond_count = 0;  // lies in the inputs beyond a row's count
    bool with_weights = false;
    Index slots = 0;  // of the longest row after the call
};

class CallMemory {
public:
    /// Lays out the call; with `damage` it is made wrong.
    CallMemory(const Spec& spec, const Append& append, const CallOptions& options,
               const Damage* damage = nullptr);

    /// Views of this object's memory; valid while it lives and stays where it is.
    const AppendCall& call() const { return call_; }
    CallMemory(const CallMemory&) = delete;
    CallMemory& operator=(const CallMemory&) = delete;

    /// Element i of the output of a row's t-th token, o[H*Dv] or y[D].
    double output(Index row, Index t, Index i) const;
    /// False where that element still holds the poison.
    bool is_written(Index row, Index t, Index i) const;
    double weight(Index row, Index head, Index t, Index slot) const;

    /// What was written that must not be, in words; empty where nothing was.
    std::string fault() const;

private:
    struct Part;
    GuardedArray array(const Shape& shape) const;
    void fill(GuardedArray& array, const Append& append, const Part& part);
    void apply(const Damage& damage);

    Spec spec_;
    Index tokens_;
    CallOptions options_;
    Index room_;  // spare elements in every dimension, for views that claim too much
    GuardedArray query_, key_, value_, x_, output_, weights_;
    std::vector<Index> counts_;
    std::vector<std::uint8_t> real_;
    std::vector<Index> offsets_;
    AppendCall call_;
};

}  // namespace kvcheck
