// SPDX-License-Identifier: Apache-2.0
// Narrow storage as the oracles round to it: against the slow definition, worked by hand, and
// against rounding before the oracle sees the numbers.
#include "oracles/storage.hpp"

#include <gtest/gtest.h>

#include "oracles/matrix_form.hpp"
#include "oracles/number.hpp"
#include "oracles/truth.hpp"
#include "tests/narrow_numbers.hpp"
#include "tests/oracles/row_truth.hpp"

namespace kvcheck {
namespace {

TEST(StoredNumbers, AreTheNearestOfAllPatterns) {
    for (const Storage storage : {Storage::bf16, Storage::fp16}) {
        expect_nearest_of_all_patterns(storage,
                                       [&](float x) { return nearest_stored(storage, double(x)); });
    }
}

TEST(StoredNumbers, OfFiftyDigitsAreNotRoundedTwice) {
    // Above the middle by less than a double can say.
    const Number above = Number(1) + Number(0x1p-8) + ldexp(Number(1), -100);
    EXPECT_EQ(nearest_stored(Storage::bf16, above), Number(0x1.02p0));
    EXPECT_EQ(nearest_stored(Storage::bf16, Number(0x1.01p0)), Number(1));
    const Number below = Number(-0x1.006p0) + ldexp(Number(1), -100);
    EXPECT_EQ(nearest_stored(Storage::fp16, below), Number(-0x1.004p0));
    EXPECT_EQ(nearest_stored(Storage::fp16, Number(-0x1.006p0)), Number(-0x1.008p0));
}

Spec narrow_spec(Storage storage) {
    Spec spec;
    spec.storage = storage;
    spec.capacity = 2;
    return spec;
}

/// One head of width one; q, k and v of each token.
std::vector<Token> row_of(const std::vector<std::vector<float>>& inputs) {
    std::vector<Token> tokens;
    for (const auto& input : inputs) tokens.push_back({true, input});
    return tokens;
}

TEST(Storage, GivesTheHandWorkedOutputs) {
    // docs/contract.md, clause 13: two equal scores, values 1.00390625 = 1 + 2^-8 and 3.
    struct Row {
        Storage storage;
        double stored;
    };
    for (const Row& row : {Row{Storage::element, 1.00390625}, Row{Storage::bf16, 1},
                           Row{Storage::fp16, 1.00390625}}) {
        const Spec spec = narrow_spec(row.storage);
        const std::vector<Token> tokens = row_of({{0, 1, 1.00390625F}, {0, 1, 3}});
        Oracle oracle(spec, {}, {});
        const auto truth = row_truth(oracle, tokens);
        EXPECT_EQ(truth[0].output[0].hi, row.stored);
        EXPECT_EQ(truth[1].output[0].hi, (row.stored + 3) / 2);
        const auto matrix = matrix_form(spec, {}, tokens);
        EXPECT_EQ(matrix[1][0].hi, (row.stored + 3) / 2);
    }
}

TEST(Storage, LeavesQueriesAsTheyAre) {
    // The score is 1.00390625 * 1 where only the key is rounded.
    Spec spec = narrow_spec(Storage::bf16);
    const std::vector<Token> tokens = row_of({{1.00390625F, 1.00390625F, 0}, {1.00390625F, 0, 1}});
    Oracle oracle(spec, {}, {});
    const double weight = 1 / (1 + std::exp(1.00390625));
    EXPECT_DOUBLE_EQ(row_truth(oracle, tokens)[1].output[0].hi, weight);
    EXPECT_DOUBLE_EQ(matrix_form(spec, {}, tokens)[1][0].hi, weight);
}

/// A layer of width one whose key and value are x times a third, a number that is uncertain in the
/// last digit of a float.
struct ThirdLayer {
    Spec spec;
    Parameters parameters;

