// SPDX-License-Identifier: Apache-2.0
// Compares what was seen with what is right, number by number, and keeps the worst. Bits or bounds
// as clause 0 of the contract says; the properties choose which. It keeps places and numbers; the
// words for them are made by sentence.hpp.
#pragma once

#include <string>
#include <string_view>

#include "oracles/verdict.hpp"
#include "properties/drive/judged.hpp"

namespace kvcheck {

class Judge {
public:
    explicit Judge(const Capabilities& capabilities)
        : digits_(capabilities.profile.digits),
          declares_weights_(capabilities.features.has(Feature::weights)) {}

    /// From now on findings are of this run of the case: "in chunks of 3 + 1"; empty: of the case
    /// itself.
    void in_variant(std::string variant) { variant_ = std::move(variant); }
    const std::string& variant() const { return variant_; }
    /// From now on findings are of a program that goes on after the case's own.
    void in_program(std::string variant, std::shared_ptr<const Case> program) {
        variant_ = std::move(variant);
        driven_ = std::move(program);
    }

    /// `seen` must lie within the bound of `right`. `what` is "output", "weight", ...; it is the
    /// diagnosis, too, unless another one is given.
    void within(const Answer& right, double seen, std::string_view what, const Place& place,
                double score_size = 0, std::string_view diagnosis = {});
    /// `seen` must have the bits of `expected`, which was seen in another run.
    void same(double expected, double seen, std::string_view what, const Place& place,
              std::string_view diagnosis);
    /// A row number must be the contract's.
    void count(Index right, Index seen, std::string_view what, const Place& place);
    /// Something that is no number is wrong.
    void fault(std::string diagnosis, std::string words, const Place& place = {});
    /// A run ended early; its verdict becomes this judge's.
    void trouble(const Run& run);
    /// A claim that needs no number was checked and holds.
    void holds() { ++compared_; }

    /// Adds to the worst finding the row it is in, where it is about one of these outputs and has
    /// no row yet. To be called after each run that was judged.
    void show_row(const Judged& outputs, const Spec& spec);

    bool failed() const { return failure_.is_failure(); }
    /// Failed with the worst finding, passed, or distrusted where nothing was compared.
    Verdict verdict() const;

private:
    void fail(std::string diagnosis, const Place& place, const Evidence& evidence);
    void keep(Verdict failure);

    int digits_;
    bool declares_weights_;
    std::string variant_;
    std::shared_ptr<const Case> driven_;
    long compared_ = 0;
    double worst_ratio_ = 0;
    Verdict failure_;
};

/// Which outputs of long rows are compared with their truths: some (Output::is_answered), or all.
enum class Answered { some, all };

/// Every output element that the range holds lies within its bound. Tokens on which a correct
/// program may overflow are left out.
void judge_outputs(Judge& judge, const Run& run, Oracle& oracle,
                   const OutputFilter& filter = is_living,
                   Judged::Staging staging = Judged::Staging::exports,
                   Answered answered = Answered::some);

/// The outputs of two runs of programs with the same calls have the same bits, one by one; where
/// the subject is not repeatable, `run` is judged against the oracle instead.
void judge_same_outputs(Judge& judge, const Capabilities& capabilities, Oracle& oracle,
                        const Run& expected, const Run& run, const OutputFilter& filter = is_living,
                        Judged::Staging staging = Judged::Staging::exports);

}  // namespace kvcheck
