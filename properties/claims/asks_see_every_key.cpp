// SPDX-License-Identifier: Apache-2.0
// Clause 15: queries that bring no key are answered over all real tokens that their row holds,
// whatever the window, and change nothing: not a number, nor a bit of what comes after them. They
// are asked behind every command of a program without positions that scores see, beside padding,
// evicted slots and rows without tokens, and their own keys and values hold NaN.
#include <algorithm>
#include <array>
#include <limits>

#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/row_numbers.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

/// The same program where scores see no positions, and x has none.
Case without_positions(const Case& test_case) {
    Case other = without_branches(test_case);
    std::erase_if(other.program,
                  [](const Command& command) { return std::holds_alternative<Shift>(command); });
    other.spec.rotary = Rotary::none;
    other.spec.rotary_width.reset();
    other.spec.slopes = false;
    other.spec.position_signal = PositionSignal::none;
    other.parameters.rotary_table.clear();
    other.parameters.slopes.clear();
    other.parameters.position_table.clear();
    return other;
}

/// As an oracle is to see it: what is asked is a padded query that is computed, without a window.
Spec asked_spec(Spec spec) {
    spec.window.reset();
    spec.anchors.reset();
    spec.padded_query = PaddedQuery::computed;
    return spec;
}

/// Queries that real tokens of the program have, in turn; their keys and values are NaN, and every
/// second one is called padding, which says nothing of a query.
class Queries {
public:
    explicit Queries(const Case& test_case) : spec_(test_case.spec) {
        for_each_token(test_case, [&](const TokenSite&, const Token& token) {
            if (token.real) tokens_.push_back(token);
        });
        for (Token& token : tokens_) {
            for_each_input(spec_, [&](const TokenArray& array, Index begin, Index end) {
                if (array.role != Role::key && array.role != Role::value) return;
                std::fill(token.input.begin() + begin, token.input.begin() + end,
                          std::numeric_limits<float>::quiet_NaN());
            });
        }
    }
    bool empty() const { return tokens_.empty(); }

    /// For so many rows, up to nine each.
    std::vector<std::vector<Token>> next(Index rows, bool unequal) {
        std::vector<std::vector<Token>> queries;
        static constexpr std::array<Index, 5> counts = {1, 2, 9, 3, 0};
        for (Index r = 0; r < rows; ++r) {
            auto& row = queries.emplace_back();
            const Index count = unequal ? counts[std::size_t((calls_ + r) % Index(counts.size()))]
                                        : counts[std::size_t(calls_ % Index(counts.size() - 1))];
            for (Index t = 0; t < count; ++t) {
                row.push_back(tokens_[taken_ % tokens_.size()]);
                row.back().real = ++taken_ % 2 != 0;
            }
        }
        ++calls_;
        return queries;
    }

private:
    const Spec& spec_;
    std::vector<Token> tokens_;
    std::size_t taken_ = 0;
    Index calls_ = 0;
};

/// Of a row that holds nothing the answer is the declared value, if any is.
void judge_asked(Judge& judge, const Run& run, const std::vector<Observation>& asked,
                 const FeatureSet& features, Oracle& oracle) {
    Run answers;
    answers.observations = asked;
    answers.exports = run.exports;
    const bool is_declared = features.has_any({Feature::dead_row_zeros, Feature::dead_row_nan});
    judge_outputs(judge, answers, oracle, [is_declared](const Output& output) {
        return output.standing().compared && (is_declared || is_living(output));
    });
}

/// A row less, wider queries, another element type.
void judge_refusals(Judge& judge, Drive& session, const std::vector<std::vector<Token>>& right) {
    const bool layer = session.spec().level == Level::layer;
    const Role role = layer ? Role::x : Role::query;
    std::vector<Damage> wrong(3);
    wrong[0].what = "queries without keys for a row less";
    wrong[0].rows = -1;
    wrong[1].what = "queries without keys that are wider than the spec says";
    wrong[1].extents = {{role, layer ? 2U : 3U, 1}};
    wrong[2].what = "queries without keys of the other element type";
    wrong[2].other_type = {role};
    for (const Damage& damage : wrong) {
        if (session.in_trouble() || judge.failed()) return;
        const Status status = session.attempt_ask(right, damage);
        if (status.ok()) judge.fault("accepted", damage.what + ": accepted, must be refused");
        if (status.kind == Status::Kind::died)
            judge.fault("crash", damage.what + ": " + status.message);
        judge.holds();
    }
}

}  // namespace

Verdict asks_see_every_key(Subject& subject, const Case& drawn, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    const Case test_case = without_positions(drawn);
    Queries queries(test_case);
    if (queries.empty()) return Verdict::distrusted("no real token");
    const Spec seen_so = asked_spec(test_case.spec);
    Oracle of_asked(seen_so, test_case.parameters, capabilities.profile, oracle.evaluation(),
                    stored_keys_of(capabilities.features));
    Oracle of_tokens(test_case.spec, test_case.parameters, capabilities.profile,
                     oracle.evaluation(), stored_keys_of(capabilities.features));
    Judge judge(capabilities);
    const DriveOptions options = asked_for(test_case);
    const bool unequal = capabilities.features.has(Feature::unequal_counts);
    Drive session(subject, test_case.spec, test_case.parameters, options);
    for (const Command& command : test_case.program) {
        session.apply(command);
        session.ask(queries.next(session.state().row_count(), unequal));
        if (!session.in_trouble())
            judge_numbers(judge, session.state(), session.numbers(), session.commands() - 1);
        // So early that what a refused call leaves behind is seen by all that follows.
        if (session.commands() == 1 && capabilities.features.has(Feature::validates))
            judge_refusals(judge, session, queries.next(session.state().row_count(), false));
    }
    const std::vector<Observation> asked = session.asked();
    const Run run = session.finish();
    judge.trouble(run);
    if (!run.memory_fault.empty()) judge.fault("memory", run.memory_fault);
    judge.in_variant("queries without keys after each command");
    if (!judge.failed()) judge_asked(judge, run, asked, capabilities.features, of_asked);
    judge.in_variant("after queries without keys");
    if (!judge.failed())
        judge_same_outputs(judge, capabilities, of_tokens, drive(subject, test_case, options), run);
    oracle.count(of_asked.counts());
    oracle.count(of_tokens.counts());
    return judge.verdict();
}

}  // namespace kvcheck
