// SPDX-License-Identifier: Apache-2.0
// Labels of tokens, by which prefixes are published and found (clause 11): every token that an
// object is given has one of its own, which follows from how many came before it.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "model/history.hpp"
#include "model/types/prefix_key.hpp"

namespace kvcheck {

/// A key with memory of its own.
struct OwnPrefixKey {
    std::vector<Index> labels;
    std::vector<std::uint8_t> real;
    std::string revision = "revision 1";

    PrefixKey view() const { return {labels, real, revision}; }
};

class TokenLabels {
public:
    /// Gives a token that was appended its label. Its history must live on.
    void add(const Node& token);
    /// Of all tokens of the row. Needs: they were added.
    OwnPrefixKey key(const History& row) const;

private:
    std::unordered_map<const Node*, Index> labels_;
    std::uint64_t added_ = 0;
};

}  // namespace kvcheck
