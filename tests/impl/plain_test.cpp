// SPDX-License-Identifier: Apache-2.0
// The textbook subject on cases worked by hand, without oracle or bound: what docs/contract.md
// shows must come out to the last bit.
#include <gtest/gtest.h>

#include "impl/catalogue.hpp"
#include "properties/drive/drive.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

/// One head of width one with q = 0: every visible key has the same weight.
Case means_of(const std::vector<float>& values, const std::vector<bool>& real) {
    Case test_case;
    test_case.spec.capacity = Index(values.size());
    Append append;
    append.rows.emplace_back();
    for (std::size_t i = 0; i < values.size(); ++i) {
        append.rows[0].push_back({real[i], {0, 7, values[i]}});
    }
    test_case.program.emplace_back(std::move(append));
    return test_case;
}

class Plain : public testing::TestWithParam<std::size_t> {
protected:
    std::unique_ptr<Subject> subject = built_in_subjects()[GetParam()].make("plain");
};

TEST_P(Plain, TakesMeansWhereScoresAreEqualInEverySplit) {
    const Case test_case = means_of({1, 3, 8, 4}, {true, true, true, true});
    for (const auto& chunks : splits_of(4)) {
        const kvcheck::Run run = drive(*subject, with_chunks(test_case, chunks));
        ASSERT_FALSE(run.trouble) << sentence_of(*run.trouble);
        EXPECT_EQ(run.observations[0].output[0], 1);
        EXPECT_EQ(run.observations[1].output[0], 2);
        EXPECT_EQ(run.observations[2].output[0], 4);
        EXPECT_EQ(run.observations[3].output[0], 4);
    }
}

TEST_P(Plain, SkipsPadding) {
    const Case test_case = means_of({100, 1, 200, 3}, {false, true, false, true});
    const kvcheck::Run run = drive(*subject, with_chunks(test_case, {2, 2}));
    EXPECT_EQ(run.observations[1].output[0], 1);
    EXPECT_EQ(run.observations[3].output[0], 2);
    const std::vector<double> weights = {0, 0.5, 0, 0.5};
    EXPECT_EQ(run.observations[3].weights[0], weights);
}

TEST_P(Plain, GrowsItsCacheByTheChunk) {
    const Case test_case = means_of({1, 2, 3, 4, 5}, {true, true, true, true, true});
    DriveOptions options;
    options.export_every_step = true;
    options.numbers_every_step = true;
    const kvcheck::Run run = drive(*subject, with_chunks(test_case, {4, 1}), options);
    EXPECT_EQ(run.numbers[0][0].length, 4);
    EXPECT_EQ(run.numbers[1][0].length, 5);
    EXPECT_EQ(run.exports[1].stored.value[4][0], 5);
    EXPECT_EQ(run.exports[1].stored.key[4][0], 7);
}

TEST_P(Plain, GroupsQueryHeads) {
    // Six query heads over two key/value heads: heads 0 to 2 read the first, 3 to 5 the second.
    Case test_case;
    test_case.spec.query_heads = 6;
    test_case.spec.kv_heads = 2;
    test_case.spec.capacity = 1;
    Append append;
    append.rows.push_back({{true, {0, 0, 0, 0, 0, 0, 1, 1, 10, 20}}});
    test_case.program.emplace_back(std::move(append));
    const std::vector<double> expected = {10, 10, 10, 20, 20, 20};
    EXPECT_EQ(drive(*subject, test_case).observations[0].output, expected);
}

INSTANTIATE_TEST_SUITE_P(InEveryType, Plain, testing::Range(std::size_t{0}, std::size_t{2}),
                         [](const auto& test) {
                             return test.param == 0 ? std::string("Float") : std::string("Double");
                         });

}  // namespace
}  // namespace kvcheck
