// SPDX-License-Identifier: Apache-2.0
// Arrays, claims and capabilities as text: every number comes back with its bits, and what does not
// fit is refused with its path.
#include "impl/protocol/wire.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "model/types/ieee.hpp"
#include "tests/model/refusal.hpp"

namespace kvcheck {
namespace {

using testing::ElementsAre;

template <class Scalar>
constexpr ElementType element_of = sizeof(Scalar) == 4 ? ElementType::f32 : ElementType::f64;

template <class Scalar>
OutputView view_of(std::vector<Scalar>& numbers, const Shape& shape, std::array<Index, 4> stride) {
    return {reinterpret_cast<std::byte*>(numbers.data()), element_of<Scalar>, shape, stride};
}

template <class Scalar>
InputView input_view(const std::vector<Scalar>& numbers, const Shape& shape,
                     std::array<Index, 4> stride) {
    return {reinterpret_cast<const std::byte*>(numbers.data()), element_of<Scalar>, shape, stride};
}

/// Reads text into three numbers that were 7.
std::vector<float> read_three(const std::string& text) {
    std::vector<float> numbers(3, 7);
    const Json json = Json::parse(text);
    read_wire({json, "answer"}, view_of(numbers, {3}, {1}));
    return numbers;
}

template <class Scalar>
class Wire : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Wire, Scalars);

TYPED_TEST(Wire, EverySpecialNumberComesBackWithItsBits) {
    using Limits = std::numeric_limits<TypeParam>;
    const std::vector<TypeParam> numbers = {0,
                                            TypeParam(-0.0),
                                            Limits::infinity(),
                                            -Limits::infinity(),
                                            Limits::quiet_NaN(),
                                            Limits::denorm_min(),
                                            -Limits::denorm_min(),
                                            Limits::min(),
                                            Limits::max(),
                                            Limits::lowest(),
                                            TypeParam(0.1),
                                            TypeParam(1) + Limits::epsilon(),
                                            TypeParam(1) / 3,
                                            TypeParam(1e15),
                                            TypeParam(123456789),
                                            TypeParam(1e300)};
    const Shape shape = {Index(numbers.size())};
    const std::string text = wire_json(input_view(numbers, shape, {1})).dump();
    std::vector<TypeParam> back(numbers.size(), 7);
    const Json json = Json::parse(text);
    read_wire({json, "a"}, view_of(back, shape, {1}));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        EXPECT_TRUE(same_bits(numbers[i], back[i])) << numbers[i] << " in " << text;
    }
}

TEST(WireNumbers, AFloatIsSpelledSoThatItIsTheSameDouble) {
    const std::vector<float> numbers = {0.1F, -0.0F};
    EXPECT_EQ(wire_json(input_view(numbers, {2}, {1})).dump(), R"([0.10000000149011612,"-0"])");
}

TEST(WireNumbers, WhatJsonHasNoNumberForIsAString) {
    EXPECT_THAT(read_three(R"(["inf", "-inf", "-0"])"),
                ElementsAre(INFINITY, -INFINITY,
                            testing::Truly([](float x) { return x == 0 && std::signbit(x); })));
    EXPECT_TRUE(std::signbit(read_three("[-0.0, 0, 0]")[0])) << "a subject may send it as a number";
    EXPECT_EQ(refusal_of([] { read_three(R"([0, 1, "NaN"])"); }),
              "answer[2]: found \"NaN\", expected a number, or one of \"nan\", \"inf\", \"-inf\", "
              "\"-0\", or null");
    EXPECT_NE(refusal_of([] { read_three("[0, true, 1]"); }), "nothing was refused");
}

TEST(WireNumbers, ADecimalIsRoundedToTheElementType) {
    EXPECT_THAT(read_three("[0.1, 1e300, 16777217]"), ElementsAre(0.1F, INFINITY, 16777216.0F));
}

TEST(WireArrays, NullLeavesAnElementAsItIs) {
    EXPECT_THAT(read_three("[1, null, 3]"), ElementsAre(1, 7, 3));
    EXPECT_THAT(read_three("null"), ElementsAre(7, 7, 7));
    std::vector<float> numbers(4, 7);
    const Json json = Json::parse("[null, [1, null]]");
    read_wire({json, "a"}, view_of(numbers, {2, 2}, {2, 1}));
    EXPECT_THAT(numbers, ElementsAre(7, 7, 1, 7));
}

TEST(WireArrays, AreNestedAsTheirShapeIsWhateverTheirStrides) {
    const std::vector<float> numbers = {0, 1, 2, 3, 4, 5, 6, 7};
    EXPECT_EQ(wire_json(input_view(numbers, {2, 3}, {4, 1})).dump(), "[[0,1,2],[4,5,6]]");
    EXPECT_EQ(wire_json(input_view(numbers, {3, 2}, {1, 4})).dump(), "[[0,4],[1,5],[2,6]]");
    EXPECT_EQ(wire_json(input_view(numbers, {2, 2}, {0, 1})).dump(), "[[0,1],[0,1]]");
    EXPECT_EQ(wire_json(input_view(numbers, {2, 0, 3}, {1, 1, 1})).dump(), "[[],[]]");
    std::vector<float> gapped(6, 7);
    const Json json = Json::parse("[[1,2],[3,4]]");
    read_wire({json, "a"}, view_of(gapped, {2, 2}, {3, 1}));
    EXPECT_THAT(gapped, ElementsAre(1, 2, 7, 3, 4, 7));
}

