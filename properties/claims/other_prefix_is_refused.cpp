// SPDX-License-Identifier: Apache-2.0
// Clause 11: a published prefix is found by its own key alone. With another label, another flag or
// another revision it is not there, nor in another object, whether or not its spec and parameters
// are the same; of a longer key, and of a shorter one, the longest published prefix is found and
// nothing but that. Where a subject can give all prefixes the same hash, all of it is asked again
// with that.
#include <fmt/format.h>

#include <numeric>

#include "properties/catalogue.hpp"
#include "properties/claims/prefixes.hpp"
#include "properties/claims/refusals.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/foreign.hpp"

namespace kvcheck {
namespace {

struct Question {
    std::string what;
    OwnPrefixKey key;
    Index right;  // slots that are to be found
};

constexpr Index highest_bit = Index{1} << 52;

const char* another_bit(Index bit) { return bit == 1 ? "another lowest bit" : "another bit 52"; }

/// Of a long prefix a few, of a short one all.
std::vector<std::size_t> slots_to_change(std::size_t slots) {
    constexpr std::size_t few = 8;
    if (slots > few) return {0, slots / 2, slots - 1};
    std::vector<std::size_t> all(slots);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

/// What is asked of the session about the prefix that `published` is.
std::vector<Question> questions(const Drive& session, const History& published) {
    const OwnPrefixKey own = session.key_of(published);
    const auto longest = [&](std::size_t slots) {
        return session.state().prefixes().longest(published.up_to(Index(slots))).length();
    };
    std::vector<Question> list;
    const auto add = [&](std::string what, Index right, const auto& change) {
        Question& question = list.emplace_back(Question{std::move(what), own, right});
        change(question.key);
    };
    const std::size_t slots = own.labels.size();
    for (const std::size_t at : slots_to_change(slots)) {
        // Where labels are cut short, the upper bits are lost; where they are floats, the lower.
        for (const Index bit : {Index{1}, highest_bit}) {
            add(fmt::format("with {} in the label of slot {}", another_bit(bit), at), longest(at),
                [&](OwnPrefixKey& key) { key.labels[at] ^= bit; });
        }
        add(fmt::format("with the other flag of slot {}", at), longest(at),
            [&](OwnPrefixKey& key) { key.real[at] ^= 1; });
    }
    add("with another revision", 0, [](OwnPrefixKey& key) { key.revision = "revision 2"; });
    add("without its last slot", longest(slots - 1), [](OwnPrefixKey& key) {
        key.labels.pop_back();
        key.real.pop_back();
    });
    add("without its first slot", 0, [](OwnPrefixKey& key) {
        key.labels.erase(key.labels.begin());
        key.real.erase(key.real.begin());
    });
    add("with a slot more", Index(slots), [](OwnPrefixKey& key) {
        key.labels.push_back(0);
        key.real.push_back(1);
    });
    return list;
}

class Asking {
public:
    Asking(Judge& judge, Subject& subject, const Continuation& life, Index asker, bool weak)
        : judge_(judge), subject_(subject), life_(life.test_case()), asker_(asker) {
        options_ = asked_for(life_);
        options_.weak_prefix_hash = weak;
    }

    /// Everything that is to be asked behind the first `commands` commands, and then the others.
    void ask(std::size_t commands, Oracle& oracle) {
        Drive session(subject_, life_.spec, life_.parameters, options_);
        for (std::size_t n = 0; n < commands; ++n) session.apply(life_.program[n]);
        if (!session.in_trouble()) ask(session);
        for (std::size_t n = commands; n < life_.program.size() && !judge_.failed(); ++n)
            session.apply(life_.program[n]);
        const Run run = session.finish();
        judge_.trouble(run);
        if (!judge_.failed()) judge_outputs(judge_, run, oracle);
        const FeatureSet& features = subject_.capabilities().features;
        if (features.has(Feature::reset)) ask_behind(commands, Reset{}, "all rows were reset");
        if (features.has(Feature::save)) ask_behind(commands, Reload{}, "a reload");
        if (features.has(Feature::truncate))
            ask_behind(commands, Truncate{0, std::nullopt}, "all rows were truncated to nothing");
    }

private:
    void ask(Drive& session) {
        const History published = *session.state().prefixes().named(published_as);
        const SeenState before = state_of(session);
        for (const Question& question : questions(session, published)) {
            if (judge_.failed()) return;
            if (!is_answered(session, asker_, question)) return;
            const std::string changed = changed_since(before, session);
            if (changed.empty()) continue;
            judge_.fault("state", "after it was asked " + words(question) + ", " + changed);
        }
        const OwnPrefixKey key = session.key_of(published);
        const FeatureSet& features = subject_.capabilities().features;
        const Spec& spec = session.spec();
        ask_elsewhere({"the same spec and parameters", spec, life_.parameters}, key);
        for (const Foreign& foreign : other_specs(spec, life_.parameters, features))
            ask_elsewhere(foreign, key);
        for (const Foreign& foreign : other_parameters(spec, life_.parameters, 0))
            ask_elsewhere(foreign, key);
    }

    /// For the whole prefix, by the first row that can be given one, once `command` follows the
    /// first `commands`.
    void ask_behind(std::size_t commands, const Command& command, const char* what) {
        if (judge_.failed()) return;
        Drive session(subject_, life_.spec, life_.parameters, options_);
        for (std::size_t n = 0; n < commands; ++n) session.apply(life_.program[n]);
        if (session.in_trouble()) return judge_.trouble(session.finish());
        const History published = *session.state().prefixes().named(published_as);
        session.apply(command);
        const CacheState& state = session.state();
        Index row = 0;
        while (row < state.row_count() && !takes_a_prefix(state.row(row))) ++row;
        if (!session.in_trouble() && row < state.row_count()) {
            const Index right = state.prefixes().longest(published).length();
            is_answered(session, row,
                        {std::string("after ") + what, session.key_of(published), right});
        }
        judge_.trouble(session.finish());
    }

    static bool takes_a_prefix(const History& row) {
        return row.empty() && !row.is_finished() && row.shift() == 0;
    }

    void ask_elsewhere(const Foreign& foreign, const OwnPrefixKey& key) {
        if (judge_.failed()) return;
        Drive other(subject_, foreign.spec, foreign.parameters, options_);
        const bool is_open = !other.in_trouble();
        if (is_open)
            is_answered(other, 0, {"in an object of its own with " + foreign.what, key, 0});
        const Run run = other.finish();
        // What it does not open for has nothing to be found in; other properties judge that.
        if (is_open || run.trouble->kind != Verdict::Kind::failed) judge_.trouble(run);
    }

    std::string words(const Question& question) const {
        return fmt::format("for a prefix of {} slots {}{}", question.key.labels.size(),
                           question.what,
                           options_.weak_prefix_hash ? ", all hashes being the same" : "");
    }

    bool is_answered(Drive& session, Index row, const Question& question) {
        Index found = 0;
        const Status status = session.attempt_reuse(row, question.key.view(), found);
        judge_.holds();
        if (!status.ok()) {
            judge_.fault(status.kind == Status::Kind::refused ? "refusal" : "crash",
                         fmt::format("asked {}: {}", words(question), status.message));
        } else if (found != question.right) {
            judge_.fault("reuse", fmt::format("asked {}: found {} slots, {} are right",
                                              words(question), found, question.right));
        }
        if (!status.ok() || found != question.right) return false;
        // The row is as it was before: empty.
        const Status emptied = found > 0 ? session.attempt(Reset{row}) : Status::done();
        if (!emptied.ok()) judge_.fault("refusal", "reset: " + emptied.message);
        return emptied.ok();
    }

    Judge& judge_;
    Subject& subject_;
    const Case& life_;
    Index asker_;
    DriveOptions options_;
};

}  // namespace

Verdict other_prefix_is_refused(Subject& subject, const Case& test_case, Oracle& oracle) {
    const FeatureSet& features = subject.capabilities().features;
    Judge judge(subject.capabilities());
    for (const std::size_t past : pasts_of(test_case)) {
        Continuation life(test_case, past, features);
        const std::optional<Index> publisher = publish_a_row(life);
        if (!publisher) continue;
        publish_a_part(life, *publisher);
        const std::optional<Index> asker = row_to_reuse(life, *publisher);
        const std::size_t asked = life.commands();
        if (!asker || !life.append_twice() || !life.is_admitted()) continue;
        judge.in_program("prefixes asked for before " + life.added(),
                         std::make_shared<const Case>(life.test_case()));
        Asking(judge, subject, life, *asker, false).ask(asked, oracle);
        if (judge.failed() || !features.has(Feature::weak_prefix_hash)) continue;
        Asking(judge, subject, life, *asker, true).ask(asked, oracle);
    }
    return judge.verdict();
}

}  // namespace kvcheck
