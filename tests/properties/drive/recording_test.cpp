// SPDX-License-Identifier: Apache-2.0
// What a drive writes down, and when: observations with the history that each was computed on,
// exports before anything is forgotten, numbers where they are asked for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/drive/drive.hpp"
#include "tests/model/build.hpp"
#include "tests/properties/tampered.hpp"

namespace kvcheck {
namespace {

using testing::ElementsAre;

/// Two rows, one of which is reset between two calls.
Case with_reset() {
    return tiny_case(2, {tiny_append({"RP", "R"}, 1), Reset{0}, tiny_append({"R", "R"}, 4)});
}

/// "2.0: 3": after two commands row 0 showed three slots.
std::vector<std::string> exports_of(const kvcheck::Run& run) {
    std::vector<std::string> exports;
    for (const auto& row : run.exports) {
        exports.push_back(std::to_string(row.commands) + "." + std::to_string(row.row) + ": " +
                          std::to_string(row.stored.key.size()));
    }
    return exports;
}

TEST(Recording, ExportsComeBeforeACommandThatForgetsAndAtTheEnd) {
    const auto subject = tampered({});
    const kvcheck::Run run = drive(*subject, with_reset());
    EXPECT_THAT(exports_of(run), ElementsAre("1.0: 2", "1.1: 1", "3.0: 1", "3.1: 2"));
    // A value is its token's number.
    EXPECT_THAT(run.exports[0].stored.value[0], ElementsAre(1));
    EXPECT_THAT(run.exports[2].stored.value[0], ElementsAre(4));
    EXPECT_THAT(run.exports[3].stored.value, ElementsAre(ElementsAre(3), ElementsAre(5)));
    EXPECT_EQ(run.exports[0].stored.history.length(), 2) << "as it was then";
}

TEST(Recording, ExportsComeAfterEveryCommandWhereThatIsAskedFor) {
    const auto subject = tampered({});
    DriveOptions options;
    options.export_every_step = true;
    const kvcheck::Run run = drive(*subject, with_reset(), options);
    EXPECT_THAT(exports_of(run),
                ElementsAre("1.0: 2", "1.1: 1", "2.0: 0", "2.1: 1", "3.0: 1", "3.1: 2"));
}

TEST(Recording, ASubjectWithoutExportsIsNotAskedForThem) {
    Tamper tamper;
    tamper.capabilities = [](Capabilities& all) { all.features.remove(Feature::kv_export); };
    tamper.export_kv = [](Session&, Index, const OutputView&, const OutputView&) {
        return Status::died("it was asked");
    };
    const kvcheck::Run run = drive(*tampered(tamper), with_reset());
    EXPECT_FALSE(run.trouble);
    EXPECT_TRUE(run.exports.empty());
}

TEST(Recording, NumbersAreThoseAfterEachCommandWhereTheyAreAskedFor) {
    const auto subject = tampered({});
    EXPECT_TRUE(drive(*subject, with_reset()).numbers.empty());
    DriveOptions options;
    options.numbers_every_step = true;
    std::vector<std::vector<Index>> lengths;
    for (const auto& rows : drive(*subject, with_reset(), options).numbers) {
        lengths.push_back({*rows[0].length, *rows[1].length});
    }
    EXPECT_THAT(lengths, ElementsAre(ElementsAre(2, 1), ElementsAre(0, 1), ElementsAre(1, 2)));
}

TEST(Recording, EachOutputKeepsTheHistoryItWasComputedOn) {
    const auto subject = tampered({});
    const kvcheck::Run run = drive(*subject, with_reset());
    std::vector<std::vector<Index>> seen;  // command, row, slot, real tokens up to it
    for (const Observation& one : run.observations) {
        seen.push_back({one.command, one.row, one.slot(), one.history.real_count()});
    }
    EXPECT_THAT(
        seen, ElementsAre(ElementsAre(0, 0, 0, 1), ElementsAre(0, 0, 1, 1), ElementsAre(0, 1, 0, 1),
                          ElementsAre(2, 0, 0, 1), ElementsAre(2, 1, 1, 2)));
    EXPECT_TRUE(run.observations[1].history.continues(run.observations[0].history));
    EXPECT_TRUE(run.observations[4].history.continues(run.observations[2].history));
    EXPECT_FALSE(run.observations[3].history.continues(run.observations[0].history));
}

TEST(Recording, TheFirstTroubleEndsIt) {
    Tamper tamper;
    tamper.lifecycle = [](Session&, const Lifecycle&) { return Status::timed_out("it slept"); };
    const kvcheck::Run run = drive(*tampered(tamper), with_reset());
    ASSERT_TRUE(run.trouble);
    EXPECT_EQ(run.trouble->kind, Verdict::Kind::timed_out);
    EXPECT_EQ(run.trouble->words, "reset: it slept");
    EXPECT_EQ(run.observations.size(), 3U) << "of the first call";
    EXPECT_THAT(exports_of(run), ElementsAre("1.0: 2", "1.1: 1")) << "what was stored before";
}

/// Knows appends and nothing else of the interface.
class AppendsOnly final : public Subject {
public:
    AppendsOnly() { capabilities_.features = {Feature::attention}; }
    const Capabilities& capabilities() const override { return capabilities_; }
    Opened open(const Spec&, const Parameters&) override {
        return {Status::done(), std::make_unique<OneSession>()};
    }

private:
    class OneSession final : public Session {
        Status append(const AppendCall&) override { return Status::done(); }
        Status numbers(std::span<RowNumbers>) override { return Status::done(); }
    };
    Capabilities capabilities_;
};

TEST(Recording, ALifecycleCommandThatASubjectDoesNotTakeIsRefused) {
    AppendsOnly subject;
    for (const Reset& reset : {Reset{}, Reset{0}}) {
        const kvcheck::Run run = drive(subject, tiny_case(1, {tiny_append({"R"}), reset}));
        ASSERT_TRUE(run.trouble);
        EXPECT_EQ(run.trouble->kind, Verdict::Kind::failed);
        EXPECT_EQ(run.trouble->diagnosis, "refusal");
        EXPECT_EQ(run.trouble->words,
                  "reset was refused although the contract admits it: this subject does not take "
                  "the command reset");
    }
}

TEST(Recording, WhatASubjectLeavesOutIsRefusedInWords) {
    AppendsOnly subject;
    const Opened opened = subject.open({}, {});
    const OutputView none;
    EXPECT_EQ(opened.session->export_kv(0, none, none).message,
              "this subject does not show its stored keys and values");
    EXPECT_EQ(opened.session->poison_unused(1).message,
              "this subject cannot overwrite its unused memory");
    EXPECT_EQ(opened.session->poison_unused(1).kind, Status::Kind::refused);
    EXPECT_EQ(opened.session->memory_fault(), "");
}

TEST(Recording, AWriteBesideAnExportIsAMemoryFault) {
    Tamper tamper;
    tamper.export_kv = [](Session& inner, Index row, const OutputView& key,
                          const OutputView& value) {
        const Status status = inner.export_kv(row, key, value);
        if (row == 1) reinterpret_cast<float*>(value.data)[value.shape.size()] = 1;
        return status;
    };
    EXPECT_EQ(drive(*tampered(tamper), with_reset()).memory_fault,
              "export_kv wrote outside the arrays it was given");
    EXPECT_EQ(drive(*tampered({}), with_reset()).memory_fault, "");
}

}  // namespace
}  // namespace kvcheck
