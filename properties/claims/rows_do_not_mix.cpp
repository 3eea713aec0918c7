// SPDX-License-Identifier: Apache-2.0
// Clause 9: a row keeps its bits when the other rows, or another object in the same process, hold
// something else; alone or in another place it stays within the bounds, or keeps its bits where the
// subject declares batch_invariant. Other objects differ in each thing alone, so that none of them
// puts right what another one spoilt.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/row_choice.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/companions.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

bool has(const std::vector<Index>& rows, Index row) {
    return std::find(rows.begin(), rows.end(), row) != rows.end();
}

/// A run of the batch, seen as a run of some rows alone: which they are when a command comes.
Run rows_of(const Run& run, const std::vector<std::vector<Index>>& chosen_rows) {
    Run chosen = run;
    chosen.observations.clear();
    chosen.exports.clear();
    for (const Observation& seen : run.observations) {
        const std::vector<Index>& rows = chosen_rows[std::size_t(seen.command)];
        const auto found = std::find(rows.begin(), rows.end(), seen.row);
        if (found == rows.end()) continue;
        Observation& moved = chosen.observations.emplace_back(seen);
        moved.row = Index(found - rows.begin());
    }
    std::stable_sort(chosen.observations.begin(), chosen.observations.end(),
                     [](const Observation& a, const Observation& b) {
                         return std::pair(a.command, a.row) < std::pair(b.command, b.row);
                     });
    return chosen;
}

/// Drives a case beside another session, step by step; whose turn comes first is given. The other
/// one is closed half way where it goes first, and goes on to its end where it comes second.
Run drive_beside(Subject& subject, const Case& test_case, const Case& other, bool other_first) {
    Drive own(subject, test_case.spec, test_case.parameters, asked_for(test_case));
    std::optional<Drive> beside;
    beside.emplace(subject, other.spec, other.parameters, asked_for(other));
    for (std::size_t n = 0; n < test_case.program.size(); ++n) {
        const bool half_way = n > 1 && n == test_case.program.size() / 2;
        if (other_first && half_way) beside.reset();
        if (other_first && beside) beside->apply(other.program[n]);
        own.apply(test_case.program[n]);
        if (!other_first) beside->apply(other.program[n]);
    }
    return own.finish();
}

/// Another session shares the process, and changes nothing.
void judge_companions(Judge& judge, Subject& subject, const Case& test_case, Oracle& oracle,
                      const Run& expected) {
    const Capabilities& capabilities = subject.capabilities();
    constexpr std::size_t both_orders_max = 32;  // commands
    const bool both = test_case.program.size() <= both_orders_max;
    bool other_first = false;
    for (const Companion& companion : companions_of(test_case, capabilities.features)) {
        // What one order overwrites in time the other leaves standing.
        for (int orders = both ? 2 : 1; orders > 0 && !judge.failed(); --orders) {
            other_first = !other_first;
            judge.in_variant(fmt::format("beside a session that differs in {} and goes {}",
                                         companion.differs_in, other_first ? "first" : "second"));
            judge_same_outputs(judge, capabilities, oracle, expected,
                               drive_beside(subject, test_case, companion.test_case, other_first));
        }
    }
}

/// A session that has ended leaves nothing behind. It comes before any of the case's own, so that a
/// fresh process finds what was found here.
void judge_after_another(Judge& judge, Subject& subject, const Case& test_case, Oracle& oracle) {
    judge.in_variant("after a session that differs in scale");
    for (const Case& other : with_other_scales(test_case, subject.capabilities().features)) {
        drive(subject, other, asked_for(other));
        judge_outputs(judge, drive(subject, test_case, asked_for(test_case)), oracle);
        if (judge.failed()) return;
    }
}

/// The other rows hold something else; what is stored of them says nothing of this one.
void judge_other_contents(Judge& judge, Subject& subject, const Case& test_case, Oracle& oracle,
                          const Run& expected) {
    const Capabilities& capabilities = subject.capabilities();
    std::vector<float> contents = finite_contents(test_case.spec);
    if (capabilities.features.has(Feature::masked_nonfinite)) {
        contents.push_back(nonfinite_contents().front());
    }
    judge.in_variant("with other contents in the other rows");
    for (Index row = 0; row < test_case.spec.rows && test_case.spec.rows > 1; ++row) {
        if (!stands_alone(test_case, {row})) continue;
        // Rows that continue this one are it, too.
        const auto own_rows = rows_through(test_case, {row});
        const auto others = [&](const TokenSite& site, const Token&) {
            return !has(own_rows[std::size_t(site.command)], site.row);
        };
        const OutputFilter own = [&](const Output& output) {
            const Observation& seen = output.seen();
            return has(own_rows[std::size_t(seen.command)], seen.row) && is_living(output);
        };
        for (const float content : contents) {
            const Run run =
                drive(subject, with_contents(test_case, content, others), asked_for(test_case));
            judge_same_outputs(judge, capabilities, oracle, expected, run, own,
                               Judged::Staging::none);
        }
    }
}

/// The rows in reverse order, and each alone.
void judge_other_places(Judge& judge, Subject& subject, const Case& test_case, Oracle& oracle,
                        const Run& expected) {
    const Capabilities& capabilities = subject.capabilities();
    const bool bitwise = capabilities.features.has(Feature::batch_invariant);
    const auto elsewhere = [&](const std::vector<Index>& rows, const char* variant) {
        if (!stands_alone(test_case, rows)) return;
        const Case moved = with_rows(test_case, rows);
        if (!capabilities.features.has_all(features_of(moved))) return;
        const Run run = drive(subject, moved, asked_for(bitwise ? test_case : moved));
        judge.in_variant(variant);
        if (bitwise) {
            judge_same_outputs(judge, capabilities, oracle,
                               rows_of(expected, rows_through(test_case, rows)), run);
        } else {
            judge_outputs(judge, run, oracle);
        }
    };
    std::vector<Index> reversed;
    for (Index row = test_case.spec.rows; row-- > 0;) reversed.push_back(row);
    if (reversed.size() < 2) return;
    elsewhere(reversed, "with the rows in reverse order");
    for (const Index row : reversed) elsewhere({row}, "alone");
}

}  // namespace

Verdict rows_do_not_mix(Subject& subject, const Case& test_case, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    Judge judge(capabilities);
    judge_after_another(judge, subject, test_case, oracle);
    if (judge.failed()) return judge.verdict();
    const Run expected = drive(subject, test_case, asked_for(test_case));
    judge_other_contents(judge, subject, test_case, oracle, expected);
    judge_other_places(judge, subject, test_case, oracle, expected);
    if (!judge.failed()) judge_companions(judge, subject, test_case, oracle, expected);
    return judge.verdict();
}

}  // namespace kvcheck
