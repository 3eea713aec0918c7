// SPDX-License-Identifier: Apache-2.0
// The right answers for one row's tokens, as values: computed once per history, shared by all
// splits, properties and runs of a case. A row never needs another row (clause 9), so a row is the
// unit.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/case.hpp"
#include "oracles/answer.hpp"

namespace kvcheck {

/// What is right for the token in one slot.
struct TokenTruth {
    bool compared = true;  // false: a padded query whose output is unspecified, or a dead one whose
                           // value is unspecified
    bool dead = false;     // it sees no key
    bool in_domain = true;       // false: a correct program may overflow, nothing is compared
    std::vector<Answer> output;  // o[H*Dv] or y[D]
    std::vector<std::vector<Answer>> weights;  // [H][slots up to this one]; invisible: exactly zero
    std::vector<Answer> weight_sum;            // [H]: one, or zero where dead
};

struct RowTruth {
    std::vector<TokenTruth> tokens;          // [slots]
    std::vector<std::vector<Answer>> key;    // [slots][Hkv*Dk] as stored; empty where padding
    std::vector<std::vector<Answer>> value;  // [slots][Hkv*Dv]
};

/// A subject's own stored keys and values of one row, [slots][Hkv*D]. Where they lie within their
/// bounds they become exact inputs of what follows, which keeps the bound of the outputs sharp.
struct StoredRow {
    std::vector<std::vector<double>> key;
    std::vector<std::vector<double>> value;
};

/// The truths of one spec and one declared arithmetic, remembered by content.
class Oracle {
public:
    Oracle(const Spec& spec, const Parameters& parameters, const NumericProfile& profile);
    ~Oracle();
    Oracle(const Oracle&) = delete;
    Oracle& operator=(const Oracle&) = delete;

    const Spec& spec() const { return spec_; }
    const NumericProfile& profile() const { return profile_; }
    const RowTruth& row(const RowTokens& tokens, const StoredRow* stored = nullptr);

private:
    Spec spec_;
    Parameters parameters_;
    NumericProfile profile_;
    std::map<std::string, std::unique_ptr<RowTruth>> known_;
};

}  // namespace kvcheck
