// SPDX-License-Identifier: Apache-2.0
// A subject that refuses a call and writes beside its arrays all the same: the write is the verdict
// of the properties that make wrong calls.
#include <gtest/gtest.h>

#include "impl/memory/placement.hpp"
#include "properties/catalogue.hpp"
#include "properties/search/search.hpp"
#include "tests/properties/tampered.hpp"

namespace kvcheck {
namespace {

/// One past the last element of the output.
void write_past(const OutputView& output) {
    if (output.shape.size() == 0 || output.type != ElementType::f32) return;
    reinterpret_cast<float*>(output.data)[span_of(output.shape, placement_of(output), 0)] = 1;
}

TEST(RefusedWrites, AreTheVerdictOfThePropertiesThatMakeWrongCalls) {
    Tamper tamper;
    tamper.append = [](Session& inner, const AppendCall& call) {
        const Status status = inner.append(call);
        if (!status.ok()) write_past(call.output);
        return status;
    };
    for (const char* const name : {"wrong_call_is_refused", "wrong_offset_is_refused"}) {
        SCOPED_TRACE(name);
        const auto subject = tampered(tamper);
        SearchOptions options;
        options.seed = 7;
        const SearchResult result =
            search(*property_named(name), *subject, Level::attention, options);
        ASSERT_TRUE(result.counterexample);
        EXPECT_EQ(result.counterexample->verdict.kind, Verdict::Kind::failed);
        EXPECT_EQ(result.counterexample->verdict.diagnosis, "memory");
    }
}

}  // namespace
}  // namespace kvcheck
