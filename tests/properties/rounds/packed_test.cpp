// SPDX-License-Identifier: Apache-2.0
// What one process packs another one unpacks, to the last field of a finding.
#include <gtest/gtest.h>

#include "model/case_file.hpp"
#include "oracles/row_table.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/rounds/packed.hpp"
#include "tests/properties/faults.hpp"

namespace kvcheck {
namespace {

/// A result with a counterexample of a fault that shows in an output or a weight.
JobResult result_of(const Fault& fault) {
    const auto subject = tampered(fault.make());
    JobResult result;
    result.number = 7;
    result.place = 3;
    result.worlds = 11;
    result.places = 12;
    result.replayed = 2;
    result.property = fault.property;
    result.from_file = "a file";
    result.trouble = "some trouble";
    result.disk_trouble = "the disk";
    result.seconds = 0.25;
    SearchOptions options;
    options.seed = 7;
    result.search = search(*property_named(fault.property), *subject, Level::attention, options);
    return result;
}

TEST(Packed, AResultComesBackWhole) {
    int with_a_row = 0;
    for (const Fault& fault : faults()) {
        SCOPED_TRACE(fault.name);
        const JobResult sent = result_of(fault);
        const std::string bytes = packed(sent);
        const JobResult got = unpacked_result(bytes);
        EXPECT_EQ(packed(got), bytes);
        ASSERT_TRUE(got.search.counterexample);
        const Counterexample& before = *sent.search.counterexample;
        const Counterexample& after = *got.search.counterexample;
        EXPECT_EQ(after.test_case, before.test_case);
        EXPECT_EQ(sentence_of(after.verdict), sentence_of(before.verdict));
        EXPECT_EQ(after.found_at, before.found_at);
        EXPECT_EQ(got.search.stream_hash, sent.search.stream_hash);
        EXPECT_EQ(got.search.coverage.features, sent.search.coverage.features);
        EXPECT_EQ(got.number, 7);
        EXPECT_EQ(got.place, 3);
        EXPECT_EQ(got.disk_trouble, "the disk");
        if (before.verdict.row == nullptr) continue;
        ++with_a_row;
        ASSERT_NE(after.verdict.row, nullptr);
        EXPECT_EQ(after.verdict.row->keys.size(), before.verdict.row->keys.size());
        EXPECT_EQ(after.verdict.row->heads.size(), before.verdict.row->heads.size());
    }
    EXPECT_GT(with_a_row, 0);
}

TEST(Packed, AJobComesBackWhole) {
    Job job;
    job.kind = Job::Kind::shrink;
    job.number = -1;
    job.part = 4;
    job.found = Unshrunk{"rows_normalise", *result_of(faults().front()).search.counterexample};
    const Job got = unpacked_job(packed(job));
    EXPECT_EQ(got.kind, job.kind);
    EXPECT_EQ(got.part, 4U);
    ASSERT_TRUE(got.found);
    EXPECT_EQ(got.found->property, "rows_normalise");
    EXPECT_EQ(got.found->counterexample.test_case, job.found->counterexample.test_case);
}

}  // namespace
}  // namespace kvcheck
