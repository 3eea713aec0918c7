// SPDX-License-Identifier: Apache-2.0
// The faults and the table of them (declared in catalogue.hpp).
#include "impl/mutants/catalogue.hpp"

#include <algorithm>
#include <cmath>

#include "impl/mutants/admission.hpp"
#include "impl/mutants/arithmetic.hpp"
#include "impl/mutants/asks.hpp"
#include "impl/mutants/broken.hpp"
#include "impl/mutants/commands.hpp"
#include "impl/mutants/memory.hpp"
#include "impl/mutants/partial.hpp"
#include "impl/mutants/paths.hpp"
#include "impl/mutants/prefixes.hpp"
#include "impl/mutants/saving.hpp"
#include "impl/mutants/storage.hpp"
#include "impl/mutants/trees.hpp"

namespace kvcheck {
namespace {

/// Tokens from a key to the query.
Index distance(const TokenPlace& query, Index key) {
    return ancestors(query, false) - ancestors(query.at(key), false);
}

/// The causal mask is built from indices within the call, as if nothing were cached.
class ChunkLocalMask final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override {
        return key <= query.index && is_on_path(query, key) && query.real[std::size_t(key)] &&
               !is_evicted(query, key) && in_window(query, key);
    }
};

/// Position ids start at zero in every call.
class RestartedPositions final : public PlainRules {
    Index position_id(const TokenPlace& token, PositionIds ids) const override {
        return ancestors(token, ids == PositionIds::visible_count, token.past);
    }
};

/// Padding is hidden by adding a large negative number to its score instead of leaving it out.
class AdditivePaddingMask final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override {
        return key <= query.slot() && is_on_path(query, key) && !is_evicted(query, key) &&
               in_window(query, key);
    }
    float score_offset(const TokenPlace& query, Index key) const override {
        constexpr float large = -1e4F;
        return query.real[std::size_t(key)] ? 0 : large;
    }
};

/// The window holds one slot more than it should.
class WideWindow final : public PlainRules {
    bool in_window(const TokenPlace& query, Index key) const override {
        return PlainRules::in_window(query, key) || distance(query, key) == query.spec.window;
    }
};

/// The window counts real tokens where it should count slots.
class WindowOfRealTokens final : public PlainRules {
    bool in_window(const TokenPlace& query, Index key) const override {
        const Index between = ancestors(query, true) - ancestors(query.at(key), true);
        return PlainRules::in_window(query, key) || between < query.spec.window;
    }
};

/// The anchors are the first slots of a row, whatever they hold.
class AnchorsAreSlots final : public PlainRules {
    bool in_window(const TokenPlace& query, Index key) const override {
        const Spec& spec = query.spec;
        return !spec.window || distance(query, key) < *spec.window ||
               ancestors(query.at(key), false) < spec.anchors.value_or(0);
    }
};

/// A window is accepted and has no effect.
class NoWindow final : public PlainRules {
    bool in_window(const TokenPlace&, Index) const override { return true; }
};

/// Anchors are accepted and have no effect.
class NoAnchors final : public PlainRules {
    bool in_window(const TokenPlace& query, Index key) const override {
        return !query.spec.window || distance(query, key) < *query.spec.window;
    }
};

/// A softcap is accepted and has no effect.
class NoSoftcap final : public PlainRules {
    std::optional<float> softcap(const TokenPlace&, float) const override { return std::nullopt; }
};

/// scale * c tanh(q.k / c): the cap comes before the scale.
class SoftcapBeforeScale final : public PlainRules {
    std::optional<float> softcap(const TokenPlace& query, float scale) const override {
        const Spec& spec = query.spec;
        if (!spec.softcap || scale == 0) return spec.softcap;
        return *spec.softcap * scale;
    }
};

/// Capped scores, and among them those of hidden keys, which were minus infinity before the cap.
class HiddenBeforeTheCap final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override {
        return PlainRules::sees(query, key) || query.spec.softcap;
    }
    float score_offset(const TokenPlace& query, Index key) const override {
        // What the capped score is worth does not matter here; minus the cap is added to it.
        return PlainRules::sees(query, key) ? 0 : -query.spec.softcap.value_or(0);
    }
};

/// Slopes are accepted and have no effect.
class NoSlopes final : public PlainRules {
    double bias(const TokenPlace&, Index, float) const override { return 0; }
};

/// The distance is counted in slots whatever the position ids are.
class SlopesOfSlots final : public PlainRules {
    double bias(const TokenPlace& query, Index key, float slope) const override {
        return -double(slope) * double(distance(query, key));
    }
};

/// Sinks are accepted and have no effect.
class NoSinks final : public PlainRules {
    std::optional<float> sink(float) const override { return std::nullopt; }
};

/// The sink is a weight more, not a score more.
class SinkAsAWeight final : public PlainRules {
    std::optional<float> sink(float given) const override {
        if (given <= 0) return std::nullopt;
        return std::log(given);
    }
};

/// The slope and the sink of the first head serve all of them.
class FirstEntryForAll final : public PlainRules {
    Index entry_of(Index) const override { return 0; }
};

/// Elements 2i and 2i + 1 are turned together where i and w/2 + i should be.
class HalvesAsAdjacent final : public PlainRules {
    PlainRotation rotation(const Spec& spec) const override {
        return {Rotary::adjacent, spec.turned_width()};
    }
};

