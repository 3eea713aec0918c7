// SPDX-License-Identifier: Apache-2.0
// Clause 7, of subjects that do not refuse a token beyond the capacity. Each is opened with half
// the capacity that the case fills; nothing may be refused, and the lengths go on. Of an unbounded
// one every output lies within its bound; of one that evicts, too, for a row that has lost its
// oldest slots. Which slots a longer call hides from its own first tokens is not said: tokens come
// singly.
#include <map>

#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

void judge_lengths(Judge& judge, const Case& test_case, const Run& run) {
    CacheState state(test_case.spec, position_count(test_case.spec, test_case.parameters));
    Place place;
    for (std::size_t n = 0; n < run.numbers.size(); ++n) {
        state.apply(test_case.program[n]);
        place.command = Index(n);
        for (place.row = 0; place.row < state.row_count(); ++place.row) {
            const auto& length = run.numbers[n][std::size_t(place.row)].length;
            if (length) judge.count(state.row(place.row).length(), *length, "length", place);
        }
    }
}

/// `roomy` holds all of its tokens; the subject is given half of that. `judged` judges what it
/// says.
template <class Judged>
Verdict beyond_capacity(Subject& subject, const Case& roomy, const Judged& judged) {
    Case tight = roomy;
    tight.spec.capacity = longest_row(roomy) / 2;
    DriveOptions options = asked_for(roomy);
    options.numbers_every_step = true;
    const Run run = drive(subject, tight, options);
    Judge judge(subject.capabilities());
    judged(judge, run, tight.spec);
    if (!judge.failed()) judge_lengths(judge, roomy, run);
    return judge.verdict();
}

/// The outputs of which it is said what they see: those of the last token of a row in a call.
OutputFilter last_of_their_calls(const Run& run) {
    std::map<std::pair<Index, Index>, Index> last;  // slot of it, by command and row
    for (const Observation& seen : run.observations) {
        Index& slot = last[{seen.command, seen.row}];
        slot = std::max(slot, seen.slot());
    }
    return [last](const Output& output) {
        const Observation& seen = output.seen();
        return is_living(output) && last.at({seen.command, seen.row}) == seen.slot();
    };
}

Verdict beyond_an_evicting_capacity(Subject& subject, const Case& test_case, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    // A ring has nothing to go back to, anchors are not its last slots, and a window counts along
    // the path of a tree.
    for (const Command& command : test_case.program) {
        if (std::holds_alternative<Truncate>(command)) return Verdict::distrusted("a truncate");
    }
    if (test_case.spec.anchors) return Verdict::distrusted("anchors");
    if (features_of(test_case).has(Feature::tree)) return Verdict::distrusted("a tree");
    Verdict worst = Verdict::distrusted("the subject cannot be given its tokens in such calls");
    for (const std::vector<Index>& calls : {std::vector<Index>{1}, std::vector<Index>{3, 1, 1}}) {
        std::vector<Index> sizes;
        const Index longest = longest_row(test_case);
        const Index capacity = longest / 2;
        for (Index n = 0; Index(sizes.size()) < longest; ++n)
            sizes.push_back(std::min(calls[std::size_t(n) % calls.size()], capacity));
        Case cut = with_chunks(test_case, sizes);
        std::erase_if(cut.program, [](const Command& command) {
            const auto* append = std::get_if<Append>(&command);
            return append != nullptr && count_max(*append) == 0;
        });
        if (!capabilities.features.has_all(features_of(cut))) continue;
        Verdict verdict =
            beyond_capacity(subject, cut, [&](Judge& judge, const Run& run, Spec spec) {
                // The last slots of a row are what a window of as many leaves.
                spec.window = std::min(spec.window.value_or(spec.capacity), spec.capacity);
                Oracle of_last_slots(spec, test_case.parameters, capabilities.profile,
                                     oracle.evaluation(), stored_keys_of(capabilities.features));
                if (sizes.size() > 1)
                    judge.in_variant("in chunks of " + chunks_text(calls) + " and on");
                // What is exported of an evicted slot is not specified.
                judge_outputs(judge, run, of_last_slots, last_of_their_calls(run),
                              Judged::Staging::none);
                oracle.count(of_last_slots.counts());
            });
        if (verdict.is_failure()) return verdict;
        if (verdict.kind == Verdict::Kind::passed) worst = verdict;
    }
    return worst;
}

}  // namespace

Verdict capacity_is_as_declared(Subject& subject, const Case& test_case, Oracle& oracle) {
    const FeatureSet& features = subject.capabilities().features;
    if (!features.has_any({Feature::capacity_unbounded, Feature::capacity_evicted}))
        return Verdict::skipped("it refuses what is beyond its capacity");
    if (longest_row(test_case) < 2)
        return Verdict::distrusted("no row holds more than the least capacity");
    if (features.has(Feature::capacity_evicted))
        return beyond_an_evicting_capacity(subject, test_case, oracle);
    return beyond_capacity(subject, test_case, [&](Judge& judge, const Run& run, const Spec&) {
        judge_outputs(judge, run, oracle);
    });
}

}  // namespace kvcheck
