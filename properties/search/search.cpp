// SPDX-License-Identifier: Apache-2.0
// The search over RapidCheck (declared in search.hpp).
#include "properties/search/search.hpp"

#include <rapidcheck.h>

#include "model/case_hash.hpp"
#include "model/types/error.hpp"
#include "model/types/hash.hpp"
#include "oracles/work.hpp"
#include "properties/generators/structure.hpp"
#include "properties/search/descent.hpp"

namespace kvcheck {
namespace {

using rc::detail::CaseDescription;
using rc::detail::CaseResult;

/// What RapidCheck carries through a search.
struct Sample {
    std::shared_ptr<const Case> test_case;
    Family family = Family::uniform;
};

bool is_admissible(const Case& test_case, FeatureSet allowed) {
    try {
        validate(test_case);  // first: only what is admissible can be walked through
    } catch (const InputError&) {
        return false;
    }
    return allowed.has_all(features_of(test_case));
}

Sample draw_sample(const rc::Random& random, Level level, FeatureSet allowed,
                   const FeatureSet& focus) {
    rc::Random stream = random;
    Draw draw([&stream] { return stream.split().next(); });
    Recipe recipe;
    const Index family = draw.below(family_count + 2);  // two more chances for plain uniform
    recipe.family = family < family_count ? Family(family) : Family::uniform;
    recipe.seed = draw.bits();
    Case test_case = draw_structure(draw, level, allowed, focus);
    fill_values(test_case, recipe, allowed.has(Feature::masked_nonfinite));
    return {std::make_shared<const Case>(std::move(test_case)), recipe.family};
}

/// What is left of a verdict that a second look did not confirm.
Verdict not_every_time(Verdict found) {
    found.kind = Verdict::Kind::flaky;
    return found;
}

bool is_same_failure(const Verdict& a, const Verdict& b) {
    return a.is_failure() && b.is_failure() && a.diagnosis == b.diagnosis;
}

/// One search or shrink in progress: evaluates cases, keeps the diagnosis, watches the budget.
class Hunt {
public:
    /// `alone`: every case is judged in a process of its own.
    Hunt(const Property& property, Subject& subject, const SearchOptions& options,
         bool alone = false)
        : property_(property), subject_(subject), options_(options), alone_(alone) {}

    SearchResult result;

    /// The case as it was found, before it was shrunk.
    const std::shared_ptr<const Case>& found() const { return found_; }

    CaseDescription evaluate(const Sample& sample) {
        const bool holds = !result.out_of_time && (result.counterexample ? evaluate_shrink(sample)
                                                                         : evaluate_random(sample));
        return {CaseResult(holds ? CaseResult::Type::Success : CaseResult::Type::Failure, ""),
                {},
                [] { return rc::detail::Example(); }};
    }

    /// RapidCheck asks for what is simpler than a sample once the sample has failed.
    rc::Seq<Sample> simpler(const Sample& sample) {
        struct Simpler {
            std::shared_ptr<Descent> descent;
            Family family;
            rc::Maybe<Sample> operator()() {
                std::shared_ptr<const Case> test_case = descent->next();
                if (test_case == nullptr) return rc::Nothing;
                return Sample{std::move(test_case), family};
            }
        };
        const bool settled =
            result.counterexample && result.counterexample->verdict.kind == Verdict::Kind::flaky;
        if (spent() || result.out_of_time || !options_.shrinks || settled) return {};
        if (descent_ == nullptr) {
            descent_ = std::make_shared<Descent>(
                *sample.test_case,
                [allowed = subject_.capabilities().features](const Case& simpler) {
                    return is_admissible(simpler, allowed);
                },
                [this] { return spent(); });
        } else {
            descent_->accept();
        }
        return rc::makeSeq<Simpler>(Simpler{descent_, sample.family});
    }

    bool has_ended() const { return result.counterexample || result.out_of_time; }

