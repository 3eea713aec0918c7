// SPDX-License-Identifier: Apache-2.0
// The keys and values of one row, head by head and slot after slot in one piece, as the floats that
// they almost always are. A row of T tokens is read T times; strided reads of that many pages would
// take longer than the arithmetic.
#pragma once

#include "oracles/certified.hpp"

namespace kvcheck {

class Certified::Panels {
public:
    explicit Panels(const Spec& spec);

    /// Holds the row from now on. Costs what the row has beyond the one that was held before, so
    /// tokens are best asked in the order of a row.
    void follow(const std::vector<const Read*>& row);

    /// Of a real token.
    Key seen(std::size_t kv_head, std::size_t slot) const {
        return {exact_[slot] ? nullptr : row_[slot], key(kv_head, slot), value(kv_head, slot),
                key_sums_[kv_head][slot]};
    }

private:
    const float* key(std::size_t kv_head, std::size_t slot) const {
        return keys_[kv_head].data() + slot * key_width_;
    }
    const float* value(std::size_t kv_head, std::size_t slot) const {
        return values_[kv_head].data() + slot * value_width_;
    }

    std::size_t key_width_;
    std::size_t value_width_;
    std::vector<const Read*> row_;               // null where padding, whose reads may be gone
    std::vector<bool> exact_;                    // [slots] key and value are floats without error
    std::vector<std::vector<double>> key_sums_;  // [Hkv][slots]
    std::vector<std::vector<float>> keys_;       // [Hkv][slots*Dk]
    std::vector<std::vector<float>> values_;     // [Hkv][slots*Dv]
};

}  // namespace kvcheck
