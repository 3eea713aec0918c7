// SPDX-License-Identifier: Apache-2.0
// What the doctor proposes to declare: tighter than the declaration, true of the subject on other
// cases than those it was found with, and nothing where the subject is wrong.
#include <gtest/gtest.h>

#include "properties/catalogue.hpp"
#include "properties/search/proposal.hpp"
#include "properties/search/search.hpp"
#include "tests/properties/tampered.hpp"

namespace kvcheck {
namespace {

constexpr Index cases = 60;

std::unique_ptr<Subject> plain_declaring(const NumericProfile& profile) {
    Tamper tamper;
    tamper.capabilities = [profile](Capabilities& capabilities) { capabilities.profile = profile; };
    return tampered(std::move(tamper));
}

TEST(Proposal, TightensADefaultProfileAndHoldsOnOtherCases) {
    const NumericProfile loose;
    const auto proposal = propose_profile(*plain_declaring(loose), cases);
    ASSERT_TRUE(proposal);
    EXPECT_EQ(proposal->cases, 2 * cases);
    EXPECT_EQ(proposal->profile.rescale_block, 0);
    EXPECT_EQ(proposal->profile.merge_levels, 0);
    EXPECT_LT(proposal->profile.exp_ulps, loose.exp_ulps);
    EXPECT_GT(proposal->proposed_ratio, proposal->declared_ratio);
    EXPECT_LE(proposal->proposed_ratio, 1);
    const auto tight = plain_declaring(proposal->profile);
    SearchOptions options;
    options.seed = 7;
    const SearchResult result =
        search(*property_named("outputs_match_the_oracle"), *tight, Level::attention, options);
    EXPECT_FALSE(result.counterexample);
}

TEST(Proposal, LeavesOutWhatTheSubjectDoesNotKeep) {
    // Values that are off by a relative 2^-9 are as weights that are narrowed before they meet
    // them.
    NumericProfile loose;
    loose.weight_error = 1.0 / 128;
    Tamper tamper;
    tamper.capabilities = [loose](Capabilities& capabilities) {
        capabilities.profile = loose;
        capabilities.features = capabilities.features.without({Feature::weights, Feature::layer});
    };
    tamper.append = [](Session& inner, const AppendCall& call) {
        Status status = inner.append(call);
        const auto& extent = call.output.shape.extent;
        for (Index r = 0; status.ok() && r < extent[0]; ++r) {
            for (Index t = 0; t < call.counts[std::size_t(r)]; ++t) {
                for (Index h = 0; h < extent[2]; ++h) {
                    for (Index d = 0; d < extent[3]; ++d) {
                        call.output.at<float>(r, t, h, d) *= 1 + 1.0F / 512;
                    }
                }
            }
        }
        return status;
    };
    const auto proposal = propose_profile(*tampered(std::move(tamper)), cases);
    ASSERT_TRUE(proposal);
    EXPECT_EQ(proposal->profile.weight_error, loose.weight_error);
}

TEST(Proposal, IsTheDeclaredProfileWhereNothingCanBeTightened) {
    const auto plain = plain_declaring(two_pass_profile(24));
    const auto proposal = propose_profile(*plain, cases);
    ASSERT_TRUE(proposal);
    EXPECT_EQ(proposal->profile, plain->capabilities().profile);
}

TEST(Proposal, IsNoneForAWrongSubject) {
    Tamper tamper;
    struct SeesAll : PlainRules {
        bool sees(const TokenPlace&, Index) const override { return true; }
    };
    tamper.rules = std::make_shared<SeesAll>();
    EXPECT_FALSE(propose_profile(*tampered(std::move(tamper)), cases));
}

}  // namespace
}  // namespace kvcheck
