// SPDX-License-Identifier: Apache-2.0
// At layer level the bound of the outputs is staged through exported keys and values. How much
// sharper that makes it is measured here and quoted in docs/error_bound.md; that a wrong export is
// not adopted is checked.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "impl/catalogue.hpp"
#include "properties/drive/drive.hpp"
#include "properties/generators/structure.hpp"
#include "properties/generators/values.hpp"

namespace kvcheck {
namespace {

Case layer_case(std::uint64_t n, Family family) {
    Draw draw(SplitMix{n});
    Case value = draw_structure(draw, Level::layer, FeatureSet::all(), {});
    fill_values(value, {family, draw.bits()}, false);
    return value;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

TEST(Staging, MakesTheBoundSharper) {
    const auto subject = built_in_subjects()[0].make("plain");
    for (const Family family : {Family::uniform, Family::bell, Family::wide}) {
        std::vector<double> gains;   // unstaged bound / staged bound
        std::vector<double> ratios;  // error / staged bound
        for (std::uint64_t n = 0; n < 60; ++n) {
            const Case value = layer_case(n, family);
            const kvcheck::Run run = drive(*subject, value);
            const auto history = history_of(value);
            Oracle oracle(value.spec, value.parameters, subject->capabilities().profile);
            for (std::size_t r = 0; r < history[0].size(); ++r) {
                const RowTruth& apart = oracle.row(history[0][r]);
                const RowTruth& staged = oracle.row(history[0][r], &run.stored[0][r]);
                for (std::size_t slot = 0; slot < history[0][r].size(); ++slot) {
                    const TokenTruth& token = staged.tokens[slot];
                    if (!token.compared || !token.in_domain || token.dead) continue;
                    for (std::size_t i = 0; i < token.output.size(); ++i) {
                        const Answer& answer = token.output[i];
                        if (answer.bound == 0) continue;
                        gains.push_back(apart.tokens[slot].output[i].bound / answer.bound);
                        ratios.push_back(
                            deviation_of(run.tokens[0][r][slot].output[i], answer, 24).ratio);
                    }
                }
            }
        }
        fmt::print(
            "  {:<10} {} outputs: unstaged bound / staged, median {:.2f}, largest {:.1f}; "
            "error / staged bound, median {:.4f}, largest {:.3f}\n",
            name_of(family), gains.size(), median(gains),
            *std::max_element(gains.begin(), gains.end()), median(ratios),
            *std::max_element(ratios.begin(), ratios.end()));
        EXPECT_GT(median(gains), 1);
        EXPECT_LE(*std::max_element(ratios.begin(), ratios.end()), 1);
    }
}

TEST(Staging, DoesNotAdoptAKeyThatIsOutsideItsBall) {
    const auto subject = built_in_subjects()[0].make("plain");
    const Case value = layer_case(1, Family::uniform);
    const kvcheck::Run run = drive(*subject, value);
    const RowTokens row = history_of(value)[0][0];
    Oracle oracle(value.spec, value.parameters, subject->capabilities().profile);
    StoredRow wrong = run.stored[0][0];
    for (auto& slot : wrong.key) {
        for (double& element : slot) element += 1;
    }
    const RowTruth& with_wrong = oracle.row(row, &wrong);
    const RowTruth& apart = oracle.row(row);
    for (std::size_t slot = 0; slot < row.size(); ++slot) {
        for (std::size_t i = 0; i < apart.tokens[slot].output.size(); ++i) {
            const Answer& answer = with_wrong.tokens[slot].output[i];
            EXPECT_LE(deviation_of(answer.hi, apart.tokens[slot].output[i], 24).ratio, 1);
        }
    }
}

}  // namespace
}  // namespace kvcheck
