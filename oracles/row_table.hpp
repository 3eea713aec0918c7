// SPDX-License-Identifier: Apache-2.0
// One row as one of its queries sees it: every key with what it should weigh and does, every
// element of the output. A wrong scale, head or mask shows in the whole row and not in one number.
// Plain data; the text is made by whoever reports.
#pragma once

#include <vector>

#include "model/types/spec.hpp"
#include "oracles/answer.hpp"

namespace kvcheck {

struct RowTable {
    /// A slot of the row up to the end of the call.
    struct Key {
        Index slot = 0;
        Index position_id = -1;  // absent where the level has none, and of later keys
        bool later = false;      // after the query; nothing else is known of it here
        bool real = false;
        bool visible = false;  // the query sees it
    };
    struct Head {
        Index head = 0;
        std::vector<Answer> right;  // [slots up to the query]
        std::vector<double> seen;   // [slots of the call]; empty where the subject shows none
    };
    struct Element {
        Answer right;
        double seen = 0;
        double ratio = 0;  // error / bound
    };

    Index row = 0;
    Index slot = 0;  // of the query
    std::vector<Key> keys;
    std::vector<Head> heads;
    std::vector<Element> output;  // o[H*Dv] or y[D]
    Index heads_of_output = 1;    // H, or 1 at layer level
    bool declares_weights = false;
    bool has_sink = false;  // each head gives the rest of its weight to a score without a key
};

}  // namespace kvcheck
