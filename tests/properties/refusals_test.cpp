// SPDX-License-Identifier: Apache-2.0
// What is said of a subject that treats wrong calls wrongly: all of it at once, and which call it
// was where only a later output shows it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/catalogue.hpp"
#include "properties/drive/sentence.hpp"
#include "tests/model/build.hpp"
#include "tests/properties/tampered.hpp"

namespace kvcheck {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

Case two_tokens() {
    Case test_case = tiny_case(1, {tiny_append({"R"}), tiny_append({"R"})});
    for (std::size_t n = 0; n < 2; ++n) {
        std::get<Append>(test_case.program[n]).rows[0][0].input = {0, 1, float(n + 1)};
    }
    test_case.spec.capacity = 100;  // so many that no call is tried that does not fit
    return test_case;
}

std::string sentence_about(Tamper tamper, Verdict::Kind kind) {
    const auto subject = tampered(std::move(tamper));
    const Case test_case = two_tokens();
    Oracle oracle(test_case.spec, test_case.parameters, subject->capabilities().profile);
    const Verdict verdict = wrong_call_is_refused(*subject, test_case, oracle);
    EXPECT_EQ(verdict.kind, kind) << sentence_of(verdict);
    return sentence_of(verdict);
}

TEST(Refusals, EveryWrongCallThatIsAcceptedIsTold) {
    Tamper tamper;
    tamper.append = [](Session& inner, const AppendCall& call) {
        const Status status = inner.append(call);
        return status.ok() ? status : Status::done();  // as if it had been honoured
    };
    EXPECT_THAT(sentence_about(tamper, Verdict::Kind::failed),
                AllOf(HasSubstr("accepted, must be refused; so or alike 7 more wrong calls: "),
                      ContainsRegex("the tokens|has 0 tokens"), HasSubstr("; ...")));
}

TEST(Refusals, OneThatIsAcceptedIsToldAlone) {
    Tamper tamper;
    tamper.append = [](Session& inner, const AppendCall& call) {
        const Status status = inner.append(call);
        const bool negative = !call.counts.empty() && call.counts[0] < 0;
        return !status.ok() && negative && call.query.shape.extent[0] == 1 ? Status::done()
                                                                           : status;
    };
    EXPECT_THAT(sentence_about(tamper, Verdict::Kind::failed),
                AllOf(HasSubstr("the count of row 0 is -1"), HasSubstr("more wrong calls")));
}

/// A refused count beyond the call forgets what is stored: seen in no number, and in the output of
/// the next call.
TEST(Refusals, TheCallThatLeftATraceIsNamedWhereOnlyOutputsShowIt) {
    Tamper tamper;
    tamper.capabilities = [](Capabilities& capabilities) {
        for (const Feature hidden : {Feature::kv_export, Feature::weights, Feature::poison_unused})
            capabilities.features.remove(hidden);
    };
    tamper.numbers = [](Session&, std::span<RowNumbers>) { return Status::done(); };
    tamper.append = [](Session& inner, const AppendCall& call) {
        Status status = inner.append(call);
        const bool beyond = !call.counts.empty() && call.counts[0] == 2;
        if (!status.ok() && beyond) inner.apply(Reset{});
        return status;
    };
    EXPECT_THAT(sentence_about(tamper, Verdict::Kind::failed),
                AllOf(HasSubstr("after the refused call before command 1: the count of row 0 is 2 "
                                "in a call for 1 tokens"),
                      HasSubstr("output element 0"), Not(HasSubstr("after refused calls"))));
}

TEST(Refusals, OfASubjectThatValidatesLeaveNoTrace) { sentence_about({}, Verdict::Kind::passed); }

}  // namespace
}  // namespace kvcheck
