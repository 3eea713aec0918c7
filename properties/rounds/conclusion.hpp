// SPDX-License-Identifier: Apache-2.0
// What a part's results amount to, and how the failures of several parts are related: which says
// most, and which say the same.
#pragma once

#include <string>
#include <vector>

#include "properties/suite.hpp"

namespace kvcheck {

constexpr std::string_view outputs_property = "outputs_match_the_oracle";
/// An output that is not the oracle's, in whatever run of a case.
bool is_of_outputs(const Verdict& verdict);
/// Whether plain outputs may be wrong where a property found something: it did so in outputs, in a
/// refusal, or behind commands of its own.
bool may_be_of_outputs(const Counterexample& found);
/// Whether a fault of plain outputs needs commands that bring no token, and none but those that the
/// property which found it had added to its case.
bool is_of_added_commands(const Counterexample& plain, const Counterexample& found);

/// The verdict over a part in which nothing failed.
Verdict verdict_of(const PropertyReport& report, bool of_small_worlds);

/// "rows_do_not_mix layer"
std::string title_of(const PropertyReport& report);

/// Which of several failures tells more of what is wrong. First come those of a rule of their own,
/// in the ranking of the catalogue (telling_rank), at attention level before layer level. Where
/// plain outputs are wrong, any property that looks at outputs meets them, and says no more than
/// outputs_match_the_oracle. Of deaths, hangs and refusals, which every property may meet, the
/// first of the table says most.
class SaysMore {
public:
    /// `reports` are all of a run.
    explicit SaysMore(const std::vector<PropertyReport*>& reports);
    bool operator()(const PropertyReport& a, const PropertyReport& b) const;

private:
    bool outputs_are_wrong_ = false;
};

/// Failures that are told once: with one diagnosis, of one kind where both cases fail by
/// themselves.
bool is_same_trouble(const Verdict& one, const Verdict& other);

/// Of failures with one diagnosis all but the most telling are told by reference to that one
/// (PropertyReport::same_as).
void tell_common_roots(const std::vector<PropertyReport*>& reports);

/// Writes the finding of a report into a file, and keeps its text where that cannot be done.
void save_finding(PropertyReport& report, const SuiteOptions& options);

}  // namespace kvcheck
