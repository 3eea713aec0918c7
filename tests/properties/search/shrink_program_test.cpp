// SPDX-License-Identifier: Apache-2.0
// Simpler programs: what is offered for cases small enough to write it down, and that nothing
// offered is longer in anything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/types/lifecycle.hpp"
#include "model/walk.hpp"
#include "tests/model/build.hpp"
#include "tests/model/generated.hpp"
#include "tests/properties/search/candidates.hpp"

namespace kvcheck {
namespace {

using testing::ElementsAre;

/// A program as text: rows of token numbers with commas between, other commands with what they
/// name.
std::string program_text(const std::optional<Case>& test_case) {
    if (!test_case) return "-";
    std::string text;
    for (const Command& command : test_case->program) {
        if (!text.empty()) text += " | ";
        std::visit(
            Overload{[&](const Append& append) {
                         text += "[";
                         for (std::size_t r = 0; r < append.rows.size(); ++r) {
                             if (r > 0) text += ",";
                             for (const Token& token : append.rows[r]) {
                                 text += std::to_string(int(token.input.front()));
                             }
                         }
                         text += "]";
                     },
                     [&](const Reset& reset) {
                         text += reset.row ? "reset " + std::to_string(*reset.row) : "reset";
                     },
                     [&](const Truncate& truncate) {
                         text += "truncate to " + std::to_string(truncate.length);
                         if (truncate.row) text += " of " + std::to_string(*truncate.row);
                     },
                     [&](const Reorder& reorder) {
                         text += "reorder";
                         for (const Index source : reorder.sources) {
                             text += " " + std::to_string(source);
                         }
                     },
                     [&](const Fork& fork) { text += "fork " + std::to_string(fork.row); },
                     [&](const Finish& finish) { text += "finish " + std::to_string(finish.row); },
                     [&](const Reload&) { text += "reload"; },
                     [&](const Publish& publish) {
                         text += "publish " + std::to_string(publish.row) + " as " +
                                 std::to_string(publish.as);
                     },
                     [&](const Reuse& reuse) {
                         text += "reuse " + std::to_string(reuse.slots) + " of " +
                                 std::to_string(reuse.of) + " by " + std::to_string(reuse.row);
                     },
                     [&](const Shift& shift) {
                         text += "shift " + std::to_string(shift.row) + " by " +
                                 std::to_string(shift.by);
                     },
                     [&](const Evict& evict) {
                         text += "evict " + std::to_string(evict.begin) + " to " +
                                 std::to_string(evict.end) + " of " + std::to_string(evict.row);
                     }},
            command);
    }
    return text;
}

std::vector<std::string> program_texts(const Case& base, AddCandidates part) {
    std::vector<std::string> list;
    for (const auto& simpler : offered(base, part)) list.push_back(program_text(simpler));
    return list;
}

TEST(SimplerPrograms, OfThreeCallsAreOneCallRunsOfThemLessAndTwoJoined) {
    const Case base =
        tiny_case(1, {tiny_append({"R"}, 1), tiny_append({"R"}, 2), tiny_append({"R"}, 3)});
    EXPECT_THAT(program_texts(base, add_simpler_programs),
                ElementsAre("[123]",                                // all in one call
                            "[3]", "[1]",                           // two calls less
                            "[2] | [3]", "[1] | [2]", "[1] | [3]",  // one call less
                            "[12] | [3]", "[1] | [23]"));           // two joined
}

TEST(SimplerPrograms, AroundAResetAreWhatFollowsItAndWhatPrecedesIt) {
    EXPECT_THAT(
        program_texts(tiny_case(1, {tiny_append({"RR"}, 1), Reset{}, tiny_append({"R"}, 3)}),
                      add_simpler_programs),
        Offers("[3]", "[12]", "reset | [3]", "[12] | [3]", "[12] | reset"));
}

TEST(SimplerPrograms, OfTwoRowsWithAResetOfOneAreAResetOfAllAndOneRowLess) {
    EXPECT_THAT(program_texts(
                    tiny_case(2, {tiny_append({"R", "R"}, 1), Reset{1}, tiny_append({"R", ""}, 3)}),
                    add_simpler_programs),
                Offers("[3,]", "[1,2]", "[1,2] | reset | [3,]", "reset 1 | [3,]", "[1,2] | [3,]",
                       "[1,2] | reset 1", "[2] | reset 0 | []", "[1] | [3]"));
}

TEST(SimplerPrograms, OfALongRowAreRunsAtEitherEndAndSingleTokens) {
    EXPECT_THAT(
        program_texts(tiny_case(1, {tiny_append({"RRRRRR"})}), add_fewer_tokens),
        Offers("[456]", "[123]", "[23456]", "[13456]", "[12456]", "[12356]", "[12346]", "[12345]"));
}

TEST(SimplerPrograms, QueryOffsetsFollow) {
    const Case base = tiny_case(1, {tiny_append({"RR"}, 1, std::vector<Index>{0}), Reset{},
                                    tiny_append({"R"}, 3, std::vector<Index>{0})});
    int without_reset = 0;
    for (const auto& simpler : offered(base, add_simpler_programs)) {
        if (!simpler) continue;
        EXPECT_TRUE(is_admissible(*simpler)) << program_text(simpler);
        if (program_text(simpler) != "[12] | [3]") continue;
        ++without_reset;
        EXPECT_EQ(std::get<Append>(simpler->program[1]).query_offset, (std::vector<Index>{2}));
    }
    EXPECT_EQ(without_reset, 1);
}

/// In the order of which the first that differs counts: commands, rows and what makes them, tokens,
/// and what commands name.
Size size_of_program(const Case& test_case) {
    long tokens = 0;
    for_each_token(test_case, [&](const TokenSite&, const Token&) { ++tokens; });
    long rows = test_case.spec.rows;
    long named = 0;
    for (const Command& command : test_case.program) {
        std::visit(
            Overload{[](const Append&) {}, [&](const Reset& reset) { named += reset.row ? 1 : 0; },
                     [&](const Truncate& truncate) {
                         named += truncate.length + (truncate.row ? 1 : 0);
                     },
                     [&](const Reorder& reorder) {
                         rows += long(reorder.sources.size());
                         for (std::size_t r = 0; r < reorder.sources.size(); ++r) {
                             named += reorder.sources[r] == Index(r) ? 0 : 1;
                         }
                     },
                     [&](const Fork& fork) { named += fork.row; }, [](const Finish&) {},
                     [](const Reload&) {}, [&](const Shift& shift) { named += shift.by; },
                     [](const Publish&) {}, [&](const Reuse& reuse) { named += reuse.slots; },
                     [&](const Evict& evict) { named += evict.end - evict.begin; }},
            command);
    }
    return {long(test_case.program.size()), rows, tokens, named};
}

/// Every reset becomes one of the first row: fewer tokens are forgotten.
void reset_first_row_only(Case& test_case) {
    for (Command& command : test_case.program) {
        if (std::holds_alternative<Reset>(command)) command = Reset{0};
    }
}

TEST(SimplerPrograms, GoDownOneOrder) {
    long admissible = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Case base = generated_case(seed);
        if (seed % 4 > 1) reset_first_row_only(base);
        for (const auto& simpler : offered(base, add_simpler_programs)) {
            if (!simpler) continue;
            EXPECT_LT(size_of_program(*simpler), size_of_program(base))
                << seed << ": " << program_text(base) << " became " << program_text(simpler);
            EXPECT_LE(simpler->spec.capacity, std::max(base.spec.capacity, longest_row(*simpler)));
            Spec spec = simpler->spec;
            spec.rows = base.spec.rows;
            spec.capacity = base.spec.capacity;
            EXPECT_EQ(spec, base.spec) << seed;
            EXPECT_EQ(simpler->parameters, base.parameters) << seed;
            admissible += is_admissible(*simpler) ? 1 : 0;
        }
    }
    EXPECT_GT(admissible, 1000);
}

}  // namespace
}  // namespace kvcheck
