// SPDX-License-Identifier: Apache-2.0
// How loose the two bounds of a decoder are by its depth; the table of docs/error_bound.md, section
// 15, is what this prints. A planted fault stays visible at every depth.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "impl/plain/decoder.hpp"
#include "oracles/decoder/adjoint.hpp"
#include "oracles/decoder/taps.hpp"
#include "properties/generators/decoder.hpp"
#include "tests/decoder/shapes.hpp"

namespace kvcheck {
namespace {

/// Positions start at zero in every call.
class RestartedTable final : public DecoderRules {
    Index table_row(Index, Index index) const override { return index; }
};

struct Looseness {
    std::vector<double> bounds, errors;  // [logits]
    double ratio = 0;                    // the largest of a logit
    double tap_ratio = 0;                // the largest of an operation
    double fault = 0;                    // the largest of a logit with restarted positions
};

double median(std::vector<double> values) {
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

Looseness looseness(const Shaped& shaped) {
    const std::vector<Index> tokens = drawn_tokens(shaped.spec, 12, 5);
    const std::vector<Index> chunks = {5, 1, 3};
    const DecoderArithmetic arithmetic{two_pass_profile(24), 0};
    const auto honest = make_plain_decoder<float>(shaped.spec, shaped.parameters);
    const Driven run = driven(*honest, tokens, chunks);
    const auto faulty = make_plain_decoder<float>(shaped.spec, shaped.parameters,
                                                  std::make_shared<RestartedTable>());
    const Driven wrong = driven(*faulty, tokens, chunks);
    const DecoderTruth truth = decoder_truth(shaped.spec, shaped.parameters, row_of(tokens));
    const AdjointBound bound(shaped.spec, shaped.parameters, arithmetic, truth);
    Looseness result;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        const std::vector<Answer> right =
            answers_of(truth.high[t].logits, truth.low[t].logits, bound.logits(t));
        for (std::size_t v = 0; v < right.size(); ++v) {
            const Deviation deviation = deviation_of(run.logits[t][v], right[v], 24);
            result.bounds.push_back(right[v].bound);
            result.errors.push_back(deviation.error);
            result.ratio = std::max(result.ratio, deviation.ratio);
            result.fault =
                std::max(result.fault, deviation_of(wrong.logits[t][v], right[v], 24).ratio);
        }
    }
    result.tap_ratio =
        check_taps(shaped.spec, shaped.parameters, arithmetic, row_of(tokens), run.taps)
            .worst.ratio;
    return result;
}

TEST(DecoderDepth, TheBoundOfLogitsStaysUseful) {
    fmt::print(
        "| layers | bound, median | error, median / largest | error / bound, largest | "
        "bound / largest error | taps, largest | positions restarted |\n");
    for (const Index layers : {1, 2, 4, 8}) {
        const Shaped shaped = small_decoders(layers, 11)[0];
        const Looseness found = looseness(shaped);
        const double largest = *std::max_element(found.errors.begin(), found.errors.end());
        fmt::print("| {} | {:.1e} | {:.1e} / {:.1e} | {:.1e} | {:.0f} | {:.2f} | {:.0e} |\n",
                   layers, median(found.bounds), median(found.errors), largest, found.ratio,
                   median(found.bounds) / largest, found.tap_ratio, found.fault);
        EXPECT_GT(found.ratio, 0);
        EXPECT_LE(found.ratio, 1);
        EXPECT_GT(found.tap_ratio, 0);
        EXPECT_LE(found.tap_ratio, 1);
        EXPECT_GT(found.fault, 100);
    }
}

}  // namespace
}  // namespace kvcheck