/// Queries and keys are turned the wrong way.
class RotaryBackwards final : public PlainRules {
    PlainRotation rotation(const Spec& spec) const override {
        return {spec.rotary, spec.turned_width(), -1};
    }
};

/// All of a head is turned, whatever the spec says of a part.
class WholeHeadTurned final : public PlainRules {
    PlainRotation rotation(const Spec& spec) const override {
        return {spec.rotary, spec.key_width / 2 * 2};
    }
};

/// After the first call every token has the slot of the one before it as its id.
class PositionsLagBehind final : public PlainRules {
    Index position_id(const TokenPlace& token, PositionIds ids) const override {
        const Index id = PlainRules::position_id(token, ids);
        return ids == PositionIds::slot && token.past > 0 && id > 0 ? id - 1 : id;
    }
};

/// Keys are turned by their place in the call, queries by their ids.
class KeysTurnedByCall final : public PlainRules {
    Index key_id(const TokenPlace& token, PositionIds ids) const override {
        return ancestors(token, ids == PositionIds::visible_count, token.past);
    }
};

std::vector<MutantEntry> mutants_of_rules() {
    return {
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
        {{"wide_window", "the window holds one slot too many", broken<WideWindow>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "a key just outside the window of the next query",
         default_cases},
        {{"window_of_real_tokens", "the window counts real tokens, not slots",
          broken<WindowOfRealTokens>},
         "outputs_match_the_oracle",
         {1, 1, 3, 1},
         "padding between a key outside the window and the query, which sees itself",
         default_cases},
        {{"window_ignored", "a window has no effect", broken<NoWindow>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "a key outside the window of the next query",
         default_cases},
        {{"anchors_are_slots", "the first slots are anchors, not the first real tokens",
          broken<AnchorsAreSlots>},
         "outputs_match_the_oracle",
         {1, 1, 3, 1},
         "padding, then an anchor outside the window of the query",
         default_cases},
        {{"anchors_ignored", "anchors have no effect", broken<NoAnchors>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "an anchor outside the window of the next query",
         default_cases},
        {{"softcap_ignored", "a cap on scores has no effect", broken<NoSoftcap>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "the weight of a single key is one whatever its score",
         default_cases,
         1},
        {{"softcap_before_scale", "scores are capped before they are scaled",
          broken<SoftcapBeforeScale>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "the weight of a single key is one whatever its score",
         default_cases,
         1},
        {{"slopes_ignored", "slopes have no effect", broken<NoSlopes>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "the weight of a single key is one whatever its score",
         default_cases},
        {{"slopes_of_slots", "distances are counted in slots, not in position ids",
          broken<SlopesOfSlots>},
         "outputs_match_the_oracle",
         {1, 1, 3, 1},
         "padding between two keys, of which the later query is one",
         default_cases},
        {{"sinks_ignored", "sinks have no effect", broken<NoSinks>},
         "outputs_match_the_oracle",
         {1, 1, 1, 1},
         "one key, which shares with the sink",
         default_cases},
        {{"sink_as_a_weight", "the sink is added to the sum of weights as it is",
          broken<SinkAsAWeight>},
         "outputs_match_the_oracle",
         {1, 1, 1, 1},
         "one key, which shares with the sink",
         default_cases},
        {{"first_sink_for_all", "the slope and the sink of the first head serve all heads",
          broken<FirstEntryForAll>},
         "outputs_match_the_oracle",
         {1, 2, 2, 1},
         "the second head, and two keys or a key and a sink",
         default_cases,
         1},
        {{"hidden_before_the_cap", "hidden scores are capped, too", broken<HiddenBeforeTheCap>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "a hidden key beside one that is seen",
         default_cases,
         1},
        {{"rotary_halves_as_adjacent", "neighbours are turned together, not elements of two halves",
          broken<HalvesAsAdjacent>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "the weight of a single key is one however it is turned",
         default_cases,
         1},
        {{"rotary_backwards", "queries and keys are turned the wrong way", broken<RotaryBackwards>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "the weight of a single key is one however it is turned",
         default_cases,
         1},
        {{"whole_head_turned", "all of a head is turned where a part should be",
          broken<WholeHeadTurned>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "the weight of a single key is one however it is turned",
         default_cases,
         1},
        {{"positions_lag_behind", "after the first call ids by slot are one too small",
          broken<PositionsLagBehind>},
         "outputs_match_the_oracle",
         {1, 1, 2, 2},
         "ids are right in a first call, so a token must be cached and another follow in a second"},
        {{"keys_turned_by_call", "keys are turned by their place in the call, queries by their ids",
          broken<KeysTurnedByCall>},
         "outputs_match_the_oracle",
         {1, 1, 2, 2},
         "the weight of a single key is one, and ids are right in a first call",
         default_cases},
    };
}

}  // namespace

const std::vector<MutantEntry>& mutants() {
    static const std::vector<MutantEntry> entries = [] {
        std::vector<MutantEntry> all = mutants_of_rules();
        for (const auto& part : {mutants_of_paths(), mutants_of_arithmetic(), mutants_of_memory(),
                                 mutants_of_commands(), mutants_of_saving(), mutants_of_storage(),
                                 mutants_of_trees(), mutants_of_partial_attention(),
                                 mutants_of_prefixes(), mutants_of_asks(), mutants_of_admission()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return entries;
}

}  // namespace kvcheck
