// SPDX-License-Identifier: Apache-2.0
// The memory of one append call: a command's tokens laid out in guarded arrays, the views a subject
// is given of them, and afterwards what it wrote there and where it should not have. A call can be
// made wrong on purpose; everything a wrong view claims lies inside the memory.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "impl/memory/guarded_array.hpp"
#include "impl/subject.hpp"
#include "model/command.hpp"

namespace kvcheck {

/// One way of making a call wrong; what is not mentioned is right.
struct Damage {
    struct Extent {
        Role array;
        std::size_t dimension;
        Index change;
    };
    struct Count {
        Index row;
        Index count;
    };
    std::string what;  // for people: "query_offset of row 1 is 2, its next slot is 0"
    std::optional<std::vector<Index>> query_offset;
    std::vector<Extent> extents;   // added to those of the views
    Index rows = 0;                // added to the counts and to what is said of validity
    std::vector<Role> other_type;  // these claim the other element type
    std::optional<Count> count;    // in place of a row's own
    std::optional<Count> back;     // of the first token of a row, in place of its own
};

/// How the arrays of a call lie in memory.
struct Arrangement {
    std::array<Layout, call_role_count> layout{};
    Index offset = 0;  // elements from a 64-byte boundary, for every array
};

struct CallOptions {
    ElementType element = ElementType::f32;
    Arrangement arrangement;
    float beyond_count = 0;  // lies in the inputs beyond a row's count
    bool with_weights = false;
    bool with_log_sum_exp = false;
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

    /// The output of a row's t-th token, o[H*Dv] or y[D].
    std::vector<double> output(Index row, Index t) const;
    /// False where an element of it still holds the poison.
    bool is_written(Index row, Index t) const;
    /// The first `slots` of its weights in one head.
    std::vector<double> weights(Index row, Index head, Index t, Index slots) const;

    /// The log-sum-exps of a row's t-th token, [H].
    std::vector<double> log_sum_exp(Index row, Index t) const;

    /// What was written that must not be, in words; empty where nothing was.
    std::string fault() const;

private:
    GuardedArray array(const TokenArray& array) const;
    void fill(GuardedArray& memory, const TokenArray& array, const Append& append, Index begin);
    void apply(const Damage& damage);

    Spec spec_;
    Index tokens_;
    CallOptions options_;
    Index room_;  // spare elements in every dimension, for views that claim too much
    std::deque<GuardedArray> inputs_;  // of input_arrays(level)
    GuardedArray output_;
    GuardedArray weights_;
    GuardedArray log_sum_exp_;
    std::vector<Index> counts_;
    std::vector<std::uint8_t> real_;
    std::vector<Index> offsets_;
    std::vector<Index> backs_;  // empty where every token follows the slot before it
    AppendCall call_;
};

}  // namespace kvcheck