    explicit ThirdLayer(Storage storage) : spec(narrow_spec(storage)) {
        spec.level = Level::layer;
        spec.model_width = 1;
        const float third = 0x1.555556p-2F;
        parameters.query.weight = parameters.output.weight = {1};
        parameters.key.weight = parameters.value.weight = {third};
    }
};

TEST(Storage, OfAProjectionIsMostlyOneNumberWithoutARadius) {
    const ThirdLayer layer(Storage::bf16);
    Oracle oracle(layer.spec, layer.parameters, {});
    Truths truths(oracle);
    const History history = History().with({true, {1}});
    const StoredTruth& stored = truths.stored(history.last());
    EXPECT_EQ(stored.value[0].hi, 0x1.56p-2);
    EXPECT_EQ(stored.value[0].bound, 0);
}

TEST(Storage, OfAProjectionNearATieMayBeEitherNeighbour) {
    // x times a third is 1 + 2^-8 within the radius: 1 and 1 + 2^-7 are both right, and nothing
    // between or beyond them.
    const ThirdLayer layer(Storage::bf16);
    Oracle oracle(layer.spec, layer.parameters, {});
    Truths truths(oracle);
    const auto x = float(1.00390625 / double(layer.parameters.value.weight[0]));
    const History history = History().with({true, {x}});
    const StoredTruth& stored = truths.stored(history.last());
    const auto is_right = [&](double seen) {
        return deviation_of(seen, stored.answer_of_value(0, seen), 24).within();
    };
    EXPECT_TRUE(is_right(1));
    EXPECT_TRUE(is_right(0x1.02p0));
    EXPECT_FALSE(is_right(0x1.01p0));
    EXPECT_FALSE(is_right(0x1.04p0));
    EXPECT_FALSE(is_right(0x1.fep-1));
}

/// One token whose value has four elements: the scale is 1/32, and the second element is halfway
/// between two integers of it.
struct FourElements {
    Spec spec = narrow_spec(Storage::int8);
    History history;

    FourElements() {
        spec.value_width = 4;
        history = History().with({true, {0, 1, 127.0F / 32, 2.5F / 32, -1.0F, 0.05F}});
    }
};

TEST(Int8, GivesTheHandWorkedNumbers) {
    // 127, 2.5, -32 and 1.6 times the scale; the tie is even.
    const FourElements four;
    Oracle oracle(four.spec, {}, {});
    Truths truths(oracle);
    const StoredTruth& stored = truths.stored(four.history.last());
    const double right[] = {127.0 / 32, 2.0 / 32, -1, 2.0 / 32};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(stored.value[i].hi, right[i]) << i;
    const auto matrix = matrix_form(four.spec, {}, {four.history.last()->token});
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(matrix[0][i].hi, right[i]) << i;
}

TEST(Int8, MayBeShownWithEitherIntegerAtATieAndAScaleOfTwoUnits) {
    const FourElements four;
    Oracle oracle(four.spec, {}, {});
    Truths truths(oracle);
    const StoredTruth& stored = truths.stored(four.history.last());
    const auto is_right = [&](std::size_t i, double seen) {
        return deviation_of(seen, stored.answer_of_value(i, seen), 24).within();
    };
    EXPECT_TRUE(is_right(1, 2.0 / 32));
    EXPECT_TRUE(is_right(1, 3.0 / 32));
    EXPECT_FALSE(is_right(1, 2.5 / 32));
    EXPECT_FALSE(is_right(1, 4.0 / 32));
    EXPECT_FALSE(is_right(3, 1.0 / 32));
    constexpr double u = 0x1p-24;
    EXPECT_TRUE(is_right(0, 127.0 / 32 * (1 + 2.9 * u)));
    EXPECT_FALSE(is_right(0, 127.0 / 32 * (1 + 3.1 * u)));
    EXPECT_FALSE(is_right(0, 126.0 / 32));
}

TEST(Int8, OfZerosIsZero) {
    Spec spec = narrow_spec(Storage::int8);
    Oracle oracle(spec, {}, {});
    Truths truths(oracle);
    const History history = History().with({true, {0, 0, 0}});
    const StoredTruth& stored = truths.stored(history.last());
    EXPECT_EQ(stored.value[0].hi, 0);
    EXPECT_EQ(stored.answer_of_value(0, 1e-30).bound, 0);
}

TEST(Int8, OfNumbersWhoseScaleIsNoNormalOneIsNearlyAnything) {
    Spec spec = narrow_spec(Storage::int8);
    Oracle oracle(spec, {}, {});
    Truths truths(oracle);
    const History history = History().with({true, {0, 0, 0x1p-130F}});
    const StoredTruth& stored = truths.stored(history.last());
    const auto is_right = [&](double seen) {
        return deviation_of(seen, stored.answer_of_value(0, seen), 24).within();
    };
    EXPECT_TRUE(is_right(0));
    EXPECT_TRUE(is_right(0x1p-126));
    EXPECT_FALSE(is_right(0x1p-117));
}

}  // namespace
}  // namespace kvcheck
