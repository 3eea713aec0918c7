// SPDX-License-Identifier: Apache-2.0
// What the doctor says of failing cases: the feature without which all hold, and none where the
// fault has to do with no feature.
#include "properties/search/blame.hpp"

#include <gtest/gtest.h>

#include "impl/mutants/catalogue.hpp"
#include "tests/properties/tampered.hpp"

namespace kvcheck {
namespace {

constexpr Index sample = 60;

Blame blame_of_mutant(const std::string& name) {
    for (const MutantEntry& entry : mutants()) {
        if (entry.subject.name == name) return find_blame(*entry.subject.make(name), sample);
    }
    ADD_FAILURE() << name;
    return {};
}

TEST(Blame, NamesTheFeatureWithoutWhichEveryCaseHolds) {
    const Blame of_softcap = blame_of_mutant("softcap_ignored");
    EXPECT_GT(of_softcap.failed, 0);
    EXPECT_LT(of_softcap.failed, of_softcap.cases);
    EXPECT_EQ(of_softcap.feature, Feature::softcap);
    EXPECT_EQ(blame_of_mutant("sinks_ignored").feature, Feature::sinks);
}

TEST(Blame, IsOnNoFeatureWhereAnyCaseMayFail) {
    Tamper tamper;
    tamper.append = [](Session& inner, const AppendCall& call) {
        const Status status = inner.append(call);
        if (status.ok() && call.output.shape.size() > 0 && call.counts[0] > 0)
            call.output.at<float>(0, 0, 0, 0) += 1;
        return status;
    };
    tamper.capabilities = [](Capabilities& capabilities) {
        capabilities.features.remove(Feature::layer);
    };
    const Blame blame = find_blame(*tampered(tamper), sample);
    EXPECT_GT(blame.failed, sample / 2);
    EXPECT_EQ(blame.feature, std::nullopt);
}

TEST(Blame, IsOnNoFeatureWhereTooFewCasesFail) {
    Tamper tamper;
    const auto calls = std::make_shared<int>(0);
    tamper.append = [calls](Session& inner, const AppendCall& call) {
        const Status status = inner.append(call);
        const bool wrong = *calls == 0 && call.output.shape.size() > 0 && call.counts[0] > 0;
        if (status.ok() && wrong) {
            call.output.at<float>(0, 0, 0, 0) += 1;
            ++*calls;
        }
        return status;
    };
    const Blame blame = find_blame(*tampered(tamper), sample);
    EXPECT_EQ(blame.failed, 1);
    EXPECT_EQ(blame.feature, std::nullopt);
}

TEST(Blame, OfARightSubjectThereIsNone) {
    const Blame blame = find_blame(*tampered({}), sample);
    EXPECT_EQ(blame.failed, 0);
    EXPECT_EQ(blame.cases, 2 * sample);
    EXPECT_EQ(blame.feature, std::nullopt);
}

}  // namespace
}  // namespace kvcheck
