// SPDX-License-Identifier: Apache-2.0
// The table of all properties: read it first. Each check stands in the file of its name.
#pragma once

#include <vector>

#include "properties/property.hpp"

namespace kvcheck {

const std::vector<Property>& properties();
/// Judged on large cases of its own (large_cases.hpp) and therefore not in the table.
const Property& large_cases_property();
/// One of the table, or that one; null where there is none of the name.
const Property* property_named(std::string_view name);

/// Where several parts of a run fail, the one of the lowest rank, from 0, tells most of what is
/// wrong: those that ask about one rule alone come before those that many faults break. `part` is a
/// property's name, or that of the small worlds.
std::size_t telling_rank(std::string_view part);

// What the subject computes.
Verdict outputs_match_the_oracle(Subject&, const Case&, Oracle&);
Verdict window_forgets(Subject&, const Case&, Oracle&);
Verdict weights_match_the_oracle(Subject&, const Case&, Oracle&);
Verdict lse_matches_the_oracle(Subject&, const Case&, Oracle&);
Verdict parts_merge_to_the_whole(Subject&, const Case&, Oracle&);
Verdict stored_kv_matches_the_oracle(Subject&, const Case&, Oracle&);
Verdict rows_normalise(Subject&, const Case&, Oracle&);
Verdict dead_rows_are_as_declared(Subject&, const Case&, Oracle&);
Verdict large_cases(Subject&, const Case&, Oracle&);
Verdict chunks_do_not_matter(Subject&, const Case&, Oracle&);
Verdict admission_is_as_append(Subject& subject, const Case& test_case, Oracle& oracle);
Verdict asks_see_every_key(Subject&, const Case&, Oracle&);
// What must have no influence.
Verdict future_is_invisible(Subject&, const Case&, Oracle&);
Verdict branches_do_not_mix(Subject&, const Case&, Oracle&);
Verdict padding_is_invisible(Subject&, const Case&, Oracle&);
Verdict unused_memory_is_invisible(Subject&, const Case&, Oracle&);
Verdict rows_do_not_mix(Subject&, const Case&, Oracle&);
Verdict reset_is_fresh(Subject&, const Case&, Oracle&);
Verdict same_call_same_bits(Subject&, const Case&, Oracle&);
// What the commands of clause 10 leave.
Verdict truncate_undoes_append(Subject&, const Case&, Oracle&);
Verdict reorder_is_replay(Subject&, const Case&, Oracle&);
Verdict forks_do_not_mix(Subject&, const Case&, Oracle&);
Verdict finished_rows_stay(Subject&, const Case&, Oracle&);
Verdict evicted_is_hidden(Subject&, const Case&, Oracle&);
Verdict shifts_add_up(Subject&, const Case&, Oracle&);
Verdict saved_is_continued(Subject&, const Case&, Oracle&);
// What becomes of prefixes (clause 11).
Verdict reuse_is_replay(Subject&, const Case&, Oracle&);
Verdict other_prefix_is_refused(Subject&, const Case&, Oracle&);
Verdict bad_save_is_refused(Subject&, const Case&, Oracle&);
Verdict wrong_command_is_refused(Subject&, const Case&, Oracle&);
// How the cache and its callers are treated.
Verdict cache_grows_exactly(Subject&, const Case&, Oracle&);
Verdict wrong_offset_is_refused(Subject&, const Case&, Oracle&);
Verdict wrong_call_is_refused(Subject&, const Case&, Oracle&);
Verdict capacity_is_as_declared(Subject&, const Case&, Oracle&);
Verdict buffers_are_respected(Subject&, const Case&, Oracle&);

}  // namespace kvcheck
