// SPDX-License-Identifier: Apache-2.0
// Clause 12: what says whether so many tokens more would fit says yes before every append of a
// program, and yes for all the room that rows have, and no for one token more, or for any in a row
// that is finished; and nothing changes by the question. That an append of a token too many is
// refused, too, is the affair of wrong_call_is_refused.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/row_numbers.hpp"

namespace kvcheck {
namespace {

class Asking {
public:
    Asking(Judge& judge, Drive& session, const FeatureSet& features)
        : judge_(judge), session_(session), features_(features) {}

    /// Before an append that the contract admits.
    void expect_room_for(const Append& append) {
        std::vector<Index> counts;
        for (const auto& row : append.rows) counts.push_back(Index(row.size()));
        expect(counts, true);
    }

    /// Up to the last slot, and beyond it.
    void expect_limits() {
        const CacheState& state = session_.state();
        std::vector<Index> room;
        for (Index row = 0; row < state.row_count(); ++row)
            room.push_back(state.row(row).is_finished()
                               ? 0
                               : session_.spec().capacity - state.row(row).length());
        if (!features_.has(Feature::unequal_counts)) {
            const Index least = *std::min_element(room.begin(), room.end());
            expect(std::vector<Index>(room.size(), least), true);
            return expect_no(std::vector<Index>(room.size(), least + 1), 0);
        }
        expect(room, true);
        for (std::size_t row = 0; row < room.size(); ++row) {
            std::vector<Index> counts(room.size());
            counts[row] = room[row];
            expect(counts, true);
            counts[row] = room[row] + 1;
            expect_no(counts, row);
            constexpr Index beyond_32_bits = Index{1} << 32;
            counts[row] = room[row] + beyond_32_bits;
            expect_no(counts, row);
            // Room that others have is not its own.
            counts = room;
            ++counts[row];
            expect_no(counts, row);
        }
    }

    void expect_refusals() {
        const auto rows = std::size_t(session_.state().row_count());
        expect_refusal(std::vector<Index>(rows + 1), "for a row more than there are");
        expect_refusal(std::vector<Index>(rows, -1), "for -1 token in each row");
    }

private:
    /// `row` is the one that has too little room.
    void expect_no(const std::vector<Index>& counts, std::size_t row) {
        const bool no_limit =
            features_.has_any({Feature::capacity_unbounded, Feature::capacity_evicted});
        const bool is_finished = session_.state().row(Index(row)).is_finished();
        if (!no_limit || (is_finished && features_.has(Feature::unequal_counts)))
            expect(counts, false);
    }

    void expect(const std::vector<Index>& counts, bool right) {
        if (session_.in_trouble() || judge_.failed()) return;
        bool fits = !right;
        const Status status = session_.attempt_admission(counts, fits);
        judge_.holds();
        const std::string what = fmt::format("asked behind {} commands whether counts of {} fit",
                                             session_.commands(), fmt::join(counts, ", "));
        if (!status.ok()) {
            judge_.fault(status.kind == Status::Kind::refused ? "refusal" : "crash",
                         fmt::format("{}: {}", what, status.message));
        } else if (fits != right) {
            judge_.fault("admission", fmt::format("{}: it says {}, right is {}", what,
                                                  fits ? "yes" : "no", right ? "yes" : "no"));
        }
    }

    void expect_refusal(const std::vector<Index>& counts, const char* what) {
        if (session_.in_trouble() || judge_.failed()) return;
        bool fits = false;
        const Status status = session_.attempt_admission(counts, fits);
        judge_.holds();
        if (status.ok())
            judge_.fault("accepted", fmt::format("room {}: answered, must be refused", what));
        if (status.kind == Status::Kind::died)
            judge_.fault("crash", fmt::format("room {}: {}", what, status.message));
    }

    Judge& judge_;
    Drive& session_;
    const FeatureSet& features_;
};

}  // namespace

Verdict admission_is_as_append(Subject& subject, const Case& test_case, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    const DriveOptions options = asked_for(test_case);
    Judge judge(capabilities);
    Drive session(subject, test_case.spec, test_case.parameters, options);
    Asking asking(judge, session, capabilities.features);
    asking.expect_limits();
    if (capabilities.features.has(Feature::validates)) asking.expect_refusals();
    for (const Command& command : test_case.program) {
        if (const auto* append = std::get_if<Append>(&command)) asking.expect_room_for(*append);
        session.apply(command);
        asking.expect_limits();
        if (!session.in_trouble())
            judge_numbers(judge, session.state(), session.numbers(), session.commands() - 1);
    }
    const Run run = session.finish();
    judge.trouble(run);
    judge.in_variant("after questions whether tokens fit");
    if (!judge.failed())
        judge_same_outputs(judge, capabilities, oracle, drive(subject, test_case, options), run);
    return judge.verdict();
}

}  // namespace kvcheck
