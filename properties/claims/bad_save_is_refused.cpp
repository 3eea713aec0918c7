// SPDX-License-Identifier: Apache-2.0
// Clauses 10 and 12: bytes that are not what was saved, or were saved under another spec or with
// other parameters, are refused, and the object that saved them notices nothing. Damaged bytes that
// are taken all the same must be as good as the right ones: what is loaded from them must go on as
// the contract says.
#include <fmt/format.h>

#include "model/case_hash.hpp"
#include "properties/catalogue.hpp"
#include "properties/claims/refusals.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/continuation.hpp"
#include "properties/drive/damaged_state.hpp"
#include "properties/drive/foreign.hpp"
#include "properties/drive/row_numbers.hpp"
#include "properties/drive/sentence.hpp"

namespace kvcheck {
namespace {

/// Loads tried beside a session that has saved its state and is to notice nothing.
class Tries {
public:
    Tries(Judge& judge, Drive& session, const Case& test_case, Oracle& oracle)
        : judge_(judge),
          session_(session),
          case_(test_case),
          oracle_(oracle),
          saved_(session.save()),
          before_(state_of(session)) {}

    void damaged(const Capabilities& capabilities, std::uint64_t seed) {
        for (const DamagedState& damaged : damaged_states(saved_, seed)) {
            if (is_over()) return;
            const std::string what = "a state " + damaged.what;
            if (!judged(what,
                        session_.attempt_load(session_.spec(), case_.parameters, damaged.bytes)))
                continue;
            const Verdict verdict = going_on(capabilities, damaged.bytes);
            if (verdict.is_failure())
                judge_.fault("accepted", what + ": accepted, and then " + sentence_of(verdict));
        }
    }

    void foreign(const std::vector<Foreign>& list) {
        for (const Foreign& foreign : list) {
            if (is_over()) return;
            const std::string what = "a state loaded with " + foreign.what;
            if (judged(what, session_.attempt_load(foreign.spec, foreign.parameters, saved_)))
                judge_.fault("accepted", what + ": accepted, must be refused");
        }
    }

private:
    bool is_over() const { return judge_.failed() || session_.in_trouble(); }

    /// Whether it was taken.
    bool judged(const std::string& what, const Status& status) {
        const std::string words = what + ": " + status.message;
        if (status.kind == Status::Kind::timed_out || status.by_others) {
            Run ended;
            ended.trouble = status.by_others ? Verdict::killed(words) : Verdict::timed_out(words);
            judge_.trouble(ended);
        } else if (status.kind == Status::Kind::died) {
            judge_.fault("crash", words);
        } else if (const std::string changed = changed_since(before_, session_); !changed.empty()) {
            judge_.fault("state",
                         what + (status.ok() ? ": loaded" : ": refused") + ", but " + changed);
        }
        judge_.holds();
        return status.ok();
    }

    /// What is loaded from bytes that were taken, and given the rest of the program.
    Verdict going_on(const Capabilities& capabilities, const std::vector<std::byte>& bytes) {
        Judge judge(capabilities);
        Drive loaded(session_, bytes);
        judge_numbers(judge, loaded.state(), loaded.numbers(), loaded.commands());
        for (auto n = std::size_t(loaded.commands()); n < case_.program.size(); ++n)
            loaded.apply(case_.program[n]);
        const Run run = loaded.finish();
        judge.trouble(run);
        if (!judge.failed()) judge_outputs(judge, run, oracle_);
        return judge.verdict();
    }

    Judge& judge_;
    Drive& session_;
    const Case& case_;
    Oracle& oracle_;
    std::vector<std::byte> saved_;
    SeenState before_;
};

}  // namespace

Verdict bad_save_is_refused(Subject& subject, const Case& test_case, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    const std::vector<std::size_t> pasts = pasts_of(test_case);
    if (pasts.empty()) return Verdict::distrusted("no row holds a token");
    Continuation life(test_case, pasts.front(), capabilities.features);
    life.append_twice();
    if (!life.is_admitted()) return Verdict::distrusted("the subject cannot be given the case");
    const Case& longer = life.test_case();
    const std::uint64_t seed = hash_of(test_case);
    Judge judge(capabilities);
    judge.in_program("its state saved before " + life.added(),
                     std::make_shared<const Case>(longer));
    Drive session(subject, longer.spec, longer.parameters, asked_for(longer));
    for (std::size_t n = 0; n < pasts.front(); ++n) session.apply(longer.program[n]);
    if (!session.in_trouble()) {
        Tries tries(judge, session, longer, oracle);
        tries.foreign(other_specs(session.spec(), longer.parameters, capabilities.features));
        tries.foreign(other_parameters(session.spec(), longer.parameters, seed));
        tries.damaged(capabilities, seed);
    }
    if (judge.failed()) return judge.verdict();
    for (std::size_t n = pasts.front(); n < longer.program.size(); ++n)
        session.apply(longer.program[n]);
    const Run run = session.finish();
    judge.trouble(run);
    if (!judge.failed()) judge_outputs(judge, run, oracle);
    return judge.verdict();
}

}  // namespace kvcheck
