// SPDX-License-Identifier: Apache-2.0
// Clause 9: a row keeps its bits when the other rows, or another object in the same process, hold
// something else; alone or in another place it stays within the bounds, or keeps its bits where the
// subject declares batch_invariant.
#include <algorithm>
#include <deque>

#include "model/row_choice.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

/// A run of the batch, seen as a run of `rows` alone.
Run rows_of(const Run& run, const std::vector<Index>& rows) {
    Run chosen = run;
    chosen.observations.clear();
    chosen.exports.clear();
    for (const Observation& seen : run.observations) {
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

/// Drives a case while other sessions of the same subject run cases of their own step by step, and
/// are closed half way.
Run drive_beside(Subject& subject, const Case& test_case, const std::vector<Case>& others) {
    Drive first(subject, test_case.spec, test_case.parameters, {});
    std::deque<Drive> beside;
    for (const Case& other : others) {
        beside.emplace_back(subject, other.spec, other.parameters, DriveOptions{});
    }
    for (std::size_t n = 0; n < test_case.program.size(); ++n) {
        if (n > 0 && n == test_case.program.size() / 2) beside.clear();
        for (std::size_t i = 0; i < beside.size(); ++i) beside[i].apply(others[i].program[n]);
        first.apply(test_case.program[n]);
    }
    return first.finish();
}

/// The other rows hold something else; what is stored of them says nothing of this one.
void judge_other_contents(Judge& judge, Subject& subject, const Case& test_case, Oracle& oracle,
                          const Run& expected) {
    const Capabilities& capabilities = subject.capabilities();
    std::vector<float> contents = finite_contents();
    if (capabilities.features.has(Feature::masked_nonfinite)) {
        contents.push_back(nonfinite_contents().front());
    }
    judge.in_variant("with other contents in the other rows");
    for (Index row = 0; row < test_case.spec.rows && test_case.spec.rows > 1; ++row) {
        const auto others = [row](const TokenSite& site, const Token&) { return site.row != row; };
        const OutputFilter own = [row](const Output& output) {
            return output.seen().row == row && is_living(output);
        };
        for (const float content : contents) {
            const Run run = drive(subject, with_contents(test_case, content, others));
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
        const Case moved = with_rows(test_case, rows);
        if (!capabilities.features.has_all(features_of(moved))) return;
        const Run run = drive(subject, moved);
        judge.in_variant(variant);
        if (bitwise) {
            judge_same_outputs(judge, capabilities, oracle, rows_of(expected, rows), run);
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
    const Run expected = drive(subject, test_case);
    judge_other_contents(judge, subject, test_case, oracle, expected);
    judge_other_places(judge, subject, test_case, oracle, expected);
    const std::vector<Case> others = {
        with_contents(test_case, finite_contents().front(), every_token),
        stranger_to(test_case, capabilities.features)};
    judge.in_variant("beside two other sessions");
    judge_same_outputs(judge, capabilities, oracle, expected,
                       drive_beside(subject, test_case, others));
    return judge.verdict();
}

}  // namespace kvcheck
