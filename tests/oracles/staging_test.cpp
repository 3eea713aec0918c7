// SPDX-License-Identifier: Apache-2.0
// At layer level the bound of the outputs is staged through exported keys and values. How much
// sharper that makes it is measured here and quoted in docs/error_bound.md; that a wrong export is
// not adopted is checked.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "impl/catalogue.hpp"
#include "properties/drive/judged.hpp"
#include "properties/generators/structure.hpp"
#include "properties/generators/values.hpp"

namespace kvcheck {
namespace {

Case layer_case(std::uint64_t n, Family family) {
    Draw draw(SplitMix{n});
    Case test_case = draw_structure(draw, Level::layer, FeatureSet::all(), {});
    fill_values(test_case, {family, draw.bits()}, false);
    return test_case;
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
            const Case test_case = layer_case(n, family);
            const kvcheck::Run run = drive(*subject, test_case);
            Oracle oracle(test_case.spec, test_case.parameters, subject->capabilities().profile,
                          Evaluation::exact, stored_keys_of(subject->capabilities().features));
            const Judged staged(run, oracle);
            const Judged apart(run, oracle, is_living, Judged::Staging::none);
            for (std::size_t k = 0; k < staged.size(); ++k) {
                const TokenTruth& token = staged[k].truth();
                if (!token.in_domain) continue;
                for (std::size_t i = 0; i < token.output.size(); ++i) {
                    const Answer& answer = token.output[i];
                    if (answer.bound == 0) continue;
                    gains.push_back(apart[k].truth().output[i].bound / answer.bound);
                    ratios.push_back(deviation_of(staged[k].seen().output[i], answer, 24).ratio);
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
    const Case test_case = layer_case(1, Family::uniform);
    kvcheck::Run run = drive(*subject, test_case);
    Oracle oracle(test_case.spec, test_case.parameters, subject->capabilities().profile,
                  Evaluation::exact, stored_keys_of(subject->capabilities().features));
    for (Run::Export& exported : run.exports) {
        for (auto& slot : exported.stored.key) {
            for (double& element : slot) element += 1;
        }
    }
    const Judged with_wrong(run, oracle);
    const Judged apart(run, oracle, is_living, Judged::Staging::none);
    ASSERT_GT(apart.size(), 0U);
    for (std::size_t k = 0; k < apart.size(); ++k) {
        for (std::size_t i = 0; i < apart[k].truth().output.size(); ++i) {
            const Answer& answer = with_wrong[k].truth().output[i];
            EXPECT_LE(deviation_of(answer.hi, apart[k].truth().output[i], 24).ratio, 1);
        }
    }
}

}  // namespace
}  // namespace kvcheck
