// SPDX-License-Identifier: Apache-2.0
// What a layer adds to attention, by hand, and the worked layer of docs/case_file.md.
#include "model/layer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/attention.hpp"
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
std::vector<double> last_output(const Case& value) {
    const RowTokens tokens = history_of(value)[0][0];
    RowState row(value.spec.position_ids);
    HeadInputs<double> in;
    for (const Token& token : tokens) {
        const std::vector<double> x = add_position<double>(value.spec, value.parameters,
                                                           {token.input.begin(), token.input.end()},
                                                           row.position_id(row.length()));
        row.append(token.real);
        in.query.push_back(project(value.parameters.query, x));
        in.key.push_back(project(value.parameters.key, x));
        in.value.push_back(project(value.parameters.value, x));
    }
    const double scale = value.spec.scale.value_or(1);
    return project(value.parameters.output,
                   attend(value.spec, row, in, row.length() - 1, 0, scale).output);
}

TEST(Layer, TheExampleOfTheCaseFileGivesWhatItsPageSays) {
    const CaseFile file = case_file_from_text(documented_case_files().at(1), "example");
    const std::vector<double> y = last_output(file.value);
    ASSERT_EQ(y.size(), 2U);
    EXPECT_EQ(float(y[0]), 1.1F);
    EXPECT_EQ(float(y[1]), -1.1F);
    EXPECT_THAT(document("case_file.md"), testing::HasSubstr("y = (1.1, -1.1)"));
}

}  // namespace
}  // namespace kvcheck
