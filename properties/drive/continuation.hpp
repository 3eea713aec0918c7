// SPDX-License-Identifier: Apache-2.0
// Cases that begin as a given one does and then go on in their own way: what the properties of
// clause 10 put behind a past that was drawn. Values in, values out.
#pragma once

#include <string>
#include <vector>

#include "model/cache_state.hpp"
#include "model/case.hpp"

namespace kvcheck {

class Continuation {
public:
    /// The first `commands` commands, with room for more tokens behind them. `features` are the
    /// subject's.
    Continuation(const Case& test_case, std::size_t commands, const FeatureSet& features);

    const CacheState& state() const { return state_; }
    std::size_t commands() const { return case_.program.size(); }
    const FeatureSet& features() const { return features_; }
    /// Needs: an admissible command.
    void add(Command command);
    /// Gives every row that grows and has room `count` tokens, whose numbers differ from call to
    /// call, row to row and slot to slot; one only where the subject takes no more. False where no
    /// row gets any; nothing is added then.
    bool append(Index count);
    /// Two such calls, so that what the first one stored is read.
    bool append_twice() { return append(2) && append(1); }

    /// What was added to the given case, in words: `3 tokens, fork {"row":0}, 3 tokens`. A saved
    /// case of such a property holds the past alone, so the words of a finding tell the rest.
    std::string added() const;

    /// Whether the subject can be given it.
    bool is_admitted() const { return features_.has_all(features_of(case_)); }
    const Case& test_case() const { return case_; }

private:
    Case case_;
    std::size_t past_;
    FeatureSet features_;
    CacheState state_;
};

/// How many commands to keep: half of them and all of them, where some row holds a token by then.
std::vector<std::size_t> pasts_of(const Case& test_case);

}  // namespace kvcheck
