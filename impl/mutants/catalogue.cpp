// SPDX-License-Identifier: Apache-2.0
// The faults and the table of them (declared in catalogue.hpp).
#include "impl/mutants/catalogue.hpp"

#include <algorithm>

#include "impl/plain/plain.hpp"

namespace kvcheck {
namespace {

/// The causal mask is built from indices within the call, as if nothing were cached.
class ChunkLocalMask final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override {
        return key <= query.index && query.real[std::size_t(key)];
    }
};

/// Position ids start at zero in every call.
class RestartedPositions final : public PlainRules {
    Index position_id(const TokenPlace& token, PositionIds ids) const override {
        if (ids == PositionIds::slot) return token.index;
        const auto call_begin = token.real.begin() + token.past;
        return std::count(call_begin, call_begin + token.index, true);
    }
};

/// Padding is hidden by adding a large negative number to its score instead of leaving it out.
class AdditivePaddingMask final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override { return key <= query.slot(); }
    float score_offset(const TokenPlace& query, Index key) const override {
        constexpr float large = -1e4F;
        return query.real[std::size_t(key)] ? 0 : large;
    }
};

template <class Rules>
std::unique_ptr<Subject> broken(std::string name) {
    return make_plain<float>(std::move(name), std::make_shared<Rules>());
}

}  // namespace

const std::vector<MutantEntry>& mutants() {
    static const std::vector<MutantEntry> entries = {
        {{"chunk_local_mask", "the causal mask is built from chunk-local indices",
          broken<ChunkLocalMask>},
         "outputs_match_the_oracle",
         {1, 1, 2, 2},
         "the mask is right in a first call, so a key must be cached and a query follow in a "
         "second"},
        {{"restarted_positions", "position ids restart at zero for each chunk",
          broken<RestartedPositions>},
         "outputs_match_the_oracle",
         {1, 1, 2, 2},
         "ids are right in a first call, so a token must be cached and another follow in a second"},
        {{"additive_padding_mask", "padding is hidden by adding -1e4 to its score",
          broken<AdditivePaddingMask>},
         "padding_is_invisible",
         {1, 1, 2, 1},
         "one padded key and one real query that should not see it"},
    };
    return entries;
}

}  // namespace kvcheck
