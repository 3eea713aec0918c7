// SPDX-License-Identifier: Apache-2.0
// A number added to a score, said without a bias: heads get more coordinates, the query has ones in
// three of them, and the key has three floats there whose sum is the number over the scale. Since
// the scale is the real number 1/sqrt(width), the width grows by a power of four and the query's
// own coordinates by its root, which a float does exactly. Only the sum of three floats is inexact:
// it is off by less than 2^-70 of the number, far less than the double arithmetic of what it is
// compared with. Only where the spec gives no scale.
#pragma once

#include <array>

#include "model/types/spec.hpp"

namespace kvcheck::vectors {

class WidenedHeads {
public:
    /// Room for `numbers` of them: a key has one for each query that it meets.
    WidenedHeads(Index key_width, Index numbers);

    Index width() const { return width_; }

    /// Writes a query that gets the numbers at `number` added; `head` has width() zeros.
    void write_query(const float* query, Index number, float* head) const;
    /// Writes a key; its numbers are zero until they are given.
    void write_key(const float* key, float* head) const;
    void write_number(float value, Index number, float* head) const;

private:
    static constexpr Index parts = 3;

    float* part(Index number, float* head) const { return head + key_width_ + parts * number; }

    Index key_width_;
    Index width_;
    float query_factor_ = 1;
};

}  // namespace kvcheck::vectors
