// SPDX-License-Identifier: Apache-2.0
// Whose fault a finding is: that of plain outputs, or of the commands that a property added.
#include "properties/rounds/conclusion.hpp"

#include <gtest/gtest.h>

namespace kvcheck {
namespace {

Counterexample of_program(std::vector<Command> program) {
    Counterexample one;
    one.verdict = Verdict::failed("visible_count", "");
    one.test_case.program = std::move(program);
    return one;
}

/// Found by a property that put a reorder and an append behind the append of its case.
Counterexample found_behind_a_reorder() {
    Counterexample found = of_program({Append{}});
    Case driven = found.test_case;
    driven.program.insert(driven.program.end(), {Reorder{}, Append{}});
    found.verdict.driven = std::make_shared<const Case>(std::move(driven));
    return found;
}

TEST(Conclusion, AFaultThatNeedsTheAddedCommandIsThePropertys) {
    const Counterexample found = found_behind_a_reorder();
    EXPECT_TRUE(is_of_added_commands(of_program({Append{}, Reorder{}, Append{}}), found));
}

TEST(Conclusion, AFaultThatNeedsNoCommandOrAnotherOneIsOfPlainOutputs) {
    const Counterexample found = found_behind_a_reorder();
    EXPECT_FALSE(is_of_added_commands(of_program({Append{}}), found));
    EXPECT_FALSE(is_of_added_commands(of_program({Append{}, Fork{}, Append{}}), found));
    EXPECT_FALSE(is_of_added_commands(of_program({Fork{}, Reorder{}, Append{}}), found));
    EXPECT_FALSE(is_of_added_commands(of_program({Reorder{}}), of_program({Reorder{}})));
}

TEST(Conclusion, PlainOutputsMayBeWrongBehindAddedCommandsAndWhereOutputsOrARefusalAre) {
    EXPECT_TRUE(may_be_of_outputs(found_behind_a_reorder()));
    Counterexample found = of_program({Append{}});
    EXPECT_FALSE(may_be_of_outputs(found));
    for (const char* const diagnosis : {"output", "output not finite", "refusal"}) {
        found.verdict.diagnosis = diagnosis;
        EXPECT_TRUE(may_be_of_outputs(found)) << diagnosis;
    }
    found.verdict = Verdict::passed();
    EXPECT_FALSE(may_be_of_outputs(found));
}

}  // namespace
}  // namespace kvcheck
