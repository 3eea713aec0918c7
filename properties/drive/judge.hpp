// SPDX-License-Identifier: Apache-2.0
// Compares what was seen with what is right, number by number, and keeps the worst. Bits or bounds
// as clause 0 of the contract says; the properties choose which.
#pragma once

#include <functional>
#include <string>

#include "oracles/answer.hpp"
#include "oracles/truth.hpp"
#include "oracles/verdict.hpp"
#include "properties/drive/drive.hpp"

namespace kvcheck {

class Judge {
public:
    explicit Judge(const Capabilities& capabilities) : digits_(capabilities.profile.digits) {}

    using Place = std::function<std::string()>;  // spelled out only for what is reported

    /// `observed` must lie within the bound of `answer`.
    void within(const Answer& answer, double observed, const std::string& diagnosis,
                const Place& place);
    /// `observed` must have the bits of `expected`, which was seen in another run.
    void same(double expected, double observed, const std::string& diagnosis, const Place& place);
    /// Something that is no number is wrong.
    void fault(const std::string& diagnosis, const std::string& what);
    /// A run ended early; its verdict becomes this judge's.
    void trouble(const Run& run, const std::string& context = "");
    /// A claim that needs no number was checked and holds.
    void count() { ++compared_; }

    bool failed() const { return failure_.is_failure(); }
    /// Failed with the worst finding, passed, or distrusted where nothing was compared.
    Verdict verdict() const;

private:
    int digits_;
    long compared_ = 0;
    double worst_ratio_ = 0;
    Verdict failure_;
};

/// Which tokens a comparison is about.
using TokenFilter = bool (*)(const Spec& spec, const RowTokens& row, std::size_t slot);
bool is_dead(const RowTokens& row, std::size_t slot);  // it sees no key
/// Its output is specified and it sees a key.
bool is_living(const Spec& spec, const RowTokens& row, std::size_t slot);
bool is_real(const Spec& spec, const RowTokens& row, std::size_t slot);

/// The truths of a run: rows of every epoch, staged through what the subject exported.
std::vector<std::vector<const RowTruth*>> truths_of(Oracle& oracle,
                                                    const std::vector<Epoch>& history,
                                                    const Run& run);

/// Every output element of the tokens that pass `filter` lies within its bound. Tokens on which a
/// correct program may overflow are left out.
void judge_outputs(Judge& judge, Oracle& oracle, const std::vector<Epoch>& history, const Run& run,
                   const std::string& context = "", TokenFilter filter = is_living);

/// The same tokens of two runs have the same output bits; where the subject is not repeatable,
/// `run` is judged against the oracle instead.
void judge_same_outputs(Judge& judge, const Capabilities& capabilities, Oracle& oracle,
                        const std::vector<Epoch>& history, const Run& expected, const Run& run,
                        const std::string& context, TokenFilter filter = is_living);

std::string place_of(std::size_t epoch, std::size_t row, std::size_t slot);

}  // namespace kvcheck
