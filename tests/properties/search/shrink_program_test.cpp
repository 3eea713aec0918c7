// SPDX-License-Identifier: Apache-2.0
// Simpler programs: the exact list for cases small enough to write it down, and that nothing
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

/// A program as text: rows of token numbers with commas between, resets with their row.
std::string program_text(const std::optional<Case>& test_case) {
    if (!test_case) return "-";
    std::string text;
    for (const Command& command : test_case->program) {
        if (!text.empty()) text += " | ";
        std::visit(Overload{[&](const Append& append) {
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
                            }},
                   command);
    }
    return text;
}

std::vector<std::string> program_texts(const Case& base) {
    std::vector<std::string> list;
    for (const auto& simpler : offered(base, add_simpler_programs))
        list.push_back(program_text(simpler));
    return list;
}

TEST(SimplerPrograms, OfThreeCalls) {
    EXPECT_THAT(program_texts(tiny_case(
                    1, {tiny_append({"R"}, 1), tiny_append({"R"}, 2), tiny_append({"R"}, 3)})),
                ElementsAre("[123]",                                // all in one call
                            "[2] | [3]", "[1] | [3]", "[1] | [2]",  // one call less
                            "[12] | [3]", "[1] | [23]",             // two joined
                            "[] | [2] | [3]", "[1] | [] | [3]", "[1] | [2] | []"));  // no token
}

TEST(SimplerPrograms, AroundAReset) {
    EXPECT_THAT(
        program_texts(tiny_case(1, {tiny_append({"RR"}, 1), Reset{}, tiny_append({"R"}, 3)})),
        ElementsAre("[3]", "[12]",                                // what follows it, what precedes
                    "-",                                          // nothing to join
                    "reset | [3]", "[12] | [3]", "[12] | reset",  // one command less
                    "-", "-",                                     // no two calls in a row
                    "[2] | reset | [3]", "[1] | reset | [3]", "[12] | reset | []"));
}

TEST(SimplerPrograms, OfTwoRowsWithAResetOfOne) {
    EXPECT_THAT(
        program_texts(
            tiny_case(2, {tiny_append({"R", "R"}, 1), Reset{1}, tiny_append({"R", ""}, 3)})),
        ElementsAre("[3,]", "[1,2]", "[1,2] | reset | [3,]",              // the reset
                    "-",                                                  // nothing to join
                    "reset 1 | [3,]", "[1,2] | [3,]", "[1,2] | reset 1",  // one command less
                    "-", "-",                                             // no two calls in a row
                    "[2] | reset 0 | []", "[1] | [3]",                    // one row less
                    "[,] | reset 1 | [3,]", "[,2] | reset 1 | [3,]",      // of the first call:
                    "[1,] | reset 1 | [3,]",                              // all rows, then each
                    "[1,2] | reset 1 | [,]", "[1,2] | reset 1 | [,]"));   // of the second
}

TEST(SimplerPrograms, OfALongRowTryLargePiecesFirst) {
    const std::vector<std::string> list = program_texts(tiny_case(1, {tiny_append({"RRRRRR"})}));
    EXPECT_THAT(list, ElementsAre("-", "",                                     // no command
                                  "[456]", "[123]",                            // halves
                                  "[23456]", "[13456]", "[12456]", "[12356]",  // single tokens
                                  "[12346]", "[12345]"));
}

TEST(SimplerPrograms, QueryOffsetsFollow) {
    const Case base = tiny_case(1, {tiny_append({"RR"}, 1, std::vector<Index>{0}), Reset{},
                                    tiny_append({"R"}, 3, std::vector<Index>{0})});
    int with_offsets = 0;
    for (const auto& simpler : offered(base, add_simpler_programs)) {
        if (!simpler) continue;
        EXPECT_TRUE(is_admissible(*simpler)) << program_text(simpler);
        for_each_append(*simpler, [&](Index, const Append& append, const CacheState&) {
            with_offsets += append.query_offset ? 1 : 0;
        });
    }
    EXPECT_GT(with_offsets, 8);
    // Without the reset, the second call begins at slot 2.
    EXPECT_EQ(std::get<Append>(offered(base, add_simpler_programs)[4]->program[1]).query_offset,
              (std::vector<Index>{2}));
}

Size size_of_program(const Case& value) {
    long tokens = 0;
    for_each_token(value, [&](const TokenSite&, const Token&) { ++tokens; });
    long resets_of_one = 0;
    for (const Command& command : value.program) {
        const auto* reset = std::get_if<Reset>(&command);
        resets_of_one += reset != nullptr && reset->row ? 1 : 0;
    }
    return {long(value.spec.rows), tokens, long(value.program.size()), resets_of_one};
}

/// Every reset becomes one of the first row: fewer tokens are forgotten.
void reset_first_row_only(Case& value) {
    for (Command& command : value.program) {
        if (std::holds_alternative<Reset>(command)) command = Reset{0};
    }
}

TEST(SimplerPrograms, AreShorterInSomethingAndLongerInNothing) {
    long admissible = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Case base = generated_case(seed);
        if (seed % 4 > 1) reset_first_row_only(base);
        for (const auto& simpler : offered(base, add_simpler_programs)) {
            if (!simpler) continue;
            EXPECT_TRUE(is_simpler(size_of_program(*simpler), size_of_program(base))) << seed;
            Spec spec = simpler->spec;
            spec.rows = base.spec.rows;
            EXPECT_EQ(spec, base.spec) << seed;
            EXPECT_EQ(simpler->parameters, base.parameters) << seed;
            admissible += is_admissible(*simpler) ? 1 : 0;
        }
    }
    EXPECT_GT(admissible, 1000);
}

}  // namespace
}  // namespace kvcheck
