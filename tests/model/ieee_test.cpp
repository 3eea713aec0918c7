// SPDX-License-Identifier: Apache-2.0
// Bits, spacing and text of floats, over patterns of every exponent.
#include "model/types/ieee.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "model/types/json.hpp"

namespace kvcheck {
namespace {

constexpr float float_nan = std::numeric_limits<float>::quiet_NaN();
constexpr float float_inf = std::numeric_limits<float>::infinity();

/// Every exponent of both signs, with the mantissas at the ends of its range and some between.
std::vector<float> many_floats() {
    constexpr std::uint32_t mantissa_count = std::uint32_t{1} << 23U;
    constexpr std::uint32_t step = 39916801;  // a prime, so that the mantissas are scattered
    std::vector<std::uint32_t> mantissas = {0, 1, 2, mantissa_count / 2, mantissa_count - 1};
    for (std::uint32_t n = 1; n < 400; ++n) mantissas.push_back(n * step % mantissa_count);
    std::vector<float> floats;
    for (std::uint32_t top = 0; top < 512; ++top) {  // sign and exponent
        for (const std::uint32_t mantissa : mantissas) {
            floats.push_back(std::bit_cast<float>((top << 23U) | mantissa));
        }
    }
    return floats;
}

TEST(Ieee, FloatTextReadsBackAsTheSameFloat) {
    for (const float value : many_floats()) {
        if (!std::isfinite(value)) continue;
        const std::string text = float_text(value);
        float back = float_nan;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), back);
        ASSERT_EQ(error, std::errc()) << text;
        ASSERT_EQ(end, text.data() + text.size()) << text;
        ASSERT_TRUE(same_bits(back, value)) << text;
    }
}

TEST(Ieee, JsonOfAFloatReadsBackAsTheSameFloat) {
    for (const float value : many_floats()) {
        const Json read = Json::parse(to_json(value).dump());
        ASSERT_TRUE(same_bits(JsonPlace(read, "number").number(), value)) << float_text(value);
    }
}

TEST(Ieee, FloatTextIsTheShortestDecimal) {
    EXPECT_EQ(float_text(0.1F), "0.1");
    EXPECT_EQ(float_text(-0.5F), "-0.5");
    EXPECT_EQ(float_text(3), "3");
    EXPECT_EQ(float_text(1.0F / 3), "0.33333334");
    EXPECT_EQ(float_text(FLT_MAX), "3.4028235e+38");
    EXPECT_EQ(float_text(std::numeric_limits<float>::denorm_min()), "1e-45");
}

TEST(Ieee, FloatTextHasWordsForWhatIsNoDecimal) {
    EXPECT_EQ(float_text(0.0F), "0");
    EXPECT_EQ(float_text(-0.0F), "-0");
    EXPECT_EQ(float_text(float_inf), "inf");
    EXPECT_EQ(float_text(-float_inf), "-inf");
    EXPECT_EQ(float_text(float_nan), "nan");
    EXPECT_EQ(float_text(-float_nan), "nan");
    EXPECT_EQ(float_text(std::bit_cast<float>(0x7f800001U)), "nan") << "another payload";
}

TEST(Ieee, SameBitsTellsZerosApartButNotNans) {
    EXPECT_TRUE(same_bits(0.0, 0.0));
    EXPECT_FALSE(same_bits(0.0, -0.0));
    EXPECT_TRUE(same_bits(float_nan, -float_nan));
    EXPECT_TRUE(same_bits(std::bit_cast<double>(0x7ff0000000000001U), float_nan));
    EXPECT_FALSE(same_bits(float_nan, 0.0));
    EXPECT_FALSE(same_bits(0.0, float_nan));
    EXPECT_FALSE(same_bits(1.0, std::nextafter(1.0, 2.0)));
    EXPECT_FALSE(same_bits(float_inf, -float_inf));
}

TEST(Ieee, UlpIsTheDistanceToTheNextFloat) {
    for (const float value : many_floats()) {
        const float next = std::nextafter(std::fabs(value), float_inf);
        if (!std::isfinite(next)) continue;
        ASSERT_EQ(ulp_at(value, 24), double(next) - double(std::fabs(value))) << float_text(value);
    }
    EXPECT_EQ(ulp_at(FLT_MAX, 24), 0x1p104);
}

TEST(Ieee, UlpOfADoubleIsTheDistanceToTheNextDouble) {
    for (const double value : {1.0, 0.1, -3e300, DBL_MIN, DBL_MIN / 4, 0.0, 5e-324}) {
        const double next = std::nextafter(std::fabs(value), HUGE_VAL);
        EXPECT_EQ(ulp_at(value, 53), next - std::fabs(value)) << value;
    }
}

TEST(Ieee, UlpOfWhatIsNotFiniteIsTheSmallestOne) {
    EXPECT_EQ(ulp_at(float_nan, 24), 0x1p-149);
    EXPECT_EQ(ulp_at(-float_inf, 53), 0x1p-1074);
}

TEST(IeeeDeathTest, AnUnknownPrecisionIsOurOwnBug) {
    EXPECT_DEATH(ulp_at(1, 11), "kvcheck has a bug: .* does not hold");
}

}  // namespace
}  // namespace kvcheck
