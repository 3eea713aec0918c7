// SPDX-License-Identifier: Apache-2.0
// Wrong calls made and what they left compared (declared in refusals.hpp).
#include "properties/claims/refusals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "model/types/ieee.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/sentence.hpp"

namespace kvcheck {
namespace {

/// What is stored of padding, or of what is evicted, is not specified.
bool same_stored(const std::vector<StoredRow>& a, const std::vector<StoredRow>& b) {
    const auto same = [](const std::vector<double>& x, const std::vector<double>& y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_bits);
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) {
        for (const Node* const token : x.history.tokens()) {
            if (!token->token.real || x.history.is_evicted(token->slot)) continue;
            const auto slot = std::size_t(token->slot);
            if (!same(x.key[slot], y.key[slot]) || !same(x.value[slot], y.value[slot]))
                return false;
        }
        return x.key.size() == y.key.size();
    });
}

Status make(Drive& session, const WrongCall& wrong) {
    return wrong.command ? session.attempt(*wrong.command)
                         : session.attempt(wrong.append, wrong.damage);
}

void attempt(Judge& judge, Drive& session, const WrongCall& wrong, const SeenState& before) {
    const Status status = make(session, wrong);
    const std::string words = wrong.damage.what + ": " + status.message;
    if (status.kind == Status::Kind::timed_out || status.by_others) {
        Run ended;
        ended.trouble = status.by_others ? Verdict::killed(words) : Verdict::timed_out(words);
        judge.trouble(ended);
    } else if (status.kind == Status::Kind::died) {
        judge.fault("crash", wrong.damage.what + ": " + status.message);
    } else if (status.ok()) {
        judge.fault("accepted", wrong.damage.what + ": accepted, must be refused");
    } else if (!session.memory_fault().empty()) {
        judge.fault("memory", wrong.damage.what + ": refused, but " + session.memory_fault());
    } else if (const std::string changed = changed_since(before, session); !changed.empty()) {
        judge.fault("state", wrong.damage.what + ": refused, but " + changed);
    }
    judge.holds();
}

/// Every command of a short program is preceded by wrong ones; of a long one the first, the last
/// and one between, since each wrong call compares all that is stored.
bool is_tried(std::size_t n, std::size_t commands) {
    constexpr std::size_t short_max = 32;
    return commands <= short_max || n <= 1 || n == commands / 2 || n + 1 == commands;
}

/// An append of one token to each of `rows` rows, as a decoder makes.
Append one_more(const Spec& spec, Index rows) {
    Append append;
    Token token = zero_token(spec, true);
    std::fill(token.input.begin(), token.input.end(), 1.0F);
    append.rows.assign(std::size_t(rows), {token});
    return append;
}

/// One case with wrong calls in between.
class Attempts {
public:
    Attempts(Subject& subject, const Case& test_case, const WrongCalls& wrong)
        : subject_(subject), test_case_(test_case), wrong_(wrong), options_(asked_for(test_case)) {}

    /// Makes them all and judges each. What one that was not refused left behind must not blur the
    /// next: it is made on a session that begins anew.
    Run judged(Judge& judge);
    /// Makes the first `count` and judges none.
    Run with_first(Index count) const;

    Index made() const { return Index(names_.size()); }
    const std::string& name(Index n) const { return names_[std::size_t(n)]; }
    const std::vector<Verdict>& objections() const { return objections_; }

private:
    /// Calls visit(n, append) before every command where wrong calls are tried, and at the end, and
    /// step(n) for every command, until `ended` says so.
    template <class Visit, class Step, class Ended>
    void walk(const Visit& visit, const Step& step, const Ended& ended) const {
        const std::vector<Command>& program = test_case_.program;
        for (std::size_t n = 0; n < program.size() && !ended(); ++n) {
            const auto* append = std::get_if<Append>(&program[n]);
            if (append != nullptr && is_tried(n, program.size())) visit(n, *append);
            step(n);
        }
        // Rows are full most of the time by now: one more token is what a decoder would ask for.
        if (!program.empty() && !ended()) {
            Index rows = test_case_.spec.rows;
            for (const Command& command : program) rows = rows_after(command, rows);
            visit(program.size(), one_more(test_case_.spec, rows));
        }
    }

    std::unique_ptr<Drive> driven_to(std::size_t commands) const {
        auto session =
            std::make_unique<Drive>(subject_, test_case_.spec, test_case_.parameters, options_);
        for (std::size_t n = 0; n < commands; ++n) session->apply(test_case_.program[n]);
        return session;
    }

