// SPDX-License-Identifier: Apache-2.0
// The format of saved states: what is written reads back, what differs in anything is refused in
// words, and a reader of a state that lies stays within it.
#include "impl/saved_state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/types/arrays.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;

constexpr StateLabel label = {7, 9};

std::vector<std::byte> some_state() {
    StateWriter writer;
    writer.number(3);
    writer.flags({true, false, true});
    return writer.sealed(label);
}

std::string objection_to(const std::vector<std::byte>& state, const StateLabel& to = label) {
    return StateReader(state, to).objection();
}

TEST(SavedState, WhatIsWrittenReadsBack) {
    const std::vector<std::byte> state = some_state();
    StateReader reader(state, label);
    EXPECT_EQ(reader.number(0, 8), 3);
    EXPECT_EQ(reader.flags(3), (std::vector<bool>{true, false, true}));
    reader.end();
    EXPECT_EQ(reader.objection(), "");
}

TEST(SavedState, AStateOfSomethingElseIsRefused) {
    EXPECT_EQ(objection_to(some_state(), {8, 9}), "another subject saved this state");
    EXPECT_EQ(objection_to(some_state(), {7, 8}),
              "the state belongs to another spec or to other parameters");
    std::vector<std::byte> state = some_state();
    state[0] = std::byte{'x'};
    EXPECT_EQ(objection_to(state), "this is no saved state");
}

TEST(SavedState, AnOlderFormatIsNamed) {
    std::vector<std::byte> state = some_state();
    state[7] = std::byte{0};
    EXPECT_EQ(objection_to(state), "the state has format 0, and 1 is read");
}

TEST(SavedState, IsRefusedAtEveryOtherLength) {
    const std::vector<std::byte> state = some_state();
    for (std::size_t size = 0; size < 2 * state.size(); ++size) {
        if (size == state.size()) continue;
        std::vector<std::byte> other = state;
        other.resize(size);
        EXPECT_NE(objection_to(other), "") << size;
    }
}

TEST(SavedState, IsRefusedWithAnyBitFlipped) {
    const std::vector<std::byte> state = some_state();
    for (std::size_t bit = 0; bit < 8 * state.size(); ++bit) {
        std::vector<std::byte> other = state;
        other[bit / 8] ^= std::byte(1U << bit % 8);
        EXPECT_NE(objection_to(other), "") << bit;
    }
}

TEST(SavedState, AReaderStaysWithinABodyThatLies) {
    StateWriter writer;
    writer.number(1000);
    const std::vector<std::byte> state = writer.sealed(label);
    StateReader too_large(state, label);
    EXPECT_EQ(too_large.number(0, 8), 0);
    EXPECT_EQ(too_large.objection(), "the state holds 1000 where 0 to 8 may stand");
    StateReader too_short(state, label);
    const Index count = too_short.number(0, 1000);
    EXPECT_EQ(too_short.flags(count).size(), std::size_t(count));
    EXPECT_EQ(too_short.objection(), "the state ends too early");
    StateReader too_long(state, label);
    too_long.end();
    EXPECT_EQ(too_long.objection(), "the state goes on where it should end");
}

TEST(SavedState, AFlagIsZeroOrOne) {
    StateWriter writer;
    const std::uint8_t flag = 2;
    writer.bytes(&flag, 1);
    const std::vector<std::byte> state = writer.sealed(label);
    StateReader reader(state, label);
    reader.flags(1);
    EXPECT_THAT(reader.objection(), HasSubstr("neither 0 nor 1"));
}

TEST(SavedState, AnotherNumberInAnyArrayOfParametersIsAnotherFingerprint) {
    Spec spec;
    spec.level = Level::layer;
    spec.model_width = 2;
    spec.biases = spec.slopes = spec.sinks = true;
    spec.position_signal = PositionSignal::learned;
    const Parameters parameters = zero_parameters(spec, 4);
    const std::uint64_t own = fingerprint_of(parameters);
    EXPECT_EQ(fingerprint_of(zero_parameters(spec, 4)), own);
    for (const ParameterArray& array : parameter_arrays()) {
        for (std::size_t i = 0; i < array.in(parameters).size(); ++i) {
            for (const float number : {1.0F, -0.0F}) {
                Parameters other = parameters;
                array.in(other)[i] = number;
                EXPECT_NE(fingerprint_of(other), own) << array.path() << " " << i;
            }
        }
    }
}

TEST(SavedState, ALabelIsOfSubjectSpecAndParameters) {
    const auto word = [](const StateLabel& one) { return std::pair(one.subject, one.fingerprint); };
    const Spec spec;
    Spec other = spec;
    other.window = 3;
    EXPECT_EQ(word(label_of("a", spec, 1)), word(label_of("a", spec, 1)));
    EXPECT_NE(word(label_of("a", spec, 1)), word(label_of("b", spec, 1)));
    EXPECT_NE(word(label_of("a", spec, 1)), word(label_of("a", other, 1)));
    EXPECT_NE(word(label_of("a", spec, 1)), word(label_of("a", spec, 2)));
}

}  // namespace
}  // namespace kvcheck
