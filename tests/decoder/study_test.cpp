// SPDX-License-Identifier: Apache-2.0
// kvcheck decoder-study: its decoder, its counts, and that what it looks at can fail.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cli/commands.hpp"
#include "cli/decoder/accounting.hpp"
#include "cli/decoder/experiment.hpp"
#include "properties/generators/decoder.hpp"

namespace kvcheck {
namespace {

TEST(DecoderStudy, HasThePublishedShape) {
    const DecoderSpec spec = study_spec(2, study_positions);
    validate(spec);
    EXPECT_EQ(parameter_count(spec, study_parameters()), 145280);
    DecoderSpec tied = spec;
    tied.tied_output = true;
    EXPECT_EQ(parameter_count(tied, zero_decoder(tied, 0)), 145280 - 97 * 64);
}

TEST(DecoderStudy, CountsAreWhatTheFormulasSay) {
    const std::vector<Account> accounts = decoder_accounts();
    EXPECT_EQ(accounts.size(), 13U);
    for (const Account& account : accounts) {
        EXPECT_EQ(account.counted, account.expected) << account.what;
    }
    EXPECT_EQ(accounts[0].counted, 4232);
    EXPECT_EQ(accounts[1].counted, 16);
    EXPECT_EQ(accounts[2].counted, 278528);
}

TEST(DecoderStudy, RestartedPositionsAreFarOutsideAndSoIsAMaskWithoutOffset) {
    const std::vector<Index> tokens = drawn_tokens(study_spec(1, 1), 8, 1);
    const ExpectedRow right = study_answers(tokens).fp32;
    const auto error = [&](const std::unique_ptr<Decoder>& decoder, Index chunk) {
        return errors_of(study_run(*decoder, {tokens}, {chunk}), {right});
    };
    const auto restarted = [] {
        return broken_study_decoder(decoder_mutant("restarted_table"), 8);
    };
    const auto unmasked = [] {
        return broken_study_decoder(decoder_mutant("mask_without_offset"), 8);
    };
    EXPECT_LE(error(restarted(), 8).logits.ratio, 1) << "right in a first call";
    EXPECT_LE(error(unmasked(), 8).logits.ratio, 1);
    EXPECT_GT(error(restarted(), 3).logits.ratio, 1000);
    EXPECT_GT(error(restarted(), 3).stored.ratio, 1000);
    EXPECT_GT(error(unmasked(), 3).logits.ratio, 1000);
}

TEST(DecoderStudy, HoldsAsAWhole) { EXPECT_EQ(decoder_study(), Exit::held); }

TEST(WorstError, SeesWhatIsNoNumberAndWhatIsMissing) {
    WorstError worst;
    worst.add({1, 2}, {{1, 0, 0.5}, {2.25, 0, 0.5}});
    EXPECT_EQ(worst.error, 0.25);
    EXPECT_EQ(worst.ratio, 0.5);
    EXPECT_EQ(worst.numbers, 2U);
    WorstError nan = worst;
    nan.add({std::nan("")}, {{1, 0, 0.5}});
    EXPECT_TRUE(std::isinf(nan.ratio));
    WorstError missing = worst;
    missing.add({1}, {{1, 0, 0.5}, {2, 0, 0.5}});
    EXPECT_TRUE(std::isinf(missing.ratio));
}

}  // namespace
}  // namespace kvcheck
