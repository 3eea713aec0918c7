// SPDX-License-Identifier: Apache-2.0
// Other ways to compute the same attention, written as their authors would wish: each gets its keys
// and values in one piece a head, and appends nothing, which is in its favour.
#pragma once

#include <string>
#include <vector>

#include "model/types/spec.hpp"

namespace kvcheck::bench {

/// One row and head: query [tokens][width], key and value [past + tokens][width], output [tokens]
/// [width]; causal. For decode, `tokens` may be the heads of a group, all of them seeing all keys.
struct HeadProblem {
    const float* query;
    const float* key;
    const float* value;
    float* output;
    Index tokens, keys, width;
    bool causal;
};

struct Peer {
    std::string name;
    void (*attend)(const HeadProblem& problem);
};

/// Eigen: the scores as one full matrix, and in blocks with an online softmax.
void eigen_naive(const HeadProblem& problem);
void eigen_blocked(const HeadProblem& problem);
/// The blocks again, with the products of oneDNN (where it is installed).
void onednn_blocked(const HeadProblem& problem);

/// Those that were found when this was built.
std::vector<Peer> peers();

}  // namespace kvcheck::bench
