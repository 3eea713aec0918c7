// SPDX-License-Identifier: Apache-2.0
// Clause 10: what was loaded goes on as what was saved would have, also where the object that saved
// lives on beside it and goes another way. Contents that nobody saw any more when it was saved
// change no bit of what follows.
#include "properties/catalogue.hpp"
#include "properties/drive/afterlife.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/row_numbers.hpp"

namespace kvcheck {
namespace {

/// The commands of a case from `begin` on.
std::vector<Command> rest_of(const Case& test_case, Index begin) {
    return {test_case.program.begin() + begin, test_case.program.end()};
}

void apply(Drive& session, const std::vector<Command>& commands, std::size_t n) {
    if (n < commands.size()) session.apply(commands[n]);
}

void judge_end(Judge& judge, Drive& session, Oracle& oracle) {
    judge_numbers(judge, session.state(), session.numbers(), session.commands() - 1);
    const Run run = session.finish();
    judge.trouble(run);
    if (!judge.failed()) judge_outputs(judge, run, oracle);
}

/// Two objects from one past, of which the second was loaded from what the first one saved. They
/// take turns, and get different tokens.
void judge_both(Judge& judge, Subject& subject, Oracle& oracle, const Continuation& past,
                const Continuation& reloaded) {
    const auto saved_at = std::ptrdiff_t(past.commands());
    Continuation kept = past;
    if (!kept.append_twice() || !kept.is_admitted()) return;
    const Case& test_case = kept.test_case();
    Drive original(subject, test_case.spec, test_case.parameters, asked_for(test_case));
    for (Index n = 0; n < saved_at; ++n) original.apply(test_case.program[std::size_t(n)]);
    const std::vector<std::byte> saved = original.save();
    if (original.in_trouble()) return judge.trouble(original.finish());
    Drive loaded(original, saved);
    // First: they say more than a call that fails for them.
    judge.in_program("as soon as it is loaded", std::make_shared<const Case>(reloaded.test_case()));
    judge_numbers(judge, loaded.state(), loaded.numbers(), Index(saved_at) - 1);
    if (judge.failed()) return;
    const std::vector<Command> own = rest_of(test_case, saved_at);
    const std::vector<Command> others = rest_of(reloaded.test_case(), saved_at + 1);
    for (std::size_t n = 0; n < std::max(own.size(), others.size()); ++n) {
        apply(original, own, n);
        apply(loaded, others, n);
    }
    judge.in_variant("loaded beside the object that was saved, with " + kept.added() + " for it");
    judge_end(judge, loaded, oracle);
    if (judge.failed()) return;
    judge.in_program("having been saved, with " + kept.added() + " after it",
                     std::make_shared<const Case>(test_case));
    judge_end(judge, original, oracle);
}

}  // namespace

Verdict saved_is_continued(Subject& subject, const Case& test_case, Oracle& oracle) {
    Judge judge(subject.capabilities());
    for (const std::size_t commands : pasts_of(test_case)) {
        const Continuation past(test_case, commands, subject.capabilities().features);
        Continuation reloaded = past;
        reloaded.add(Reload{});
        Continuation life = reloaded;
        if (!life.append_twice() || !life.is_admitted() || judge.failed()) continue;
        judge_both(judge, subject, oracle, past, life);
        Afterlife(judge, subject, std::move(reloaded), oracle).judge_forgotten();
    }
    return judge.verdict();
}

}  // namespace kvcheck
