// SPDX-License-Identifier: Apache-2.0
// Rotary positions of the fast subject: queries are turned after they were gathered and before they
// are scaled, keys before they are stored, so that the kernels know nothing of it. Plain loops: a
// key is turned once and read for as long as its row lives.
#pragma once

#include <vector>

#include "model/types/parameters.hpp"

namespace kvcheck::fast {

class Rotation {
public:
    Rotation(const Spec& spec, const Parameters& parameters);

    bool is_none() const { return width_ == 0; }

    /// Turns one head of the token with position `id`, in place: element i is head[i * stride].
    void turn(float* head, Index stride, Index id) const;
    /// The same the other way round.
    void turn_back(float* head, Index id) const;

private:
    void turn(float* head, Index stride, Index id, float direction) const;

    Index width_;               // elements that are turned, an even number; 0: none
    bool adjacent_;             // pairs (2i, 2i + 1), else (i, width / 2 + i)
    std::vector<float> table_;  // [positions][width]: cosines of the pairs, then sines
};

}  // namespace kvcheck::fast
