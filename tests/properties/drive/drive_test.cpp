// SPDX-License-Identifier: Apache-2.0
// What stands between checker and subject: an escaped exception is a death, a refusal of an
// admissible call is a failure, and a death or refusal ends the run of that case, not ours.
#include <gtest/gtest.h>

#include <stdexcept>

#include "properties/catalogue.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/search/search.hpp"
#include "tests/properties/tampered.hpp"

namespace kvcheck {
namespace {

SearchResult searched(const Tamper& tamper) {
    const auto subject = tampered(tamper);
    return search(*property_named("outputs_match_the_oracle"), *subject, Level::attention, {});
}

TEST(Drive, CallsAnEscapedExceptionADeath) {
    Tamper tamper;
    tamper.append = [](Session&, const AppendCall&) -> Status {
        throw std::runtime_error("out of cheese");
    };
    const SearchResult result = searched(tamper);
    ASSERT_TRUE(result.counterexample);
    EXPECT_EQ(result.counterexample->verdict.kind, Verdict::Kind::crashed);
    EXPECT_NE(result.counterexample->verdict.words.find("out of cheese"), std::string::npos);
}

TEST(Drive, CallsTheRefusalOfAnAdmissibleCallAFailure) {
    Tamper tamper;
    tamper.append = [](Session&, const AppendCall&) { return Status::refused("not today"); };
    const SearchResult result = searched(tamper);
    ASSERT_TRUE(result.counterexample);
    EXPECT_EQ(result.counterexample->verdict.diagnosis, "refusal");
}

TEST(Drive, CallsARefusedOpenAFailure) {
    Tamper tamper;
    tamper.open = [](const Spec&) { return Status::refused("no such model"); };
    const SearchResult result = searched(tamper);
    ASSERT_TRUE(result.counterexample);
    EXPECT_EQ(result.counterexample->verdict.diagnosis, "refusal");
}

TEST(Drive, SaysWhichConventionARefusedOpenIsAbout) {
    Tamper tamper;
    tamper.open = [](const Spec& spec) {
        return spec.softcap ? Status::refused("no caps here") : Status::done();
    };
    const SearchResult result = searched(tamper);
    ASSERT_TRUE(result.counterexample);
    EXPECT_EQ(sentence_of(result.counterexample->verdict),
              "open was refused although the contract admits it: no caps here; its spec asks at "
              "attention level for softcap, which the subject declares");
    tamper.open = [](const Spec&) { return Status::refused("no such model"); };
    const SearchResult of_any = searched(tamper);
    ASSERT_TRUE(of_any.counterexample);
    EXPECT_EQ(sentence_of(of_any.counterexample->verdict),
              "open was refused although the contract admits it: no such model");
}

TEST(Drive, CallsACaseThatFailsNowAndThenFlaky) {
    const auto calls = std::make_shared<int>(0);
    Tamper tamper;
    tamper.append = [calls](Session& inner, const AppendCall& call) {
        const Status status = inner.append(call);
        if (++*calls % 5 == 0 && call.counts[0] > 0) call.output.at<float>(0, 0, 0, 0) = 1e30F;
        return status;
    };
    const SearchResult result = searched(tamper);
    ASSERT_TRUE(result.counterexample);
    EXPECT_EQ(result.counterexample->verdict.kind, Verdict::Kind::flaky);
}

TEST(Bits, LeaveOutTheSignOfAZero) {
    const auto calls = std::make_shared<int>(0);
    Tamper tamper;
    tamper.append = [calls](Session& inner, const AppendCall& call) {
        const Status status = inner.append(call);
        if (!status.ok() || call.counts[0] == 0) return status;
        float& x = call.output.at<float>(0, 0, 0, 0);
        if (x == 0) x = ++*calls % 2 == 0 ? 0.0F : -0.0F;
        return status;
    };
    const auto subject = tampered(tamper);
    const SearchResult result =
        search(*property_named("same_call_same_bits"), *subject, Level::attention, SearchOptions{});
    EXPECT_FALSE(result.counterexample) << sentence_of(result.counterexample->verdict);
    EXPECT_GT(*calls, 0);
}

}  // namespace
}  // namespace kvcheck