TEST(WireArrays, AnotherShapeIsRefusedWithItsPath) {
    const auto refusal = [](const std::string& text) {
        std::vector<float> numbers(6);
        const Json json = Json::parse(text);
        return refusal_of([&] { read_wire({json, "output"}, view_of(numbers, {2, 3}, {3, 1})); });
    };
    EXPECT_EQ(refusal("[[1,2,3],[4,5,6]]"), "nothing was refused");
    EXPECT_EQ(refusal("[[1,2,3]]"), "output: found an array of 1, expected an array of 2");
    EXPECT_EQ(refusal("[[1,2,3],[4,5,6],[7,8,9]]"),
              "output: found an array of 3, expected an array of 2");
    EXPECT_EQ(refusal("[[1,2,3],[4,5]]"), "output[1]: found an array of 2, expected an array of 3");
    EXPECT_EQ(refusal("[[1,2,3],4]"), "output[1]: found 4, expected an array");
    EXPECT_EQ(refusal("{}"), "output: found an object with 0 members, expected an array");
    EXPECT_EQ(refusal("[[1,2,3],[4,[5],6]]"),
              "output[1][1]: found an array of 1, expected a number, or one of \"nan\", \"inf\", "
              "\"-inf\", \"-0\", or null");
}

ViewClaim claim_of_text(const std::string& text) {
    const Json json = Json::parse(text);
    return claim_from_wire({json, "views.q"});
}

/// A claim of floats with these extents and strides.
std::string claim(const std::string& shape, const std::string& stride,
                  const std::string& offset = "0", const std::string& element = "f32") {
    return R"({"element":")" + element + R"(","shape":)" + shape + R"(,"stride":)" + stride +
           R"(,"offset":)" + offset + "}";
}

TEST(WireClaims, SayOfAViewWhatItSaysOfItself) {
    alignas(64) std::array<float, 32> memory{};
    const InputView view{
        reinterpret_cast<const std::byte*>(memory.data() + 3), ElementType::f32, {2, 3}, {5, 1}};
    const std::string text = wire_json(claim_of(view)).dump();
    EXPECT_EQ(text, claim("[2,3]", "[5,1]", "3"));
    const ViewClaim back = claim_of_text(text);
    EXPECT_EQ(back.type, ElementType::f32);
    EXPECT_EQ(back.shape, (Shape{2, 3}));
    EXPECT_EQ(back.placement, (Placement{{5, 1}, 3}));
    EXPECT_EQ(claim_of_text(claim("[]", "[]", "0", "f64")).type, ElementType::f64);
}

TEST(WireClaims, BeyondWhatAnyCallTakesAreRefused) {
    const std::string less = "views.q: found an object with 4 members, expected less memory";
    EXPECT_EQ(refusal_of([] { claim_of_text(claim("[268435454]", "[1]")); }),
              "nothing was refused");
    const std::vector<std::pair<std::string, std::string>> table = {
        {"[268435455]", "[1]"},
        {"[268435456]", "[268435456]"},
        {"[2,2]", "[134217728,1]"},
        {"[65536,65536]", "[65536,1]"},
        {"[1,1,1,1]", "[268435456,268435456,268435456,268435456]"},
        {"[89478485,89478485,89478485]", "[1,1,1]"}};
    for (const auto& row : table) {
        const std::string text = claim(row.first, row.second);
        EXPECT_EQ(refusal_of([&] { claim_of_text(text); }), less) << text;
    }
    EXPECT_EQ(refusal_of([] { claim_of_text(claim("[268435457]", "[0]")); }),
              "views.q.shape[0]: found 268435457, expected an integer from 0 to 268435456");
}

TEST(WireClaims, OfMoreElementsThanAnyCallHasAreRefusedAlsoWhereTheyShareTheirMemory) {
    const std::string fewer = "views.q: found an object with 4 members, expected fewer elements";
    EXPECT_EQ(refusal_of([] { claim_of_text(claim("[16384,16384]", "[0,0]")); }),
              "nothing was refused");
    EXPECT_EQ(refusal_of([] { claim_of_text(claim("[16384,16385]", "[0,0]")); }), fewer);
    EXPECT_EQ(refusal_of([] {
                  claim_of_text(claim("[268435456,268435456,268435456,268435456]", "[0,0,0,0]"));
              }),
              fewer);
    EXPECT_EQ(refusal_of([] { claim_of_text(claim("[268435456,268435456,0]", "[0,0,1]")); }), fewer)
        << "an extent of zero hides none";
}

