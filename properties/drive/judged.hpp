// SPDX-License-Identifier: Apache-2.0
// The outputs of a run, each beside what is right for it: the one range that judges walk over.
#pragma once

#include <functional>
#include <vector>

#include "oracles/truth.hpp"
#include "properties/drive/drive.hpp"

namespace kvcheck {

/// A sum of weights that the checker formed, most + rest, of which `most` is the nearest double.
struct WeightSum {
    double most = 0;
    double rest = 0;
};

/// One output of a run. What is right is computed when it is asked for.
class Output {
public:
    Output(const Observation& seen, Truths& truths, bool is_last)
        : seen_(&seen), truths_(&truths), is_last_(is_last) {}

    const Observation& seen() const { return *seen_; }
    Standing standing() const { return truths_->standing(seen_->history.last()); }
    /// In fifty digits.
    const TokenTruth& truth() const { return truths_->of(seen_->history.last()); }
    /// As far as is needed to judge the output, or the weights, that were seen; what is certified
    /// lacks the other part.
    const TokenTruth& truth_of_output() const;
    const TokenTruth& truth_of_weights() const;
    /// Likewise for sums of the weights, [heads].
    const TokenTruth& truth_of_sums(const std::vector<WeightSum>& sums) const;

    /// Whether it is compared with its truth. An answer costs as many exact products as there are
    /// keys, so of the slots from 33 on only these are: the ends and beginnings of tiles of 32, a
    /// row's last, and some of the others.
    bool is_answered() const;

private:
    const Observation* seen_;
    Truths* truths_;
    bool is_last_;  // of its row in the run
};

/// Which outputs a comparison is about.
using OutputFilter = std::function<bool(const Output&)>;
/// Its output is specified and it sees a key.
bool is_living(const Output& output);
bool is_real(const Output& output);

/// All outputs of a run that pass a filter, in order. The run outlives it.
class Judged {
public:
    /// Whether the truths are staged through what the subject exported.
    enum class Staging { exports, none };

    Judged(const Run& run, Oracle& oracle, const OutputFilter& filter = is_living,
           Staging staging = Staging::exports);
    Judged(const Judged&) = delete;
    Judged& operator=(const Judged&) = delete;

    auto begin() const { return outputs_.begin(); }
    auto end() const { return outputs_.end(); }
    std::size_t size() const { return outputs_.size(); }
    const Output& operator[](std::size_t n) const { return outputs_[n]; }

private:
    Truths truths_;
    std::vector<Output> outputs_;
};

/// One head's weights by the slots up to the query's own, from those by the depths of its path; of
/// all other slots they are exactly zero.
std::vector<Answer> weights_by_slot(const std::vector<Answer>& of_path, const Node& query);

/// Where an output stands; position ids are told where the level has positions.
Place place_of(const Output& output, const Spec& spec);

}  // namespace kvcheck
