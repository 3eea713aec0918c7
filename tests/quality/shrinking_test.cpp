// SPDX-License-Identifier: Apache-2.0
// The shrinker as a product: its steps are admissible and strictly simpler, it ends, shrinking
// twice changes nothing, and plain claims reach the numbers a person would have chosen.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thread>

#include "impl/mutants/catalogue.hpp"
#include "impl/plain/plain.hpp"
#include "model/case_file.hpp"
#include "model/types/error.hpp"
#include "model/walk.hpp"
#include "oracles/work.hpp"
#include "properties/catalogue.hpp"
#include "properties/generators/structure.hpp"
#include "properties/generators/values.hpp"
#include "properties/search/search.hpp"
#include "properties/search/shrink.hpp"
#include "tests/properties/tampered.hpp"

namespace kvcheck {
namespace {

Case generated(std::uint64_t n) {
    Draw draw(SplitMix{n});
    const Level level = n % 2 == 0 ? Level::attention : Level::layer;
    Case test_case = draw_structure(draw, level, FeatureSet::all(), {});
    fill_values(test_case, {Family(n % std::uint64_t(family_count)), draw.bits()}, true);
    return test_case;
}

std::vector<Candidate> simpler_cases(const std::shared_ptr<const Case>& base) {
    std::vector<Candidate> all;
    for (const auto part : {simpler_structures, plainer_groups, plainer_numbers}) {
        for (Candidate& candidate : part(base)) all.push_back(std::move(candidate));
    }
    return all;
}

bool is_valid(const Case& test_case) {
    try {
        validate(test_case);
    } catch (const InputError&) {
        return false;
    }
    return true;
}

TEST(Shrinking, OffersMostlyAdmissibleCases) {
    long offered = 0;
    long admissible = 0;
    for (std::uint64_t n = 0; n < 60; ++n) {
        const auto test_case = std::make_shared<const Case>(generated(n));
        std::size_t index = 0;
        for (const Candidate& candidate : simpler_cases(test_case)) {
            if (++index % 7 != 0) continue;  // a sample of a long list
            const auto simpler = candidate();
            if (!simpler || *simpler == *test_case) continue;
            ++offered;
            admissible += is_valid(*simpler) ? 1 : 0;
        }
    }
    // A position table that became too short, or a query of a padded token: rare, and skipped.
    EXPECT_GT(admissible * 100, offered * 95);
}

TEST(Shrinking, WalksEndFromAnywhere) {
    // Accepting every step must reach an end: the order has no cycles.
    for (std::uint64_t n = 0; n < 40; ++n) {
        auto test_case = std::make_shared<const Case>(generated(n));
        int steps = 0;
        for (bool moved = true; moved && steps < 20000;) {
            moved = false;
            for (const Candidate& candidate : simpler_cases(test_case)) {
                auto simpler = candidate();
                if (!simpler || *simpler == *test_case || !is_valid(*simpler)) continue;
                test_case = std::make_shared<const Case>(std::move(*simpler));
                moved = true;
                ++steps;
                break;
            }
        }
        EXPECT_LT(steps, 20000) << "case " << n;
        EXPECT_TRUE(test_case->program.empty()) << to_text({*test_case, {}});
    }
}

TEST(Shrinking, TwiceChangesNothing) {
    for (const MutantEntry& entry : mutants()) {
        const auto mutant = entry.subject.make("mutant");
        const Property& property = *property_named(entry.caught_by);
        SearchOptions options;
        options.seed = 3;
        for (const Level level : {Level::attention, Level::layer}) {
            const SearchResult first = search(property, *mutant, level, options);
            if (!first.counterexample) continue;
            const Counterexample again = shrink(property, *mutant, first.counterexample->test_case,
                                                first.counterexample->verdict, options);
            EXPECT_EQ(to_text({again.test_case, {}}),
                      to_text({first.counterexample->test_case, {}}))
                << entry.subject.name;
            EXPECT_EQ(again.shrink_steps, 0);
        }
    }
}

TEST(Shrinking, PrefersTheNumbersOfThePlainList) {
    EXPECT_LT(rank_of(0.0F), rank_of(1.0F));
    EXPECT_LT(rank_of(1.0F), rank_of(-1.0F));
    EXPECT_LT(rank_of(-1.0F), rank_of(2.0F));
    EXPECT_LT(rank_of(2.0F), rank_of(0.5F));
    EXPECT_LT(rank_of(0.5F), rank_of(3.0F));
    EXPECT_LT(rank_of(3.0F), rank_of(0.25F));
    EXPECT_LT(rank_of(0.25F), rank_of(0.253F));
    EXPECT_LT(rank_of(0.253F), rank_of(0.2531234F));
}

/// Keys that lie a tile of 64 back are lost.
class LosesFarKeys final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override {
        constexpr Index tile = 64;
        return key + tile > query.slot() && PlainRules::sees(query, key);
    }
};

/// Steps of work that one look at a case takes.
Index work_of(const Property& property, const Case& test_case) {
    const auto subject = tampered({});
    const Index before = Work::parts();
    check(property, *subject, test_case, Evaluation::certified);
    return (Work::parts() - before) / Work::parts_of_a_step;
}

TEST(Shrinking, LongRowsGetShortInFewTries) {
    const auto mutant = make_plain<float>("mutant", std::make_shared<LosesFarKeys>());
    Case start;
    start.spec.rows = 2;
    start.spec.capacity = 129;
    for (Index slot = 0; slot < start.spec.capacity; ++slot) {
        Append append;
        for (Index r = 0; r < start.spec.rows; ++r) {
            append.rows.push_back({{true, {0.25F, float(slot % 5), float(slot % 7) + 0.1F}}});
        }
        start.program.emplace_back(std::move(append));
    }
    SearchOptions options;
    // Less than fifty tries of the case as it is; one token at a time would take more.
    options.shrink_work_max = 50 * work_of(*property_named("outputs_match_the_oracle"), start);
    const Counterexample found = shrink(*property_named("outputs_match_the_oracle"), *mutant, start,
                                        Verdict::failed("output", "a far key is lost"), options);
    const CaseSize least = {.rows = 1, .query_heads = 1, .tokens = 65, .commands = 1};
    EXPECT_EQ(size_of(found.test_case), least) << found.shrink_tried << " tries";
}

TEST(Shrinking, LongRowsEndAtRoundNumbers) {
    const auto mutant = make_plain<float>("mutant", std::make_shared<LosesFarKeys>());
    Case start;
    start.spec.capacity = 90;
    start.spec.key_width = start.spec.value_width = 2;
    Append append;
    append.rows.emplace_back();
    for (Index slot = 0; slot < start.spec.capacity; ++slot) {
        Token token{true, {}};
        for (Index i = 0; i < start.spec.input_size(); ++i) {
            token.input.push_back(float((slot * 7 + i * 13) % 31) / 17.0F - 0.8F);
        }
        append.rows.front().push_back(std::move(token));
    }
    start.program.emplace_back(std::move(append));
    const Counterexample found = shrink(*property_named("outputs_match_the_oracle"), *mutant, start,
                                        Verdict::failed("output", "as planted"), SearchOptions{});
    EXPECT_FALSE(found.shrink_stopped) << found.shrink_tried << " tries";
    const int half = rank_of(0.5F);
    for_each_token(found.test_case, [&](const TokenSite& site, const Token& token) {
        for (const float x : token.input) EXPECT_LE(rank_of(x), half) << "slot " << site.slot;
    });
}

/// The rotary table ends at row 511 for it: later tokens are turned as that one.
class EndsAtRow511 final : public PlainRules {
    Index position_id(const TokenPlace& token, PositionIds ids) const override {
        return clamped(PlainRules::position_id(token, ids));
    }
    Index key_id(const TokenPlace& token, PositionIds ids) const override {
        return clamped(PlainRules::key_id(token, ids));
    }
    static Index clamped(Index id) { return std::min<Index>(id, 511); }
};

/// Of turned keys every answer takes fifty digits, and nothing shorter fails.
TEST(Shrinking, OfLongTurnedRowsKeepsToItsBudgetAndMakesTheRestSmall) {
    const auto mutant = make_plain<float>("mutant", std::make_shared<EndsAtRow511>());
    Case start;
    start.spec.rows = 2;
    start.spec.query_heads = start.spec.kv_heads = 2;
    start.spec.key_width = start.spec.value_width = 4;
    start.spec.capacity = 520;
    start.spec.rotary = Rotary::halves;
    start.parameters = zero_parameters(start.spec, start.spec.capacity);
    SplitMix numbers{7};
    const auto next = [&] { return float(numbers() % 2001) / 1000.0F - 1; };
    for (float& x : start.parameters.rotary_table) x = next();
    Append append;
    append.rows.assign(std::size_t(start.spec.rows), {});
    for (auto& row : append.rows) {
        for (Index slot = 0; slot < start.spec.capacity; ++slot) {
            Token token = zero_token(start.spec, true);
            for (float& x : token.input) x = next();
            row.push_back(std::move(token));
        }
    }
    start.program.emplace_back(std::move(append));
    SearchOptions options;
    options.shrink_work_max = shrink_work_of_fail_fast;
    const Counterexample found = shrink(*property_named("outputs_match_the_oracle"), *mutant, start,
                                        Verdict::failed("output", "as planted"), options);
    const CaseSize size = size_of(found.test_case);
    EXPECT_EQ(size.rows * size.query_heads, 1);
    EXPECT_EQ(found.test_case.spec.key_width, 2);
    EXPECT_EQ(found.test_case.spec.value_width, 1);
    EXPECT_GE(size.tokens, 513);
    EXPECT_TRUE(found.shrink_stopped);
    EXPECT_LT(found.shrink_work, 2 * shrink_work_of_fail_fast) << "at most a try beyond it";
    fmt::print("  {} steps in {} tries, {:.2f} s\n", found.shrink_work, found.shrink_tried,
               found.shrink_seconds);
}

/// Calls whose counts are multiples of four are computed by code of their own, which is wrong.
Tamper wrong_in_fours() {
    Tamper tamper;
    tamper.append = [](Session& inner, const AppendCall& call) {
        const Status status = inner.append(call);
        for (std::size_t r = 0; r < call.counts.size() && status.ok(); ++r) {
            const bool fours = call.counts[r] > 0 && call.counts[r] % 4 == 0;
            if (fours) call.output.at<float>(Index(r), 0, 0, 0) += 1;
        }
        return status;
    };
    return tamper;
}

TEST(Shrinking, CountsThatMustStayMultiplesOfFourEndAtFour) {
    const auto subject = tampered(wrong_in_fours());
    for (const Index tokens : {8, 12, 20, 44, 100}) {
        Case start;
        start.spec.capacity = tokens;
        Append append;
        append.rows.emplace_back(std::size_t(tokens), Token{true, {0.5F, 0.25F, 0.1F}});
        start.program.emplace_back(std::move(append));
        const Counterexample found =
            shrink(*property_named("outputs_match_the_oracle"), *subject, start,
                   Verdict::failed("output", "as planted"), SearchOptions{});
        EXPECT_EQ(size_of(found.test_case).tokens, 4) << "from " << tokens;
    }
}

/// Wrong from three KV heads on, or from three query heads of one KV head on.
Tamper wrong_in_threes(bool of_groups) {
    Tamper tamper;
    tamper.append = [of_groups](Session& inner, const AppendCall& call) {
        const Status status = inner.append(call);
        const Index kv_heads = call.key.shape.extent[2];
        const Index of_one = call.query.shape.extent[2] / kv_heads;
        const bool wrong = (of_groups ? kv_heads : of_one) >= 3 && call.counts[0] > 0;
        if (wrong && status.ok()) call.output.at<float>(0, 0, 0, 0) += 1;
        return status;
    };
    return tamper;
}

TEST(Shrinking, HeadsOfWhichThreeMatterEndAtThree) {
    for (const bool of_groups : {false, true}) {
        const auto subject = tampered(wrong_in_threes(of_groups));
        Case start;
        start.spec.kv_heads = of_groups ? 7 : 2;
        start.spec.query_heads = 14;
        start.spec.value_width = 2;
        Token token = zero_token(start.spec, true);
        std::fill(token.input.begin(), token.input.end(), 0.5F);
        Append append;
        append.rows = {{token}};
        start.program = {append};
        const Counterexample found =
            shrink(*property_named("outputs_match_the_oracle"), *subject, start,
                   Verdict::failed("output", "as planted"), SearchOptions{});
        EXPECT_EQ(found.test_case.spec.query_heads, 3);
        EXPECT_EQ(found.test_case.spec.kv_heads, of_groups ? 3 : 1);
    }
}

/// Dies of the hundredth token of a row, as code that overruns a buffer; a new process takes its
/// time.
TEST(Shrinking, OfADeathThatOnlyLongCasesBringEndsByItsBudget) {
    int deaths = 0;
    Tamper tamper;
    tamper.append = [&deaths](Session& inner, const AppendCall& call) {
        std::vector<RowNumbers> rows(call.counts.size());
        inner.numbers(rows);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            if (rows[r].length.value_or(0) + call.counts[r] < 100) continue;
            ++deaths;
            return Status::died("it was killed");
        }
        return inner.append(call);
    };
    const auto subject = tampered(tamper);
    Case start;
    start.spec.rows = 3;
    start.spec.capacity = 140;
    Append append;
    append.rows.assign(3, std::vector<Token>(70, Token{true, {0.3F, 0.7F, 0.1F}}));
    start.program = {append, append};
    const auto shrunk = [&](Index work_max) {
        SearchOptions options;
        options.shrink_work_max = work_max;
        return shrink(*property_named("outputs_match_the_oracle"), *subject, start,
                      Verdict::crashed("as planted"), options);
    };
    EXPECT_TRUE(shrunk(6 * steps_of_a_death).shrink_stopped);
    EXPECT_LE(deaths, 6 + 5) << "it is looked at twice before and three times after";
    const Counterexample found = shrunk(shrink_work_of_fail_fast);
    const CaseSize least = {.rows = 1, .query_heads = 1, .tokens = 100, .commands = 1};
    EXPECT_EQ(size_of(found.test_case), least);
}