TEST(WireClaims, ThatMakeNoSenseAreRefusedWithTheirPath) {
    const std::string ranks =
        "views.q: found an object with 4 members, expected at most four extents and as many "
        "strides";
    const std::vector<std::pair<std::string, std::string>> table = {
        {claim("[1,1,1,1,1]", "[1,1,1,1,1]"), ranks},
        {claim("[1,1]", "[1]"), ranks},
        {claim("[1]", "[1]", "16"), "views.q.offset: found 16, expected an integer from 0 to 15"},
        {claim("[1]", "[1]", "-1"), "views.q.offset: found -1, expected an integer from 0 to 15"},
        {claim("[-1]", "[1]"),
         "views.q.shape[0]: found -1, expected an integer from 0 to 268435456"},
        {claim("[1]", "[-1]"),
         "views.q.stride[0]: found -1, expected an integer from 0 to 268435456"},
        {claim("[1]", "[1]", "0", "f16"),
         "views.q.element: found \"f16\", expected \"f32\" or \"f64\""}};
    for (const auto& row : table) {
        EXPECT_EQ(refusal_of([&] { claim_of_text(row.first); }), row.second) << row.first;
    }
}

Capabilities capabilities_of(const std::string& text) {
    const Json json = Json::parse(text);
    return capabilities_from_wire({json, "hello"});
}

TEST(WireCapabilities, ComeBackAsTheyWere) {
    Capabilities said;
    said.name = "mine";
    said.version = "7";
    said.features = {Feature::attention, Feature::weights};
    said.element = ElementType::f64;
    said.profile = profile_of_digits(53);
    said.profile.exp_ulps = 1.5;
    said.profile.flush_to_zero = true;
    said.profile.merge_levels = 3;
    for (const Manners manners :
         {Manners{}, Manners{.has_memory = true}, Manners{.takes_frames = true}}) {
        const Json json = Json::parse(wire_json(said, manners).dump());
        const Capabilities back = capabilities_from_wire({json, "hello"});
        EXPECT_EQ(back.name, said.name);
        EXPECT_EQ(back.version, said.version);
        EXPECT_EQ(back.features, said.features);
        EXPECT_EQ(back.element, said.element);
        EXPECT_EQ(back.profile, said.profile);
        EXPECT_EQ(manners_from_wire({json, "hello"}), manners);
    }
}

TEST(WireCapabilities, FramesOfALaterVersionAreNotAskedFor) {
    const auto takes_frames = [](const std::string& text) {
        const Json json = Json::parse(text);
        return manners_from_wire({json, "hello"}).takes_frames;
    };
    EXPECT_TRUE(takes_frames(R"({"frames":1})"));
    EXPECT_FALSE(takes_frames(R"({"frames":2})"));
    EXPECT_FALSE(takes_frames("{}"));
    EXPECT_EQ(refusal_of([&] { takes_frames(R"({"frames":true})"); }),
              "hello.frames: found true, expected an integer from 1 to 9223372036854775807");
}

TEST(WireCapabilities, WhatIsLeftOutHasItsDefault) {
    const Capabilities back = capabilities_of(R"({"protocol":1,"name":"a","features":[]})");
    EXPECT_EQ(back.element, ElementType::f32);
    EXPECT_EQ(back.profile, NumericProfile{});
    EXPECT_EQ(back.features, FeatureSet{Feature::validates});
    EXPECT_EQ(capabilities_of(R"({"protocol":1,"name":"a","features":[],"element":"f64"})")
                  .profile.digits,
              53)
        << "the digits follow from the element type";
}

TEST(WireCapabilities, OfAnotherProtocolOrWithUnknownWordsAreRefused) {
    const auto refusal = [](const std::string& members) {
        return refusal_of([&] { capabilities_of("{" + members + "}"); });
    };
    EXPECT_EQ(refusal(R"("protocol":2,"name":"a","features":[])"),
              "hello.protocol: found 2, expected 1, the protocol that this program speaks");
    EXPECT_EQ(refusal(R"("protocol":1,"name":"a","features":["flight"])"),
              "hello.features[0]: found \"flight\", expected a feature that `kvcheck list` shows");
    EXPECT_EQ(refusal(R"("protocol":1,"features":[])"),
              "hello: found an object with 2 members, expected an object with the member \"name\"");
    EXPECT_EQ(refusal(R"("protocol":1,"name":"a","features":[],"profile":{"exp_ulps":-1})")
                  .rfind("hello.profile.exp_ulps: found -1", 0),
              0U);
    EXPECT_THAT(refusal(R"("protocol":1,"name":"a","features":[],"feature":[])"),
                testing::StartsWith("hello: found the member \"feature\", expected only"));
    EXPECT_THAT(refusal(R"("protocol":1,"name":"a","features":[],"profile":{"exp_ulp":1})"),
                testing::StartsWith("hello.profile: found the member \"exp_ulp\", expected only"));
}

}  // namespace
}  // namespace kvcheck
