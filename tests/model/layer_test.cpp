// SPDX-License-Identifier: Apache-2.0
// What a layer adds to attention, by hand, and the worked layer of docs/case_file.md.
#include "model/layer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/attention.hpp"
#include "model/cache_state.hpp"
#include "model/case_file.hpp"
#include "tests/model/documents.hpp"

namespace kvcheck {
namespace {

using testing::ElementsAre;

TEST(Layer, AProjectionIsRowMajorAndAddsItsBias) {
    const std::vector<double> in = {1, 10, 100};
    EXPECT_THAT(project<double>({{1, 2, 3, 4, 5, 6}, {}}, in), ElementsAre(321, 654));
    EXPECT_THAT(project<double>({{1, 2, 3, 4, 5, 6}, {0.5F, -1}}, in), ElementsAre(321.5, 653));
}

TEST(Layer, ThePositionTableIsReadByTheId) {
    Spec spec;
    spec.level = Level::layer;
    spec.model_width = 2;
    Parameters parameters;
    parameters.position_table = {1, 2, 10, 20, 100, 200};
    const std::vector<double> x = {0.5, 0.25};
    EXPECT_EQ(add_position(spec, parameters, x, 2), x) << "no signal";
    spec.position_signal = PositionSignal::sinusoidal;
    EXPECT_THAT(add_position(spec, parameters, x, 2), ElementsAre(100.5, 200.25));
    spec.position_signal = PositionSignal::learned;
    EXPECT_THAT(add_position(spec, parameters, x, 0), ElementsAre(1.5, 2.25));
}

/// The last output of a one-row, one-head layer case, in double.
std::vector<double> last_output(const Case& test_case) {
    const Spec& spec = test_case.spec;
    const Parameters& parameters = test_case.parameters;
    CacheState state(spec, position_count(spec, parameters));
    for (const Command& command : test_case.program) state.apply(command);
    const Rules<double> rules;
    std::vector<std::vector<double>> query, key, value;
    const auto nodes = state.row(0).tokens();
    for (const Node* node : nodes) {
        const std::vector<float>& input = node->token.input;
        const std::vector<double> x = add_position<double>(
            spec, parameters, {input.begin(), input.end()}, rules.position_id(spec, *node));
        query.push_back(project(parameters.query, x));
        key.push_back(project(parameters.key, x));
        value.push_back(project(parameters.value, x));
    }
    std::vector<ReadToken<double>> row;
    for (std::size_t n = 0; n < nodes.size(); ++n) row.push_back({nodes[n], &key[n], &value[n]});
    const double scale = spec.scale.value_or(1);
    return project(parameters.output,
                   attend<double>(spec, {}, rules, row, query.back(), 0, scale).output);
}

TEST(Layer, TheExampleOfTheCaseFileGivesWhatItsPageSays) {
    const CaseFile file = case_file_from_text(documented_case_files().at(1), "example");
    const std::vector<double> y = last_output(file.test_case);
    ASSERT_EQ(y.size(), 2U);
    EXPECT_EQ(float(y[0]), 1.1F);
    EXPECT_EQ(float(y[1]), -1.1F);
    EXPECT_THAT(document("case_file.md"), testing::HasSubstr("y = (1.1, -1.1)"));
}

}  // namespace
}  // namespace kvcheck
