// SPDX-License-Identifier: Apache-2.0
// A cache of the fast subject beside the plainest record of what it must hold: for each row a list
// of tokens. A token is a number that stands in every element of its key and value, so a slot that
// was overwritten, or that was read from another row's block, shows.
#pragma once

#include <vector>

#include "impl/fast/cache.hpp"
#include "model/types/lifecycle.hpp"

namespace kvcheck {

class MirroredCache {
public:
    explicit MirroredCache(const Spec& spec);

    fast::Cache& cache() { return cache_; }
    Index rows() const { return Index(rows_.size()); }
    Index length(Index row) const { return Index(rows_[std::size_t(row)].size()); }
    Index blocks_in_use() const { return cache_.memory_use().blocks_in_use; }

    /// New tokens; every third is padding where `padded` is true.
    void append(Index row, Index count, bool padded = false);
    void apply(const Lifecycle& command);
    /// The tokens are their own labels. Needs: tokens, none of which is evicted.
    void publish(Index row);
    /// Continues what was published under this number, of which the row asks for `slots` slots, as
    /// the record says. Needs: an empty row.
    void reuse(Index row, Index number, Index slots);
    void forget_prefixes();
    Index published() const { return Index(published_.size()); }
    Index published_length(Index number) const {
        return Index(published_[std::size_t(number)].size());
    }
    bool can_publish(Index row) const;
    /// Expects of every row: length, counts, what is visible, and every token that is not evicted;
    /// and that the pool counts as in use what stands in some table.
    void check() const;
    /// The same after all memory that holds nothing was overwritten.
    void poison_and_check();

private:
    struct Entry {
        float token;
        bool real;
        bool evicted;
    };

    struct Key;

    Spec spec_;
    fast::Cache cache_;
    std::vector<std::vector<Entry>> rows_;
    std::vector<std::vector<Entry>> published_;
    float next_token_ = 1;
};

}  // namespace kvcheck
