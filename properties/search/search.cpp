// SPDX-License-Identifier: Apache-2.0
// The search over RapidCheck (declared in search.hpp).
#include "properties/search/search.hpp"

#include <rapidcheck.h>

#include "model/case_file.hpp"
#include "model/types/error.hpp"
#include "model/types/hash.hpp"
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
    if (!allowed.has_all(features_of(test_case))) return false;
    try {
        validate(test_case);
    } catch (const InputError&) {
        return false;
    }
    return true;
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

/// One search or shrink in progress: evaluates cases, keeps the diagnosis, watches the budget.
class Hunt {
public:
    Hunt(const Property& property, Subject& subject, const SearchOptions& options)
        : property_(property), subject_(subject), options_(options) {}

    SearchResult result;

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
        if (spent() || result.out_of_time) return {};
        if (descent_ == nullptr) {
            descent_ = std::make_shared<Descent>(
                *sample.test_case,
                [allowed = subject_.capabilities().features](const Case& simpler) {
                    return is_admissible(simpler, allowed);
                });
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
        if (!result.counterexample) return;
        result.counterexample->shrink_seconds = seconds_since(shrink_begin_);
        result.counterexample->shrink_stopped = spent();
        confirm(*result.counterexample);
    }

private:
    Verdict judge(const Case& test_case) const {
        if (options_.before) options_.before(property_, test_case);
        return check(property_, subject_, test_case);
    }

    static double seconds_since(Clock::time_point begin) {
        return std::chrono::duration<double>(Clock::now() - begin).count();
    }

    bool evaluate_random(const Sample& sample) {
        // However little time there is, something is tried.
        if (Clock::now() >= options_.deadline && result.coverage.cases > 0) {
            // A failure without shrinks is the only thing that ends RapidCheck's loop early.
            result.out_of_time = true;
            return false;
        }
        result.coverage.add(*sample.test_case, sample.family);
        result.stream_hash = fnv1a(hash_of(*sample.test_case), result.stream_hash);
        const Verdict verdict = judge(*sample.test_case);
        if (options_.progress) options_.progress(result.coverage.cases);
        if (!verdict.is_failure()) {
            const bool passed = verdict.kind == Verdict::Kind::passed;
            ++(passed ? result.passed : result.powerless);
            if (verdict.kind == Verdict::Kind::skipped) result.lacking = verdict.words;
            result.worst_ratio = std::max(result.worst_ratio, verdict.worst_ratio);
            return true;
        }
        result.counterexample.emplace();
        result.counterexample->test_case = *sample.test_case;
        result.counterexample->verdict = verdict;
        result.counterexample->found_at = result.coverage.cases;
        shrink_begin_ = Clock::now();
        return false;
    }

    bool evaluate_shrink(const Sample& sample) {
        Counterexample& best = *result.counterexample;
        if (spent() || *sample.test_case == best.test_case)
            return !(*sample.test_case == best.test_case);
        ++best.shrink_tried;
        const Verdict verdict = judge(*sample.test_case);
        shrink_cost_ += verdict.kind == Verdict::Kind::crashed ? cost_of_death : 1;
        if (!verdict.is_failure() || verdict.diagnosis != best.verdict.diagnosis) return true;
        best.test_case = *sample.test_case;
        best.verdict = verdict;
        ++best.shrink_steps;
        return false;
    }

    bool spent() const {
        if (!result.counterexample) return false;
        const bool hangs = result.counterexample->verdict.kind == Verdict::Kind::timed_out;
        const auto time_max = hangs ? std::min(options_.shrink_time_max, options_.hang_time_max)
                                    : options_.shrink_time_max;
        return shrink_cost_ >= options_.shrink_steps_max ||
               Clock::now() - shrink_begin_ >= time_max;
    }

    /// A minimal case that does not fail every time says so.
    void confirm(Counterexample& found) const {
        if (found.verdict.kind == Verdict::Kind::timed_out) return;  // time enough was lost
        for (int n = 0; n < 3; ++n) {
            const Verdict again = judge(found.test_case);
            if (again.is_failure() && again.diagnosis == found.verdict.diagnosis) continue;
            found.verdict.kind = Verdict::Kind::flaky;
            return;
        }
    }

    const Property& property_;
    Subject& subject_;
    const SearchOptions& options_;
    static constexpr int cost_of_death = 10;  // in steps

    Clock::time_point shrink_begin_;
    int shrink_cost_ = 0;
    std::shared_ptr<Descent> descent_;
};

}  // namespace

Verdict check(const Property& property, Subject& subject, const Case& test_case) {
    Oracle oracle(test_case.spec, test_case.parameters, subject.capabilities().profile);
    return property.check(subject, test_case, oracle);
}

SearchResult search(const Property& property, Subject& subject, Level level,
                    const SearchOptions& options) {
    Hunt hunt(property, subject, options);
    const std::uint64_t seed =
        fnv1a(property.name, fnv_basis ^ options.seed) + std::uint64_t(level);
    const FeatureSet allowed = subject.capabilities().features;
    const auto draw = [&](const rc::Random& random) {
        return draw_sample(random, level, allowed, property.focus);
    };
    // RapidCheck makes room for every case it may run.
    constexpr Index block = 10000;
    for (Index done = 0; done < options.cases && !hunt.has_ended(); done += block) {
        hunt.run(draw, seed + std::uint64_t(done), std::min(block, options.cases - done));
    }
    return std::move(hunt.result);
}

Counterexample shrink(const Property& property, Subject& subject, const Case& test_case,
                      const SearchOptions& options) {
    Hunt hunt(property, subject, options);
    const auto start = std::make_shared<const Case>(test_case);
    hunt.run([&](const rc::Random&) { return Sample{start, Family::uniform}; }, 0, 1);
    KVCHECK_ASSERT(hunt.result.counterexample.has_value());
    return *hunt.result.counterexample;
}

}  // namespace kvcheck
