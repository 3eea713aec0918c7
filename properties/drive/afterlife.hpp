// SPDX-License-Identifier: Apache-2.0
// What the properties of clause 10 have in common: a case in which a command was carried out is
// judged as it is, and again with other contents where the contract says that they cannot be seen.
#pragma once

#include "properties/drive/continuation.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {

class Afterlife {
public:
    /// Drives the case; the outputs are judged by their bounds, the numbers exactly.
    Afterlife(Judge& judge, Subject& subject, const Case& test_case, Oracle& oracle);

    /// With other contents in the tokens that `unseen` names the outputs that `blind` names keep
    /// their bits; with NaN and infinities there, where the subject bears them, they stay within
    /// their bounds. `tokens` says in words which ones they are.
    void judge_contents(const std::string& tokens, const TokenChoice& unseen,
                        const OutputFilter& blind);
    /// The same of the tokens that nobody sees once `commands` commands have been carried out, and
    /// of all outputs that come then.
    void judge_forgotten(Index commands);

private:
    Judge& judge_;
    Subject& subject_;
    const Case& case_;
    Oracle& oracle_;
    DriveOptions options_;
    std::string added_;  // of the judge, when it began
    Run run_;
};

}  // namespace kvcheck