    /// Runs RapidCheck over `draw`, which makes a sample from a random stream.
    template <class DrawSample>
    void run(const DrawSample& draw, std::uint64_t seed, Index cases) {
        const auto samples = rc::Gen<Sample>([this, draw](const rc::Random& random, int) {
            return rc::shrinkable::shrinkRecur(
                draw(random), [this](const Sample& sample) { return simpler(sample); });
        });
        const rc::detail::Property property =
            rc::gen::map(samples, [this](const Sample& sample) { return evaluate(sample); });
        rc::detail::TestParams params;
        params.seed = seed;
        params.maxSuccess = int(cases);
        params.maxSize = 1;  // sizes are drawn, not grown
        struct Silent : rc::detail::TestListener {
            void onTestCaseFinished(const CaseDescription&) override {}
            void onShrinkTried(const CaseDescription&, bool) override {}
            void onTestFinished(const rc::detail::TestMetadata&,
                                const rc::detail::TestResult&) override {}
        } listener;
        rc::detail::checkProperty(property, {}, params, listener, {});
        if (!result.counterexample || !options_.shrinks) return;
        result.counterexample->shrink_seconds = seconds_since(shrink_begin_);
        result.counterexample->shrink_stopped = spent();
        result.counterexample->shrink_work = shrink_work();
        confirm(*result.counterexample);
    }

private:
    Verdict judge(const Case& test_case) const { return judge(test_case, options_.evaluation); }

    Verdict judge(const Case& test_case, Evaluation evaluation) const {
        if (options_.before) options_.before(property_, test_case);
        if (alone_) subject_.restart();
        return check(property_, subject_, test_case, evaluation);
    }

    static double seconds_since(Clock::time_point begin) {
        return std::chrono::duration<double>(Clock::now() - begin).count();
    }

    bool evaluate_random(const Sample& sample) {
        // However little time there is, something is tried.
        const bool has_begun = options_.first > 0 || result.coverage.cases > 0;
        if (Clock::now() >= options_.deadline && has_begun) {
            // A failure without shrinks is the only thing that ends RapidCheck's loop early.
            result.out_of_time = true;
            return false;
        }
        result.coverage.add(*sample.test_case, sample.family);
        result.stream_hash = stream_hash(result.stream_hash, *sample.test_case);
        const Evaluation evaluation =
            evaluation_of_case(options_, options_.first + result.coverage.cases);
        const Verdict first = judge(*sample.test_case, evaluation);
        const Verdict verdict =
            looked_at_twice(first, [&] { return judge(*sample.test_case, evaluation); });
        result.evaluation.add(verdict.evaluation);
        if (first.is_kill() && !verdict.is_failure()) result.disturbed = verdict.words;
        if (options_.progress) options_.progress(result.coverage.cases);
        if (!verdict.is_failure()) {
            const bool passed = verdict.kind == Verdict::Kind::passed;
            ++(passed ? result.passed : result.powerless);
            if (verdict.kind == Verdict::Kind::skipped) result.lacking = verdict.words;
            result.worst_ratio = std::max(result.worst_ratio, verdict.worst_ratio);
            return true;
        }
        found_ = sample.test_case;
        result.counterexample.emplace();
        result.counterexample->test_case = *sample.test_case;
        result.counterexample->verdict = verdict;
        result.counterexample->found_at = result.coverage.cases;
        shrink_begin_ = Clock::now();
        first_parts_ = Work::parts();
        // A subject that ends at its n-th call does so in hardly any of its simpler cases.
        const bool ended = options_.shrinks && verdict.kind == Verdict::Kind::crashed;
        if (ended && !is_same_failure(judge(*sample.test_case), verdict))
            result.counterexample->verdict = not_every_time(verdict);
        return false;
    }

    bool evaluate_shrink(const Sample& sample) {
        Counterexample& best = *result.counterexample;
        if (spent() || *sample.test_case == best.test_case)
            return !(*sample.test_case == best.test_case);
        ++best.shrink_tried;
        const Verdict verdict = judge(*sample.test_case);
        const bool renewed = alone_ || verdict.kind == Verdict::Kind::crashed;
        const Index steps = steps_of_a_try + (renewed ? steps_of_a_death : 0);
        more_parts_ += steps * Work::parts_of_a_step;
        // Numbers get the last fourth.
        if (shrink_work() > options_.shrink_work_max / 4 * 3) descent_->turn_to_numbers();
        if (!is_same_failure(verdict, best.verdict)) return true;
        best.test_case = *sample.test_case;
        best.verdict = verdict;
        ++best.shrink_steps;
        return false;
    }

