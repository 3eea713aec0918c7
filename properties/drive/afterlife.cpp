// SPDX-License-Identifier: Apache-2.0
// The runs and their comparison (declared in afterlife.hpp).
#include "properties/drive/afterlife.hpp"

#include "model/forgotten.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/row_numbers.hpp"

namespace kvcheck {

Afterlife::Afterlife(Judge& judge, Subject& subject, Continuation life, Oracle& oracle)
    : judge_(judge), subject_(subject), oracle_(oracle), carried_out_(Index(life.commands())) {
    if (!life.append_twice() || !life.is_admitted() || judge.failed()) return;
    case_ = std::make_shared<const Case>(life.test_case());
    added_ = "with " + life.added() + " after it";
    options_ = asked_for(*case_);
    options_.numbers_every_step = true;
    judge_.in_program(added_, case_);
    run_ = drive(subject, *case_, options_);
    // First, up to where it ended: they say more than a refusal or an output.
    judge_numbers(judge_, *case_, run_);
    if (!judge_.failed()) judge_.trouble(run_);
    if (!judge_.failed()) judge_outputs(judge_, run_, oracle_);
}

void Afterlife::judge_contents(const std::string& tokens, const TokenChoice& unseen,
                               const OutputFilter& blind) {
    // What is stored of the replaced tokens says nothing of the others.
    constexpr auto unstaged = Judged::Staging::none;
    const Capabilities& capabilities = subject_.capabilities();
    if (is_over()) return;
    judge_.in_variant(added_ + ", large values in " + tokens);
    for (const float content : finite_contents(case_->spec)) {
        const Run run = drive(subject_, with_contents(*case_, content, unseen), options_);
        judge_same_outputs(judge_, capabilities, oracle_, run_, run, blind, unstaged);
    }
    if (judge_.failed() || !capabilities.features.has(Feature::masked_nonfinite)) return;
    judge_.in_variant(added_ + ", NaN or infinity in " + tokens);
    for (const float content : nonfinite_contents()) {
        const Run run = drive(subject_, with_contents(*case_, content, unseen), options_);
        judge_outputs(judge_, run, oracle_, blind, unstaged);
    }
}

void Afterlife::judge_forgotten() {
    if (is_over()) return;
    const Forgotten forgotten(*case_, std::size_t(carried_out_));
    if (forgotten.empty()) return;
    judge_contents(
        "tokens that nobody sees any more",
        [&](const TokenSite& site, const Token&) { return forgotten.has(site); },
        [this](const Output& output) {
            return output.seen().command >= carried_out_ && is_living(output);
        });
}

}  // namespace kvcheck
