// SPDX-License-Identifier: Apache-2.0
#include "tests/vectors/widened_heads.hpp"

#include <algorithm>

#include "oracles/number.hpp"

namespace kvcheck::vectors {

WidenedHeads::WidenedHeads(Index key_width, Index numbers)
    : key_width_(key_width), width_(key_width) {
    while (width_ < key_width_ + parts * numbers) {
        width_ *= 4;
        query_factor_ *= 2;
    }
}

void WidenedHeads::write_query(const float* query, Index number, float* head) const {
    for (Index d = 0; d < key_width_; ++d) head[d] = query_factor_ * query[d];
    if (width_ > key_width_) std::fill_n(part(number, head), parts, 1.0F);
}

void WidenedHeads::write_key(const float* key, float* head) const {
    std::copy_n(key, key_width_, head);
}

void WidenedHeads::write_number(float value, Index number, float* head) const {
    BinaryNumber rest = BinaryNumber(value) * sqrt(BinaryNumber(width_));
    for (Index n = 0; n < parts; ++n) {
        part(number, head)[n] = static_cast<float>(rest);
        rest -= part(number, head)[n];
    }
}

}  // namespace kvcheck::vectors