    Subject& subject_;
    const Case& test_case_;
    const WrongCalls& wrong_;
    DriveOptions options_;
    std::vector<std::string> names_;
    std::vector<Verdict> objections_;
};

Run Attempts::judged(Judge& judge) {
    constexpr std::size_t objections_max = 8;
    std::unique_ptr<Drive> session = driven_to(0);
    bool over = false;  // it died, or that is enough
    walk(
        [&](std::size_t n, const Append& next) {
            SeenState before = state_of(*session);
            for (const WrongCall& call : wrong_(session->state(), next)) {
                if (over || session->in_trouble()) return;
                Judge one(subject_.capabilities());
                attempt(one, *session, call, before);
                names_.push_back(fmt::format("before command {}: {}", n, call.damage.what));
                judge.holds();
                if (!one.failed()) continue;
                objections_.push_back(one.verdict());
                const bool alive = objections_.back().kind == Verdict::Kind::failed &&
                                   objections_.back().diagnosis != "crash";
                over = !alive || objections_.size() >= objections_max;
                if (over) return;
                session = driven_to(n);
                before = state_of(*session);
            }
        },
        [&](std::size_t n) { session->apply(test_case_.program[n]); },
        [&] { return over || session->in_trouble(); });
    return session->finish();
}

Run Attempts::with_first(Index count) const {
    std::unique_ptr<Drive> session = driven_to(0);
    Index made = 0;
    walk(
        [&](std::size_t, const Append& next) {
            for (const WrongCall& call : wrong_(session->state(), next)) {
                if (made++ < count) make(*session, call);
            }
        },
        [&](std::size_t n) { session->apply(test_case_.program[n]); },
        [&] { return session->in_trouble(); });
    return session->finish();
}

/// The first objection, with those that followed in its words.
Verdict told(const std::vector<Verdict>& objections) {
    Verdict verdict = objections.front();
    if (objections.size() == 1) return verdict;
    constexpr std::size_t told_max = 3;
    verdict.words += fmt::format("; so or alike {} more wrong calls", objections.size() - 1);
    for (std::size_t n = 1; n < objections.size() && n <= told_max; ++n) {
        verdict.words += (n == 1 ? ": " : "; ") + objections[n].words;
    }
    if (objections.size() > told_max + 1) verdict.words += "; ...";
    return verdict;
}

/// Which of the refused calls made the outputs differ: the first one with which they do.
Index culprit(const Attempts& attempts, const std::function<bool(const Run& run)>& differs) {
    Index same = 0;  // so many leave the outputs as they are
    Index different = attempts.made();
    while (different - same > 1) {
        const Index middle = same + (different - same) / 2;
        (differs(attempts.with_first(middle)) ? different : same) = middle;
    }
    return different - 1;
}

}  // namespace

SeenState state_of(Drive& session) { return {session.numbers(), session.stored()}; }

std::string changed_since(const SeenState& before, Drive& session) {
    const SeenState now = state_of(session);
    if (now.numbers != before.numbers) return "then " + difference_of(before.numbers, now.numbers);
    return same_stored(now.stored, before.stored) ? std::string() : "what is stored changed";
}

Verdict judge_refusals(Subject& subject, const Case& test_case, Oracle& oracle,
                       const WrongCalls& wrong) {
    const Capabilities& capabilities = subject.capabilities();
    Judge judge(capabilities);
    const Run expected = drive(subject, test_case, asked_for(test_case));
    judge.trouble(expected);
    if (judge.failed()) return judge.verdict();
    Attempts attempts(subject, test_case, wrong);
    const Run run = attempts.judged(judge);
    if (!attempts.objections().empty()) return told(attempts.objections());
    const auto compared = [&](const std::string& variant, const Run& one) {
        Judge outputs(capabilities);
        outputs.in_variant(variant);
        judge_same_outputs(outputs, capabilities, oracle, expected, one);
        return outputs.verdict();
    };
    const Verdict after_all = compared("after refused calls", run);
    if (!after_all.is_failure() || attempts.made() == 0) {
        judge.in_variant("after refused calls");
        judge_same_outputs(judge, capabilities, oracle, expected, run);
        return judge.verdict();
    }
    const Index n =
        culprit(attempts, [&](const Run& one) { return compared({}, one).is_failure(); });
    const Verdict named =
        compared("after the refused call " + attempts.name(n), attempts.with_first(n + 1));
    return named.is_failure() ? named : after_all;
}

}  // namespace kvcheck
