// SPDX-License-Identifier: Apache-2.0
// Wrong calls made and what they left compared (declared in refusals.hpp).
#include "properties/claims/refusals.hpp"

#include <algorithm>

#include "model/types/ieee.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/sentence.hpp"

namespace kvcheck {
namespace {

bool same_stored(const std::vector<StoredRow>& a, const std::vector<StoredRow>& b) {
    const auto same = [](const auto& x, const auto& y) {
        if (x.size() != y.size()) return false;
        for (std::size_t slot = 0; slot < x.size(); ++slot) {
            if (!std::equal(x[slot].begin(), x[slot].end(), y[slot].begin(), y[slot].end(),
                            same_bits)) {
                return false;
            }
        }
        return true;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) {
        return same(x.key, y.key) && same(x.value, y.value);
    });
}

/// What a wrong call must not change.
struct State {
    std::vector<RowNumbers> numbers;
    std::vector<StoredRow> stored;
};

void attempt(Judge& judge, Drive& session, const WrongCall& wrong, const State& before) {
    const Status status = session.attempt(wrong.append, wrong.damage);
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
    } else if (session.numbers() != before.numbers) {
        judge.fault("state", wrong.damage.what + ": refused, but then " +
                                 difference_of(before.numbers, session.numbers()));
    } else if (!same_stored(session.stored(), before.stored)) {
        judge.fault("state", wrong.damage.what + ": refused, but what is stored changed");
    }
    judge.holds();
}

/// Every command of a short program is preceded by wrong ones; of a long one the first, the last
/// and one between, since each wrong call compares all that is stored.
bool is_tried(std::size_t n, std::size_t commands) {
    constexpr std::size_t short_max = 32;
    return commands <= short_max || n <= 1 || n == commands / 2 || n + 1 == commands;
}

/// An append of one token to every row, as a decoder makes.
Append one_more(const Spec& spec, const CacheState& state) {
    Append append;
    Token token = zero_token(spec, true);
    std::fill(token.input.begin(), token.input.end(), 1.0F);
    append.rows.assign(std::size_t(state.row_count()), {token});
    return append;
}

}  // namespace

Verdict judge_refusals(Subject& subject, const Case& test_case, Oracle& oracle,
                       const WrongCalls& wrong) {
    const Capabilities& capabilities = subject.capabilities();
    Judge judge(capabilities);
    const DriveOptions options = asked_for(test_case);
    const Run expected = drive(subject, test_case, options);
    judge.trouble(expected);
    Drive session(subject, test_case.spec, test_case.parameters, options);
    const auto goes_on = [&] { return !session.in_trouble() && !judge.failed(); };
    const auto attempt_all = [&](const Append& next) {
        const State before{session.numbers(), session.stored()};
        for (const WrongCall& call : wrong(session.state(), next)) {
            if (goes_on()) attempt(judge, session, call, before);
        }
    };
    for (std::size_t n = 0; n < test_case.program.size() && goes_on(); ++n) {
        const auto* append = std::get_if<Append>(&test_case.program[n]);
        if (append != nullptr && is_tried(n, test_case.program.size())) attempt_all(*append);
        session.apply(test_case.program[n]);
    }
    // Rows are full most of the time by now: one more token is what a decoder would ask for.
    if (!test_case.program.empty() && goes_on()) {
        attempt_all(one_more(test_case.spec, session.state()));
    }
    if (judge.failed()) return judge.verdict();
    judge.in_variant("after refused calls");
    judge_same_outputs(judge, capabilities, oracle, expected, session.finish());
    return judge.verdict();
}

}  // namespace kvcheck
