// SPDX-License-Identifier: Apache-2.0
// Clause 9: a row keeps its bits when the other rows, or another object in the same process, hold
// something else; alone or in another place it stays within the bounds, or keeps its bits where the
// subject declares batch_invariant.
#include <deque>

#include "properties/catalogue.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

/// The history with every row but one emptied, so that only that row is compared.
std::vector<Epoch> only_row(std::vector<Epoch> history, std::size_t kept) {
    for (Epoch& epoch : history) {
        for (std::size_t r = 0; r < epoch.size(); ++r) {
            if (r != kept) epoch[r].clear();
        }
    }
    return history;
}

/// A run of the batch, seen as a run of `rows` alone.
Run rows_of(Run run, const std::vector<Index>& rows) {
    const auto pick = [&](auto& epochs) {
        for (auto& epoch : epochs) {
            if (epoch.empty()) continue;
            auto all = std::move(epoch);
            epoch.clear();
            for (const Index r : rows) epoch.push_back(all[std::size_t(r)]);
        }
    };
    pick(run.tokens);
    pick(run.stored);
    return run;
}

/// Drives a case while other sessions of the same subject run cases of their own step by step, and
/// are closed half way.
Run drive_beside(Subject& subject, const Case& value, const std::vector<Case>& others) {
    Drive first(subject, value.spec, value.parameters, {});
    std::deque<Drive> beside;
    for (const Case& other : others) {
        beside.emplace_back(subject, other.spec, other.parameters, DriveOptions{});
    }
    for (std::size_t n = 0; n < value.program.size(); ++n) {
        if (n > 0 && n == value.program.size() / 2) beside.clear();
        for (std::size_t i = 0; i < beside.size(); ++i) beside[i].apply(others[i].program[n]);
        first.apply(value.program[n]);
    }
    return first.finish();
}

}  // namespace

Verdict rows_do_not_mix(Subject& subject, const Case& value, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    Judge judge(capabilities);
    const auto history = history_of(value);
    const Run expected = drive(subject, value);
    for (Index row = 0; row < value.spec.rows && value.spec.rows > 1; ++row) {
        const auto kept = std::size_t(row);
        const auto others = [kept](std::size_t, std::size_t r, std::size_t, const Token&) {
            return r != kept;
        };
        const auto compared = only_row(history, kept);
        Run without_stored = expected;
        without_stored.stored.clear();
        std::vector<float> contents = finite_contents();
        if (capabilities.features.has(Feature::masked_nonfinite)) {
            contents.push_back(nonfinite_contents().front());
        }
        for (const float content : contents) {
            Run changed = drive(subject, with_contents(value, Part::all, content, others));
            changed.stored.clear();
            judge_same_outputs(judge, capabilities, oracle, compared, without_stored, changed,
                               "with other contents in the other rows, ");
        }
    }
    const bool bitwise = capabilities.features.has(Feature::batch_invariant);
    const auto elsewhere = [&](const std::vector<Index>& rows, const std::string& context) {
        const Case moved = with_rows(value, rows);
        if (!capabilities.features.has_all(features_of(moved))) return;
        const Run run = drive(subject, moved);
        if (bitwise) {
            judge_same_outputs(judge, capabilities, oracle, history_of(moved),
                               rows_of(expected, rows), run, context);
        } else {
            judge_outputs(judge, oracle, history_of(moved), run, context);
        }
    };
    std::vector<Index> reversed;
    for (Index row = value.spec.rows; row-- > 0;) reversed.push_back(row);
    if (reversed.size() > 1) {
        elsewhere(reversed, "with the rows in reverse order, ");
        for (const Index row : reversed) elsewhere({row}, "alone, ");
    }
    const Case other =
        with_contents(value, Part::all, finite_contents().front(),
                      [](std::size_t, std::size_t, std::size_t, const Token&) { return true; });
    const std::vector<Case> others = {other, stranger_to(value, capabilities.features)};
    judge_same_outputs(judge, capabilities, oracle, history, expected,
                       drive_beside(subject, value, others), "beside two other sessions, ");
    return judge.verdict();
}

}  // namespace kvcheck
