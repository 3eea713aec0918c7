// SPDX-License-Identifier: Apache-2.0
// The conventions a case is judged by, as data: printed with each failure, fed to the oracle, given
// to the subject, never assumed. The clause numbers are those of docs/contract.md. What the
// contract names and this record cannot say yet: biases other than slopes.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace kvcheck {

using Index = std::int64_t;

/// Which interface is judged: projections and positions outside (attention) or inside (layer).
enum class Level { attention, layer };

/// What is added to a layer's input before the projections (clause 5). Both tables are exact
/// inputs; the two differ in who makes them: a subject may compute a sinusoidal table itself and
/// declare its error, a learned one it must read.
enum class PositionSignal { none, sinusoidal, learned };

/// Which elements of a query or key head are a pair that is turned by an angle of its token's id
/// (clause 5): i and w/2 + i, or 2i and 2i + 1, of the first w elements.
enum class Rotary { none, halves, adjacent };

/// A token's position id: its slot, or the number of real tokens before it in its row (clause 5).
enum class PositionIds { slot, visible_count };

/// The output of a padded query: not compared, or computed like any other, its own key invisible.
enum class PaddedQuery { unspecified, computed };

/// The value of o, before Wo, for a query that sees no key (clause 4).
enum class DeadRow { zeros, nan, unspecified };

/// In which format keys and values are stored (clause 13): in the element type of the calls'
/// arrays, or rounded to bfloat16 (8 digits, the exponents of float) or to IEEE 754 binary16 (11
/// digits), or as integers from -127 to 127 times a scale of each token and head, keys and values
/// apart.
enum class Storage { element, bf16, fp16, int8 };

/// The least size of a number that a format rounds to infinity; infinity where none is.
constexpr float overflow_of(Storage storage) {
    switch (storage) {
        case Storage::element:
            break;
        case Storage::bf16:
            return 0x1.ffp127F;
        case Storage::fp16:
            return 65520.0F;
        case Storage::int8:
            break;
    }
    return std::numeric_limits<float>::infinity();
}

struct Spec {
    Level level = Level::attention;
    Index rows = 1;         // sequences in the batch, each with its own length
    Index query_heads = 1;  // H, a multiple of kv_heads
    Index kv_heads = 1;     // Hkv
    Index key_width = 1;    // Dk, of a query head and of a key head
    Index value_width = 1;  // Dv, of a value head and of an output head
    Index model_width = 0;  // D, layer only; 0 at attention level
    Index capacity = 1;     // slots a row can hold; an append beyond them is refused (clause 7)
    std::optional<float> scale;    // exact; the real number 1/sqrt(Dk) where absent (clause 1)
    std::optional<float> softcap;  // c > 0: c tanh(s / c) in place of a score s (clause 1)
    std::optional<Index> window;   // W: slot p sees slot k only where p - k < W (clause 3)
    std::optional<Index> anchors;  // first real tokens of a row that every window leaves visible
    bool slopes = false;  // -slope (id of the query - id of the key) is added to a score (clause 1)
    bool sinks = false;   // each head has a score more, whose value is zero (clause 4)
    PositionSignal position_signal = PositionSignal::none;
    PositionIds position_ids = PositionIds::slot;
    PaddedQuery padded_query = PaddedQuery::unspecified;
    DeadRow dead_row = DeadRow::zeros;
    bool biases = false;  // layer only: the four projections have bias vectors
    Rotary rotary = Rotary::none;
    std::optional<Index> rotary_width;  // w, even; all of Dk, then even, where absent
    Storage storage = Storage::element;

    bool operator==(const Spec&) const = default;

    // Sizes that follow; lists of whole arrays stand in arrays.hpp.
    Index query_size() const { return query_heads * key_width; }
    Index key_size() const { return kv_heads * key_width; }
    Index value_size() const { return kv_heads * value_width; }
    Index attended_size() const { return query_heads * value_width; }
    /// Elements of a head that are turned, in pairs: w; 0 where none are.
    Index turned_width() const {
        return rotary == Rotary::none ? 0 : rotary_width.value_or(key_width);
    }
    /// True where a token's id reads a table, whose rows then limit it (clause 5).
    bool reads_a_table() const {
        return position_signal != PositionSignal::none || rotary != Rotary::none;
    }

    /// Floats a token brings: q | k | v at attention level, x at layer level.
    Index input_size() const {
        return level == Level::layer ? model_width : query_size() + key_size() + value_size();
    }
    /// Position ids change some answer.
    bool has_positions() const { return reads_a_table() || slopes; }
    /// Floats a token yields: o[H][Dv] or y[D].
    Index output_size() const { return level == Level::layer ? model_width : attended_size(); }
};

/// No extent of a case may exceed this; it keeps every product below 2^63 and every allocation that
/// follows from a spec alone small.
constexpr Index extent_max = Index{1} << 20;
constexpr Index rows_max = 4096;

/// Throws InputError, naming `place` and the field, where the record contradicts itself or the
/// limits.
void validate(const Spec& spec, const std::string& place = "spec");

}  // namespace kvcheck
