// SPDX-License-Identifier: Apache-2.0
// What double arithmetic certifies, fifty digits confirm: over every family of values, both levels
// and four subjects, two of them wrong, no certified verdict differs, no value is further from the
// exact one than its doubt, and no bound is above the exact one. KVCHECK_CERTIFIED_OUTPUTS asks for
// another number of outputs than the modest default.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "impl/catalogue.hpp"
#include "impl/mutants/catalogue.hpp"
#include "properties/drive/judged.hpp"
#include "properties/generators/structure.hpp"
#include "properties/generators/values.hpp"

namespace kvcheck {
namespace {

struct Agreement {
    long numbers = 0;
    long right = 0;      // by fifty digits
    long escalated = 0;  // of these, what the certificate does not settle
    long certified = 0;
    long differences = 0;  // certified to be right and wrong
    long broken = 0;       // a value beyond its doubt, or a bound above the exact one
    double doubt = 0;      // largest |value - exact| / doubt

    void add(const Agreement& more) {
        numbers += more.numbers;
        right += more.right;
        escalated += more.escalated;
        certified += more.certified;
        differences += more.differences;
        broken += more.broken;
        doubt = std::max(doubt, more.doubt);
    }
};

long numbers_wanted() {
    const char* const given = std::getenv("KVCHECK_CERTIFIED_OUTPUTS");
    return given != nullptr ? std::atol(given) : 40000;
}

/// Holds one certified answer against fifty digits, and against the nearest wrong observation.
void compare(const Answer* certified, const Answer& exact, double seen, Agreement& agreement) {
    ++agreement.numbers;
    const bool right = deviation_of(seen, exact, 24).within();
    agreement.right += right ? 1 : 0;
    const bool settled = certified != nullptr && settles(*certified, seen);
    agreement.certified += settled ? 1 : 0;
    agreement.escalated += right && !settled ? 1 : 0;
    agreement.differences += settled && !right ? 1 : 0;
    if (certified == nullptr || std::isnan(exact.hi)) return;
    const double off = std::fabs((certified->hi - exact.hi) - exact.lo);
    if (certified->doubt > 0) agreement.doubt = std::max(agreement.doubt, off / certified->doubt);
    agreement.broken += off > certified->doubt || certified->bound > exact.bound ? 1 : 0;
    for (const double side : {-1.0, 1.0}) {
        const double beyond = exact.hi + side * exact.bound * (1 + std::ldexp(1.0, -30));
        const bool is_wrong = !deviation_of(beyond, exact, 24).within();
        agreement.differences += is_wrong && settles(*certified, beyond) ? 1 : 0;
    }
}

/// What is certified for a part of an output, whatever was seen; null where nothing is.
const TokenTruth* certified_of(Truths& truths, const Truths::Token& token, Truths::Part part) {
    const TokenTruth* found = nullptr;
    truths.judging(token, part, 0, [&](const TokenTruth& truth) {
        found = &truth;
        return true;
    });
    return found;
}

/// The weights of a token and their sums.
void compare_weights(const TokenTruth* certified, const TokenTruth& exact,
                     const std::vector<std::vector<double>>& seen, Agreement& agreement) {
    for (std::size_t head = 0; head < exact.weights.size(); ++head) {
        double sum = 0;
        for (std::size_t key = 0; key < exact.weights[head].size(); ++key) {
            sum += seen[head][key];
            compare(certified != nullptr ? &certified->weights[head][key] : nullptr,
                    exact.weights[head][key], seen[head][key], agreement);
        }
        compare(certified != nullptr ? &certified->weight_sum[head] : nullptr,
                exact.weight_sum[head], sum, agreement);
    }
}

Agreement judged(Subject& subject, std::uint64_t n, Family family, Truths::Part part) {
    Draw draw(SplitMix{n});
    const Level level = n % 2 == 0 ? Level::attention : Level::layer;
    // Rotary positions have no certificate, nor have int8 and layers with narrow storage.
    FeatureSet allowed = subject.capabilities().features.without(
        {Feature::rotary_halves, Feature::rotary_adjacent, Feature::int8_storage});
    if (level == Level::layer)
        allowed = allowed.without({Feature::bf16_storage, Feature::fp16_storage});
    Case test_case = draw_structure(draw, level, allowed, {});
    fill_values(test_case, {family, draw.bits()}, false);
    Agreement agreement;
    constexpr Index slots_most = 65;  // fifty digits take their time
    if (test_case.spec.capacity > slots_most) return agreement;
    DriveOptions options;
    options.weights = part == Truths::Part::weights;
    const kvcheck::Run run = drive(subject, test_case, options);
    Oracle oracle(test_case.spec, test_case.parameters, subject.capabilities().profile,
                  Evaluation::certified);
    const auto staging = n % 3 == 0 ? Judged::Staging::none : Judged::Staging::exports;
    Truths truths(oracle);
    if (staging == Judged::Staging::exports) {
        for (const auto& row : run.exports) truths.adopt(row.stored);
    }
    for (const Observation& seen : run.observations) {
        const Truths::Token& token = seen.history.last();
        if (!truths.standing(token).compared) continue;
        const TokenTruth* const certified = certified_of(truths, token, part);
        const TokenTruth& exact = truths.of(token);
        if (certified != nullptr && certified->in_domain != exact.in_domain)
            ++agreement.differences;
        if (!exact.in_domain) continue;
        if (part == Truths::Part::weights) {
            compare_weights(certified, exact, seen.weights, agreement);
            continue;
        }
        for (std::size_t i = 0; i < exact.output.size(); ++i) {
            compare(certified != nullptr ? &certified->output[i] : nullptr, exact.output[i],
                    seen.output[i], agreement);
        }
    }
    return agreement;
}

std::vector<std::unique_ptr<Subject>> four_subjects() {
    std::vector<std::unique_ptr<Subject>> subjects;
    for (const SubjectEntry& entry : built_in_subjects()) {
        if (entry.name != "plain-double") subjects.push_back(entry.make(std::string(entry.name)));
    }
    for (const std::size_t n : {0, 2}) {
        const SubjectEntry& wrong = mutants()[n].subject;
        subjects.push_back(wrong.make(std::string(wrong.name)));
    }
    return subjects;
}

/// Judges case after case until so many numbers of right and wrong subjects were compared.
void expect_agreement(const std::vector<std::unique_ptr<Subject>>& subjects, Truths::Part part,
                      long wanted) {
    constexpr std::uint64_t cases_least =
        8 * std::uint64_t(family_count);  // every family four times, both levels
    std::map<Family, Agreement> families;
    Agreement all;
    for (std::uint64_t n = 0; all.numbers < wanted || n < cases_least; ++n) {
        const Family family = Family(n / 2 % std::uint64_t(family_count));
        for (const auto& subject : subjects) {
            const Agreement agreement = judged(*subject, n, family, part);
            families[family].add(agreement);
            all.add(agreement);
        }
    }
    for (const auto& [family, agreement] : families) {
        fmt::print(
            "  {:<15} {:>8} numbers, {:>8} right, {:>8} certified, {:>6} escalated ({:.2f} %), "
            "{} differences, {} broken, error / doubt at most {:.3f}\n",
            name_of(family), agreement.numbers, agreement.right, agreement.certified,
            agreement.escalated,
            100.0 * double(agreement.escalated) / double(std::max(agreement.right, 1L)),
            agreement.differences, agreement.broken, agreement.doubt);
        EXPECT_GT(agreement.certified, 0) << name_of(family);
        EXPECT_LT(agreement.right, agreement.numbers) << "wrong subjects are among them";
    }
    fmt::print("  all: {} numbers, {} right, {} certified, {} escalated\n", all.numbers, all.right,
               all.certified, all.escalated);
    EXPECT_EQ(all.differences, 0);
    EXPECT_EQ(all.broken, 0);
    // Of few numbers most may come from one long row of vast scores.
    constexpr long many = 1000000;
    const long times = all.numbers < many ? 10 : 20;
    EXPECT_LE(times * all.escalated, all.right) << "more than " << 100 / times << " % escalated";
}

TEST(Certified, VerdictsOnOutputsAreThoseOfFiftyDigits) {
    const auto subjects = four_subjects();
    ASSERT_EQ(subjects.size(), 4U);
    expect_agreement(subjects, Truths::Part::output, numbers_wanted());
}

TEST(Certified, VerdictsOnWeightsAreThoseOfFiftyDigits) {
    std::vector<std::unique_ptr<Subject>> subjects = four_subjects();
    std::erase_if(subjects, [](const auto& subject) {
        return !subject->capabilities().features.has(Feature::weights);
    });
    ASSERT_GE(subjects.size(), 3U);
    expect_agreement(subjects, Truths::Part::weights, numbers_wanted());
}

}  // namespace
}  // namespace kvcheck