    /// In steps.
    Index shrink_work() const {
        return (Work::parts() - first_parts_ + more_parts_) / Work::parts_of_a_step;
    }

    bool spent() const {
        if (!result.counterexample) return false;
        const bool hangs = result.counterexample->verdict.kind == Verdict::Kind::timed_out;
        const auto time_max = hangs ? std::min(options_.shrink_time_max, options_.hang_time_max)
                                    : options_.shrink_time_max;
        return shrink_work() >= options_.shrink_work_max ||
               Clock::now() - shrink_begin_ >= time_max;
    }

    /// A minimal case that does not fail every time says so, and so does one that fails only where
    /// other calls went before: a replay would find nothing.
    void confirm(Counterexample& found) const {
        if (found.verdict.kind == Verdict::Kind::timed_out) return;  // time enough was lost
        if (found.verdict.kind == Verdict::Kind::flaky) return;
        for (int n = 0; n < 3; ++n) {
            if (is_same_failure(judge(found.test_case), found.verdict)) continue;
            found.verdict = not_every_time(std::move(found.verdict));
            return;
        }
        if (!alone_)
            found.verdict = seen_alone(property_, subject_, found.test_case, found.verdict);
    }

    const Property& property_;
    Subject& subject_;
    const SearchOptions& options_;
    bool alone_;
    std::shared_ptr<const Case> found_;
    Clock::time_point shrink_begin_;
    Index first_parts_ = 0;  // of work, when shrinking began
    Index more_parts_ = 0;   // for tries as such
    std::shared_ptr<Descent> descent_;
};

/// A hang costs its whole limit: the small case is looked at once in a new process, and the one it
/// was shrunk from where that one ends well.
void look_at_hang_alone(const Property& property, Subject& subject, const SearchOptions& options,
                        const std::shared_ptr<const Case>& found, Counterexample& counterexample) {
    const auto alone = [&](const Case& test_case) {
        subject.restart();
        if (options.before) options.before(property, test_case);
        return check(property, subject, test_case, options.evaluation);
    };
    if (!subject.restart()) return;
    if (is_same_failure(alone(counterexample.test_case), counterexample.verdict)) return;
    if (found != nullptr && !(*found == counterexample.test_case)) {
        const Verdict again = alone(*found);
        if (is_same_failure(again, counterexample.verdict)) {
            counterexample.test_case = *found;
            counterexample.verdict = again;
            counterexample.shrink_steps = 0;
            return;
        }
    }
    counterexample.verdict.kind = Verdict::Kind::dependent;
}

/// Where the small case needs what went before, or fails now and then, the one it was shrunk from
/// may fail by itself: it is shrunk again, each try in a process of its own. A kill that does not
/// come each time even so is nobody's fault.
void shrink_alone(const Property& property, Subject& subject, const SearchOptions& options,
                  const std::shared_ptr<const Case>& found, Counterexample& counterexample) {
    using Kind = Verdict::Kind;
    const Kind kind = counterexample.verdict.kind;
    if (kind == Kind::timed_out)
        return look_at_hang_alone(property, subject, options, found, counterexample);
    if ((kind != Kind::dependent && kind != Kind::flaky) || !subject.restart()) return;
    Hunt hunt(property, subject, options, true);
    hunt.run([&](const rc::Random&) { return Sample{found, Family::uniform}; }, 0, 1);
    Counterexample* const alone =
        hunt.result.counterexample ? &*hunt.result.counterexample : nullptr;
    if (alone != nullptr && alone->verdict.kind != Kind::flaky) {
        alone->found_at = counterexample.found_at;
        counterexample = std::move(*alone);
    } else if (counterexample.verdict.diagnosis == kill_diagnosis) {
        counterexample.verdict = Verdict::distrusted(counterexample.verdict.words);
    }
}

}  // namespace

Verdict check(const Property& property, Subject& subject, const Case& test_case,
              Evaluation evaluation) {
    subject.forgive();
    const Capabilities& capabilities = subject.capabilities();
    Oracle oracle(test_case.spec, test_case.parameters, capabilities.profile, evaluation,
                  stored_keys_of(capabilities.features));
    Verdict verdict = property.check(subject, test_case, oracle);
    verdict.evaluation = oracle.counts();
    return verdict;
}

Evaluation evaluation_of_case(const SearchOptions& options, Index n) {
    constexpr Index every = 50;
    const bool is_crossed = options.evaluation == Evaluation::certified && n % every == 1;
    return is_crossed ? Evaluation::cross_checked : options.evaluation;
}

Verdict looked_at_twice(const Verdict& first, const std::function<Verdict()>& judge) {
    if (!first.is_kill()) return first;
    Verdict second = judge();
    if (second.is_failure()) return second;
    return Verdict::distrusted("killed once by somebody else: " + first.words);
}

Verdict seen_alone(const Property& property, Subject& subject, const Case& test_case,
                   const Verdict& found) {
    if (!found.is_failure() || !subject.restart()) return found;
    if (is_same_failure(check(property, subject, test_case), found)) return found;
    subject.restart();
    // Of hangs one look is enough: each may cost its whole limit.
    if (found.kind != Verdict::Kind::timed_out &&
        is_same_failure(check(property, subject, test_case), found))
        return not_every_time(found);
    Verdict dependent = found;
    dependent.kind = Verdict::Kind::dependent;
    return dependent;
}

SearchResult search(const Property& property, Subject& subject, Level level,
                    const SearchOptions& options) {
    Hunt hunt(property, subject, options);
    const std::uint64_t seed =
        fnv1a(property.name, fnv_basis ^ options.seed) + std::uint64_t(level);
    const FeatureSet allowed = subject.capabilities().features;
    // RapidCheck makes room for every case it may run; a stream gives each case a stream of its
    // own.
    constexpr Index block = 10000;
    for (Index done = options.first / block * block; done < options.cases && !hunt.has_ended();
         done += block) {
        const Index begin = std::max(done, options.first);
        rc::Random stream(seed + std::uint64_t(done));
        for (Index n = done; n < begin; ++n) (void)stream.split();
        const auto draw = [&](const rc::Random&) {
            return draw_sample(stream.split(), level, allowed, property.focus);
        };
        hunt.run(draw, 0, std::min(done + block, options.cases) - begin);
    }
    if (hunt.result.counterexample && options.shrinks)
        shrink_alone(property, subject, options, hunt.found(), *hunt.result.counterexample);
    return std::move(hunt.result);
}

SearchResult joined(SearchResult result, SearchResult rest) {
    if (rest.counterexample) rest.counterexample->found_at += result.coverage.cases;
    result.coverage.add(rest.coverage);
    result.passed += rest.passed;
    result.powerless += rest.powerless;
    if (!rest.lacking.empty()) result.lacking = rest.lacking;
    result.worst_ratio = std::max(result.worst_ratio, rest.worst_ratio);
    result.evaluation.add(rest.evaluation);
    result.stream_hash = fnv1a(rest.stream_hash, result.stream_hash);
    if (!rest.disturbed.empty()) result.disturbed = rest.disturbed;
    result.out_of_time = rest.out_of_time;
    result.counterexample = std::move(rest.counterexample);
    return result;
}

Counterexample shrink(const Property& property, Subject& subject, const Case& test_case,
                      const Verdict& found, const SearchOptions& options) {
    Hunt hunt(property, subject, options);
    const auto start = std::make_shared<const Case>(test_case);
    hunt.run([&](const rc::Random&) { return Sample{start, Family::uniform}; }, 0, 1);
    Counterexample result;
    if (hunt.result.counterexample) {
        result = std::move(*hunt.result.counterexample);
    } else {
        result.test_case = test_case;
        result.verdict = not_every_time(found);
    }
    shrink_alone(property, subject, options, start, result);
    return result;
}

}  // namespace kvcheck
