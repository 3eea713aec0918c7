// SPDX-License-Identifier: Apache-2.0
// What judging costs, in a figure that follows from what is judged and from nothing else: the same
// on a busy machine and on an idle one. Calls of a subject are counted, answers that are
// computed and cases that are made, each by the sizes that enter it; what a particular subject or
// machine makes of them is not.
#pragma once

#include "model/types/spec.hpp"

namespace kvcheck {

/// One step is about what a call of a subject with one token costs, ten microseconds where both are
/// plain.
struct Work {
    static constexpr Index parts_of_a_step = 1024;

    /// Done since the beginning in this thread.
    static Index parts();

    /// A call, and what it has to do: each of its tokens with each of its keys, and its
    /// projections.
    static void add_call(const Spec& spec, Index tokens, Index pairs);
    /// An answer over so many keys, in double or in fifty digits, which take some thirty times as
    /// long.
    static void add_answer(const Spec& spec, Index keys, bool in_double);
    /// A token's projections in fifty digits.
    static void add_projections(const Spec& spec);
    /// A case with so many tokens and numbers, made of another one, and a list of ideas how to.
    static void add_case(Index tokens, Index numbers);
    static void add_ideas(Index count);
};

}  // namespace kvcheck
