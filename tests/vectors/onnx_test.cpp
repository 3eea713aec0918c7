// SPDX-License-Identifier: Apache-2.0
// The attention node tests of ONNX, which others made, against both oracles and the plain subject:
// whether we mean by attention what the field means by it. Cases that the contract cannot say are
// skipped with the reason, and so is everything where the vectors are not at hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tests/vectors/comparison.hpp"
#include "tests/vectors/vectors_folder.hpp"

namespace kvcheck::vectors {
namespace {

/// The same tokens, one a call and row: the most a cache can be asked for.
Case token_by_token(const Case& test_case) {
    const Segment segment = segments_of(test_case).front();
    const std::vector<Index> ones(std::size_t(longest_row(segment)), 1);
    return resplit(test_case, {counts_of(segment, ones)});
}

/// How many numbers of ONNX both oracles together meet bit for bit, said in so many ways.
Index numbers_to_meet(const OnnxCase& onnx, std::size_t ways) {
    const std::size_t weights = onnx.weights ? onnx.weights->values.size() : 0;
    return Index(ways * (2 * onnx.expected.values.size() + weights));
}

class OnnxAttention : public testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(OnnxAttention);

TEST_P(OnnxAttention, IsWhatWeMean) {
    const OnnxCase onnx = read_onnx_case(onnx_folder() / GetParam());
    const std::string reason = unsayable(onnx);
    if (!reason.empty()) GTEST_SKIP() << reason;
    const std::vector<Said> ways = ways_to_say(onnx);
    Index compared = 0;
    for (const Said& said : ways) {
        SCOPED_TRACE(said.way);
        validate(said.test_case);
        std::set<std::tuple<Index, Index, Index>> queries;
        for (const Place& p : said.places) queries.emplace(p.onnx_row, p.onnx_head, p.onnx_query);
        EXPECT_EQ(Index(queries.size()), onnx.batch() * onnx.query_heads() * onnx.queries());

        Comparison comparison(onnx, said);
        comparison.oracles();
        if (HasFatalFailure()) return;  // what follows reads the same answers
        comparison.subject(said.test_case);
        comparison.subject(token_by_token(said.test_case));
        compared += comparison.compared_bits();
    }
    EXPECT_GT(compared, 0);
    EXPECT_EQ(compared, numbers_to_meet(onnx, ways.size()));
}

std::string short_name(const testing::TestParamInfo<std::string>& info) {
    const std::string prefix = "test_attention_";
    return info.param.rfind(prefix, 0) == 0 ? info.param.substr(prefix.size()) : info.param;
}
INSTANTIATE_TEST_SUITE_P(Vectors, OnnxAttention, testing::ValuesIn(onnx_case_names()), short_name);

TEST(OnnxAttentionCases, AreThereAndMostCanBeSaid) {
    const std::vector<std::string> names = onnx_case_names();
    if (names.empty()) {
        GTEST_SKIP() << "no ONNX attention cases in " << onnx_folder().lexically_normal().string();
    }
    Index run = 0;
    Index causal = 0;
    Index numbers = 0;
    std::map<std::string, Index> skipped;
    for (const std::string& name : names) {
        const OnnxCase onnx = read_onnx_case(onnx_folder() / name);
        const std::string reason = unsayable(onnx);
        if (!reason.empty()) {
            ++skipped[reason];
            continue;
        }
        const std::size_t ways = ways_to_say(onnx).size();
        ++run;
        causal += ways > 1 ? 1 : 0;
        numbers += numbers_to_meet(onnx, ways);
    }
    fmt::print("{} cases run, {} of them also as a causal sequence; {} numbers met bit for bit\n",
               run, causal, numbers);
    for (const auto& [reason, count] : skipped) fmt::print("{} skipped: {}\n", count, reason);
    EXPECT_GT(2 * run, Index(names.size()));
    EXPECT_GT(causal, 0);
    EXPECT_GT(numbers, 0);
}

}  // namespace
}  // namespace kvcheck::vectors
