// SPDX-License-Identifier: Apache-2.0
// The fast subject, in float: blocked attention with an online softmax, keys and values in blocks
// of 64 slots that rows with one past share, SIMD chosen at run time, a few threads. Read
// session.hpp for the way of a call, attend-inl.hpp for the arithmetic. The two papers behind it
// are Milakov and Gimelshein (online normalizer calculation) and Dao and others (FlashAttention);
// blocks with tables and reference counts are Kwon and others' (PagedAttention).
#pragma once

#include <memory>
#include <string>

#include "impl/fast/memory_use.hpp"
#include "impl/subject.hpp"

namespace kvcheck {

struct FastOptions {
    std::string target;  // an instruction set of `fast_targets`; empty: the best of this machine
    int threads = 1;     // that work on a call, its caller included
    Index parallel_from = Index{1} << 20;  // multiply-adds of a step that is worth waking threads
    Index split_slots = 1024;              // length of the pieces of a long row; a multiple of 64
};

/// Instruction sets that this machine can run, best first, as Highway spells them: AVX3 is AVX-512;
/// the last one is plain C++.
std::vector<std::string> fast_targets();

/// Throws InputError where an option makes no sense here. Outputs do not depend on `threads`.
std::unique_ptr<Subject> make_fast(std::string name, const FastOptions& options = {});

/// What a session of this subject holds. Needs: not another subject's session.
MemoryUse memory_use(const Session& session);

}  // namespace kvcheck
