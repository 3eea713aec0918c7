// SPDX-License-Identifier: Apache-2.0
// Queries without keys on the fast subject at sizes that random cases do not reach: more of them
// than a row has slots, rows that end at a block and inside one, and two threads.
#include <gtest/gtest.h>

#include "bench/dense_call.hpp"
#include "impl/fast/fast.hpp"
#include "impl/fast/kernels.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/sentence.hpp"
#include "tests/model/build.hpp"

namespace kvcheck {
namespace {

using fast::block_slots;

/// Three rows, all of whose slots are taken in the last one; every seventh token is padding.
Case filled(Level level) {
    Case test_case;
    Spec& spec = test_case.spec;
    spec.level = level;
    spec.rows = 3;
    spec.query_heads = 2;
    spec.kv_heads = 1;
    spec.key_width = spec.value_width = 4;
    spec.model_width = level == Level::layer ? 6 : 0;
    spec.capacity = block_slots + 3;
    spec.window = 2;
    if (level == Level::layer) test_case.parameters = some_parameters(spec, 0, 5);
    Append append;
    std::uint64_t tokens = 0;
    for (const Index count : {block_slots, Index{0}, spec.capacity}) {
        auto& row = append.rows.emplace_back();
        for (Index t = 0; t < count; ++t) {
            Token token = zero_token(spec, ++tokens % 7 != 0);
            fill_with_numbers(token.input, tokens);
            row.push_back(std::move(token));
        }
    }
    test_case.program.emplace_back(std::move(append));
    return test_case;
}

class FastAsks : public testing::TestWithParam<Level> {};

TEST_P(FastAsks, MoreQueriesThanSlotsSeeAllOfTheirRow) {
    const Case test_case = filled(GetParam());
    Spec seen_so = test_case.spec;
    seen_so.window.reset();
    seen_so.padded_query = PaddedQuery::computed;
    std::vector<std::vector<Token>> queries;
    for (const Index count : {2 * test_case.spec.capacity + 5, Index{1}, block_slots}) {
        auto& row = queries.emplace_back();
        for (Index t = 0; t < count; ++t) {
            Token token = zero_token(test_case.spec, true);
            fill_with_numbers(token.input, std::uint64_t(1000 + t));
            row.push_back(std::move(token));
        }
    }
    for (const int threads : {1, 2}) {
        FastOptions options;
        options.threads = threads;
        if (threads > 1) options.parallel_from = 0;
        options.split_slots = block_slots;
        const auto subject = make_fast("fast", options);
        Drive session(*subject, test_case.spec, test_case.parameters, {});
        session.apply(test_case.program.front());
        session.ask(queries);
        kvcheck::Run answers;
        answers.observations = session.asked();
        const kvcheck::Run run = session.finish();
        ASSERT_FALSE(run.trouble) << sentence_of(*run.trouble);
        ASSERT_EQ(answers.observations.size(),
                  std::size_t(2 * test_case.spec.capacity + 5 + 1 + block_slots));
        Oracle oracle(seen_so, test_case.parameters, subject->capabilities().profile);
        Judge judge(subject->capabilities());
        judge_outputs(
            judge, answers, oracle, [](const Output& output) { return output.standing().compared; },
            Judged::Staging::none, Answered::all);
        EXPECT_EQ(judge.verdict().kind, Verdict::Kind::passed) << sentence_of(judge.verdict());
    }
}

INSTANTIATE_TEST_SUITE_P(At, FastAsks, testing::Values(Level::attention, Level::layer),
                         [](const auto& test) {
                             return test.param == Level::layer ? "Layer" : "Attention";
                         });

}  // namespace
}  // namespace kvcheck
