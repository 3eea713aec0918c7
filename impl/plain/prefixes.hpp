// SPDX-License-Identifier: Apache-2.0
// Prefixes that rows of the textbook subject have published (clause 11): copies of the rows beside
// their keys. A hash is compared first, as in a table, and then everything.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "impl/plain/row_cache.hpp"
#include "impl/plain/rules.hpp"
#include "model/types/hash.hpp"
#include "model/types/prefix_key.hpp"

namespace kvcheck {

template <class Scalar>
class PlainPrefixes {
public:
    explicit PlainPrefixes(const PrefixRules& rules) : rules_(rules) {}

    /// Or says why not.
    std::string weaken_hash() {
        if (!all_.empty()) return "a prefix was published already";
        weak_ = true;
        return {};
    }
    void clear() { all_.clear(); }

    /// Keeps what the row holds, or says why not.
    std::string publish(const RowCache<Scalar>& row, const PrefixKey& key) {
        if (row.length() == 0) return "a row without tokens";
        if (row.shift() != 0) return "a shifted row";
        const auto& evicted = row.evicted();
        if (std::find(evicted.begin(), evicted.end(), true) != evicted.end())
            return "a row with evicted slots";
        for (Index slot = 0; slot < row.length(); ++slot) {
            if (row.parents()[std::size_t(slot)] != slot - 1) return "a tree";
        }
        if (Index(key.labels.size()) != row.length() ||
            !std::equal(key.real.begin(), key.real.end(), row.real().begin(), row.real().end()))
            return "labels and real: not one for each slot, as it was appended";
        for (const Prefix& prefix : all_) {
            if (prefix.labels.size() == key.labels.size() && begins_with(key, prefix)) return {};
        }
        all_.push_back({hash_of(key, key.labels.size()),
                        labels_of(key),
                        {key.real.begin(), key.real.end()},
                        std::string(key.revision),
                        rules_.copies ? row.copy() : row});
        return {};
    }

    /// Gives the row the longest prefix that the key begins with, or says why not.
    std::string reuse(RowCache<Scalar>& row, const PrefixKey& key, Index& slots) const {
        if (row.length() > 0) return "a row that holds tokens";
        if (row.is_finished() || row.shift() != 0) return "a finished or shifted row";
        if (key.labels.size() != key.real.size()) return "labels and real: of different lengths";
        const Prefix* longest = nullptr;
        for (const Prefix& prefix : all_) {
            const bool longer = longest == nullptr || !rules_.longest ||
                                prefix.labels.size() > longest->labels.size();
            if (longer && begins_with(key, prefix)) longest = &prefix;
        }
        slots = 0;
        if (longest == nullptr) return {};
        slots = Index(longest->labels.size());
        row = longest->row.copy();
        row.go_on();
        if (rules_.doubles_the_last && longest->labels.size() == key.labels.size())
            row.append_again(slots - 1);
        return {};
    }

private:
    struct Prefix {
        std::uint64_t hash;
        std::vector<Index> labels;
        std::vector<std::uint8_t> real;
        std::string revision;
        RowCache<Scalar> row;
    };

    bool begins_with(const PrefixKey& key, const Prefix& prefix) const {
        const std::size_t slots = prefix.labels.size();
        if (slots > key.labels.size() || hash_of(key, slots) != prefix.hash) return false;
        if (!rules_.compares_keys) return true;
        const bool same_flags =
            std::equal(prefix.real.begin(), prefix.real.end(), key.real.begin());
        const std::vector<Index> labels = labels_of(key);
        return std::equal(prefix.labels.begin(), prefix.labels.end(), labels.begin()) &&
               (same_flags || !rules_.flags) &&
               (prefix.revision == key.revision || !rules_.revision);
    }

    Index label_of(Index label) const {
        constexpr Index lower_bits = 0xffffffff;
        return rules_.whole_labels ? label : label & lower_bits;
    }

    std::vector<Index> labels_of(const PrefixKey& key) const {
        std::vector<Index> labels;
        for (const Index label : key.labels) labels.push_back(label_of(label));
        return labels;
    }

    std::uint64_t hash_of(const PrefixKey& key, std::size_t slots) const {
        if (weak_) return 0;
        std::uint64_t hash = fnv1a(rules_.revision ? key.revision : std::string_view());
        for (std::size_t n = 0; n < slots; ++n) {
            const bool is_real = key.real[n] != 0 || !rules_.flags;
            hash = mixed(std::uint64_t(label_of(key.labels[n])), mixed(is_real ? 1 : 0, hash));
        }
        return hash;
    }

    PrefixRules rules_;
    bool weak_ = false;
    std::vector<Prefix> all_;
};

}  // namespace kvcheck
