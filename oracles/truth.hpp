// SPDX-License-Identifier: Apache-2.0
// The right answers as values. The truth of an output belongs to the history it was computed on:
// it is found by the content of its path in that history, computed once, and shared by all splits,
// properties and runs of a case. A row never needs another row (clause 9).
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "model/history.hpp"
#include "model/types/numeric_profile.hpp"
#include "model/types/parameters.hpp"
#include "oracles/answer.hpp"
#include "oracles/evaluation.hpp"
#include "oracles/storage.hpp"

namespace kvcheck {

/// Whether a token's output is specified, and whether its query sees any key. Costs no arithmetic.
struct Standing {
    bool compared = true;  // false: a padded query whose output is unspecified, or a dead one whose
                           // value is unspecified
    bool dead = false;     // it sees no key
};

/// What is right for one token.
struct TokenTruth {
    Standing standing;
    bool certified = false;      // its answers are in double, with a doubt
    bool in_domain = true;       // false: a correct program may overflow, nothing is compared
    std::vector<Answer> output;  // o[H*Dv] or y[D]
    std::vector<std::vector<Answer>>
        weights;                     // [H][depths up to this one]; invisible: exactly zero
    std::vector<Answer> weight_sum;  // [H]: one, or zero where dead
    std::vector<double> score_size;  // [H] |score| of the largest, 0 where dead
    /// [H] -inf where dead; in fifty digits only, and meaningless beside a sink.
    std::vector<Answer> log_sum_exp = {};
};

/// What is right to be stored of one token.
struct StoredTruth {
    std::vector<Answer> key;      // [Hkv*Dk], before it is rotated; empty where padding
    std::vector<Answer> value;    // [Hkv*Dv]
    std::vector<Answer> rotated;  // the key after it; empty where nothing is
    bool in_domain = true;        // false: a correct program may overflow, nothing is compared
    Storage storage = Storage::element;
    std::vector<StoredRange> key_ranges =
        {};  // where storage is narrow, of the key as it is stored
    std::vector<StoredRange> value_ranges = {};

    /// What is right where `seen` is shown, which must be a number of the format, too.
    Answer answer_of_key(bool is_rotated, std::size_t i, double seen) const {
        return answer(shown_key(is_rotated)[i], key_ranges, i, seen);
    }
    Answer answer_of_value(std::size_t i, double seen) const {
        return answer(value[i], value_ranges, i, seen);
    }
    /// The key as a subject shows it that has turned it already, or has not.
    const std::vector<Answer>& shown_key(bool is_rotated) const {
        return is_rotated && !rotated.empty() ? rotated : key;
    }

private:
    Answer answer(const Answer& right, const std::vector<StoredRange>& ranges, std::size_t i,
                  double seen) const {
        return ranges.empty() ? right : stored_answer(storage, ranges[i], right, seen);
    }
};

/// A subject's own stored keys and values of one row, [slots][Hkv*D], and what the row held then.
struct StoredRow {
    History history;
    std::vector<std::vector<double>> key;
    std::vector<std::vector<double>> value;
    bool rotated = false;  // keys are shown after their rotation
};

/// The truths of one spec and one declared arithmetic, remembered by content. A double arithmetic
/// is judged by fifty digits whatever `evaluation` says.
class Oracle {
public:
    Oracle(const Spec& spec, const Parameters& parameters, const NumericProfile& profile,
           Evaluation evaluation = Evaluation::exact, StoredKeys stored_keys = StoredKeys::raw);
    ~Oracle();
    Oracle(const Oracle&) = delete;
    Oracle& operator=(const Oracle&) = delete;

    const Spec& spec() const;
    const NumericProfile& profile() const;
    Evaluation evaluation() const;
    /// What was judged so far.
    const EvaluationCounts& counts() const;
    void count(const EvaluationCounts& more);

private:
    friend class Truths;
    struct Known;   // a token of a known history
    struct Memory;  // all of them
    std::unique_ptr<Memory> memory_;
};

/// The truths of the tokens of one run. Where the subject's own stored keys and values lie within
/// their bounds they become exact inputs of what follows, which keeps the bound of outputs sharp.
/// Needs: the oracle, the histories and the stored rows outlive it.
class Truths {
public:
    explicit Truths(Oracle& oracle) : oracle_(oracle) {}

    /// Adopts what the subject stored of these tokens; call before asking for any of them.
    void adopt(const StoredRow& stored);

    using Token = std::shared_ptr<const Node>;
    Standing standing(const Token& token) const;
    /// In fifty digits.
    const TokenTruth& of(const Token& token);
    const StoredTruth& stored(const Token& token);

    /// Which of a token's numbers are judged: its output, or its weights and their sums.
    enum class Part { output, weights };
    using Settles = std::function<bool(const TokenTruth&)>;
    /// Of a certified evaluation, what is right for the part, where that settles what was seen; in
    /// fifty digits else. `numbers` is how many are judged by it.
    const TokenTruth& judging(const Token& token, Part part, Index numbers, const Settles& settles);

private:
    struct Stored {
        const std::vector<double>* key;
        const std::vector<double>* value;
        bool rotated;
    };
    Oracle::Known& known(const Token& token);
    /// Null where there is no certificate.
    const TokenTruth* certified(const Token& token, Part part);

    Oracle& oracle_;
    std::unordered_map<const Node*, Oracle::Known*> known_;
    std::unordered_map<const Node*, Stored> stored_;
};

}  // namespace kvcheck
