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
    /// Goes on behind a command with two calls, and drives that: the outputs are judged by their
    /// bounds, the numbers exactly. Where the subject cannot be given it, or something has failed
    /// before, nothing happens, here or in what follows.
    Afterlife(Judge& judge, Subject& subject, Continuation life, Oracle& oracle);

    /// With other contents in the tokens that `unseen` names the outputs that `blind` names keep
    /// their bits; with NaN and infinities there, where the subject bears them, they stay within
    /// their bounds. `tokens` says in words which ones they are.
    void judge_contents(const std::string& tokens, const TokenChoice& unseen,
                        const OutputFilter& blind);
    /// The same of the tokens that nobody sees once the command has been carried out, and of all
    /// outputs that come then.
    void judge_forgotten();

private:
    bool is_over() const { return case_ == nullptr || judge_.failed(); }

    Judge& judge_;
    Subject& subject_;
    Oracle& oracle_;
    Index carried_out_;                 // commands, up to the one that this is about
    std::shared_ptr<const Case> case_;  // null where nothing happens
    DriveOptions options_;
    std::string added_;
    Run run_;
};

}  // namespace kvcheck