TEST(Shrinking, EndsAtTheSameCaseHoweverSlowTheMachine) {
    const auto mutant = mutants()[0].subject.make("mutant");
    const Property& property = *property_named("outputs_match_the_oracle");
    SearchOptions options;
    options.seed = 5;
    const SearchResult idle = search(property, *mutant, Level::attention, options);
    options.before = [](const Property&, const Case&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
    };
    const SearchResult busy = search(property, *mutant, Level::attention, options);
    ASSERT_TRUE(idle.counterexample && busy.counterexample);
    EXPECT_GT(busy.counterexample->shrink_seconds, 10 * idle.counterexample->shrink_seconds);
    EXPECT_EQ(busy.counterexample->shrink_tried, idle.counterexample->shrink_tried);
    EXPECT_EQ(busy.counterexample->shrink_work, idle.counterexample->shrink_work);
    EXPECT_EQ(busy.counterexample->test_case, idle.counterexample->test_case);
}

TEST(Shrinking, StopsWithinItsBudget) {
    const auto mutant = mutants()[0].subject.make("mutant");
    SearchOptions options;
    options.seed = 4;
    options.shrink_work_max = 5 * steps_of_a_try;
    const SearchResult result =
        search(*property_named("outputs_match_the_oracle"), *mutant, Level::attention, options);
    ASSERT_TRUE(result.counterexample);
    EXPECT_LE(result.counterexample->shrink_tried, 5);
    EXPECT_GE(result.counterexample->shrink_work, options.shrink_work_max);
    EXPECT_TRUE(result.counterexample->shrink_stopped);
}

}  // namespace
}  // namespace kvcheck
