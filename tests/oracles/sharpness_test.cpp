// SPDX-License-Identifier: Apache-2.0
// Which small faults of arithmetic the bound shows, by length and by what is declared: the table of
// docs/error_bound.md. A fault shows where error / bound exceeds one; a tighter declaration must
// never hide what a looser one shows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "properties/generators/draw.hpp"
#include "tests/oracles/row_truth.hpp"
#include "tests/share.hpp"

namespace kvcheck {
namespace {

constexpr Index width = 64;

enum class Fault { none, last_weight, tf32_inputs, rough_exp, bf16_weights };

/// Rounds to the nearest float with `bits` bits of significand.
float narrowed(float x, int bits) {
    int exponent = 0;
    const float fraction = std::frexp(x, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

float input_of(float x, Fault fault) { return fault == Fault::tf32_inputs ? narrowed(x, 11) : x; }

/// Within 1e-5, too large and too small by turns of the argument's bits.
float rough_exp(float x) {
    const float error = std::popcount(std::bit_cast<std::uint32_t>(x)) % 2 == 0 ? 1e-5F : -1e-5F;
    return std::exp(x) * (1 + error);
}

using Vectors = std::vector<std::vector<float>>;

/// The last query's softmax(q.k / sqrt(width)) v in float, two passes, with a fault.
std::vector<float> attend(const std::vector<float>& query, const Vectors& keys,
                          const Vectors& values, Fault fault) {
    std::vector<float> weights;
    float largest = -std::numeric_limits<float>::infinity();
    for (const std::vector<float>& key : keys) {
        float score = 0;
        for (std::size_t d = 0; d < key.size(); ++d) {
            score += input_of(query[d], fault) * input_of(key[d], fault);
        }
        weights.push_back(score / std::sqrt(float(width)));
        largest = std::max(largest, weights.back());
    }
    float sum = 0;
    for (float& weight : weights) {
        const float exponent = weight - largest;
        weight = fault == Fault::rough_exp ? rough_exp(exponent) : std::exp(exponent);
        sum += weight;
    }
    if (fault == Fault::last_weight) sum -= weights.back();
    std::vector<float> output(values[0].size());
    for (std::size_t j = 0; j < weights.size(); ++j) {
        const float share = weights[j] / sum;
        const float weight = fault == Fault::bf16_weights ? narrowed(share, 8) : share;
        for (std::size_t d = 0; d < output.size(); ++d) output[d] += weight * values[j][d];
    }
    return output;
}

std::vector<float> uniform(Draw& draw, std::size_t count, float most) {
    std::vector<float> numbers(count);
    for (float& x : numbers) x = most * (float(draw.below(2000001) - 1000000) / 1000000);
    return numbers;
}

/// One head of width 64, values of size one, no padding.
struct Row {
    Spec spec;
    Parameters parameters;
    std::vector<Token> tokens;
};

Row row_of(Level level, Index length) {
    Row row;
    row.spec.level = level;
    row.spec.capacity = length;
    row.spec.key_width = row.spec.value_width = width;
    SplitMix stream{std::uint64_t(length)};
    Draw draw(stream);
    if (level == Level::layer) {
        row.spec.model_width = width;
        const float most = std::sqrt(3.0F / width);
        for (Projection* projection : {&row.parameters.query, &row.parameters.key,
                                       &row.parameters.value, &row.parameters.output}) {
            projection->weight = uniform(draw, std::size_t(width * width), most);
        }
    }
    const Index size = level == Level::layer ? width : 3 * width;
    for (Index slot = 0; slot < length; ++slot) {
        row.tokens.push_back({true, uniform(draw, std::size_t(size), 1)});
    }
    return row;
}

std::vector<float> projected(const Projection& projection, const std::vector<float>& x) {
    std::vector<float> y(projection.weight.size() / x.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
        for (std::size_t d = 0; d < x.size(); ++d)
            y[i] += projection.weight[i * x.size() + d] * x[d];
    }
    return y;
}

/// What a subject with this fault answers for the last token.
std::vector<float> answer(const Row& row, Fault fault) {
    std::vector<float> query;
    Vectors keys;
    Vectors values;
    for (const Token& token : row.tokens) {
        const std::vector<float>& in = token.input;
        if (row.spec.level == Level::layer) {
            query = projected(row.parameters.query, in);
            keys.push_back(projected(row.parameters.key, in));
            values.push_back(projected(row.parameters.value, in));
        } else {
            query.assign(in.begin(), in.begin() + width);
            keys.emplace_back(in.begin() + width, in.begin() + 2 * width);
            values.emplace_back(in.begin() + 2 * width, in.end());
        }
    }
    const std::vector<float> output = attend(query, keys, values, fault);
    return row.spec.level == Level::layer ? projected(row.parameters.output, output) : output;
}

double largest_ratio(const Row& row, const NumericProfile& profile, Fault fault) {
    Oracle oracle(row.spec, row.parameters, profile);
    const History history = history_of(row.tokens);
    Truths truths(oracle);
    const TokenTruth& truth = truths.of(history.last());
    const std::vector<float> seen = answer(row, fault);
    double largest = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        largest = std::max(largest, deviation_of(seen[i], truth.output[i], profile.digits).ratio);
    }
    return largest;
}

/// From the loosest declaration to the tightest: online with a block of 1, 16 and 64 keys, and the
/// two passes that `attend` makes.
std::vector<NumericProfile> declarations() {
    std::vector<NumericProfile> list(4);
    list[1].rescale_block = 16;
    list[2].rescale_block = 64;
    list[3] = two_pass_profile(24);
    return list;
}

struct Line {
    Fault fault;
    Level level;
    const char* name;
};
const Line lines[] = {
    {Fault::none, Level::attention, "none"},
    {Fault::last_weight, Level::attention, "last weight missing from the sum"},
    {Fault::tf32_inputs, Level::attention, "q and k with 11 bits (tf32)"},
    {Fault::rough_exp, Level::attention, "exp off by 1e-5"},
    {Fault::bf16_weights, Level::attention, "weights with 8 bits (bf16)"},
    {Fault::none, Level::layer, "none, layer"},
    {Fault::bf16_weights, Level::layer, "weights with 8 bits, layer without exports"},
};

TEST(Sharpness, GrowsWithWhatIsDeclared) {
    for (const Line& line : lines) {
        for (const Index length : {16, 128, 512}) {
            if (length > share_of(512, 128)) continue;
            const Row row = row_of(line.level, length);
            std::string text = fmt::format("| {} | {} |", line.name, length);
            double before = 0;
            std::vector<double> ratios;
            for (const NumericProfile& profile : declarations()) {
                const double ratio = largest_ratio(row, profile, line.fault);
                text += fmt::format(" {:.2g} |", ratio);
                EXPECT_GE(ratio, before) << line.name << ", " << length;
                if (line.fault == Fault::none) {
                    EXPECT_LE(ratio, 1) << length;
                }
                before = ratio;
                ratios.push_back(ratio);
            }
            EXPECT_GT(ratios.back(), ratios.front()) << line.name << ", " << length;
            fmt::print("{}\n", text);
        }
    }
}

TEST(Sharpness, OfADeclaredTextbookShowsTheFaultsOfAShortRow) {
    for (const Line& line : lines) {
        // The error that the exp may make is below what 64 products of a score may.
        if (line.fault == Fault::none || line.fault == Fault::rough_exp) continue;
        EXPECT_GT(largest_ratio(row_of(line.level, 16), declarations().back(), line.fault), 1)
            << line.name;
    }
}

}  // namespace
}  // namespace kvcheck
