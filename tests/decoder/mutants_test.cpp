// SPDX-License-Identifier: Apache-2.0
// Every broken decoder is caught and named by its taps in every case, and, but for what is below
// rounding, from its logits alone; none is wrong where its fault is none.
#include "impl/mutants/decoder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "oracles/decoder/expected.hpp"
#include "oracles/decoder/taps.hpp"
#include "properties/generators/decoder.hpp"
#include "tests/decoder/shapes.hpp"
#include "tests/share.hpp"

namespace kvcheck {
namespace {

const DecoderArithmetic arithmetic{two_pass_profile(24), 0};
const std::vector<Index> chunks = {4, 1, 1, 3};

/// One decoder and its tokens, with what is right.
struct Setting {
    Shaped shaped;
    std::vector<Index> tokens;
    std::vector<std::vector<Answer>> logits;  // [tokens]
};

const std::vector<Setting>& settings() {
    static const std::vector<Setting> list = [] {
        std::vector<Setting> made;
        for (Index seed = 0; seed < share_of(10); ++seed) {
            for (Shaped& shaped : small_decoders(2, std::uint64_t(seed))) {
                Setting setting{std::move(shaped), {}, {}};
                setting.tokens = drawn_tokens(setting.shaped.spec, 10, std::uint64_t(seed) + 100);
                const DecoderTruth truth = decoder_truth(
                    setting.shaped.spec, setting.shaped.parameters, row_of(setting.tokens));
                const AdjointBound bound(setting.shaped.spec, setting.shaped.parameters, arithmetic,
                                         truth);
                for (std::size_t t = 0; t < setting.tokens.size(); ++t) {
                    setting.logits.push_back(
                        answers_of(truth.high[t].logits, truth.low[t].logits, bound.logits(t)));
                }
                made.push_back(std::move(setting));
            }
        }
        return made;
    }();
    return list;
}

Driven driven_mutant(const DecoderMutant& mutant, const Setting& setting,
                     const std::vector<Index>& split) {
    const auto decoder = make_plain_decoder<float>(setting.shaped.spec, setting.shaped.parameters,
                                                   mutant.rules, mutant.attention_rules);
    return driven(*decoder, setting.tokens, split);
}

TapVerdict tapped(const Setting& setting, const Driven& run) {
    return check_taps(setting.shaped.spec, setting.shaped.parameters, arithmetic,
                      row_of(setting.tokens), run.taps);
}

double worst_logit(const Setting& setting, const Driven& run) {
    WorstError worst;
    for (std::size_t t = 0; t < run.logits.size(); ++t) {
        worst.add(run.logits[t], setting.logits[t]);
    }
    return worst.ratio;
}

class EveryDecoderMutant : public testing::TestWithParam<DecoderMutant> {};

TEST_P(EveryDecoderMutant, IsNamedByTapsAndSeenInLogits) {
    const DecoderMutant& mutant = GetParam();
    Index cases = 0;
    Index seen = 0;
    for (const Setting& setting : settings()) {
        if (!mutant.applies_to(setting.shaped.spec)) continue;
        SCOPED_TRACE(setting.shaped.name);
        ++cases;
        const Driven run = driven_mutant(mutant, setting, chunks);
        const TapVerdict verdict = tapped(setting, run);
        ASSERT_TRUE(verdict.first) << "worst " << verdict.worst.ratio;
        EXPECT_EQ(name_of(verdict.first->operation), mutant.shown_by);
        seen += worst_logit(setting, run) > 1 ? 1 : 0;
    }
    fmt::print("{}: named by taps in {} of {}, seen in logits in {}\n", mutant.name, cases, cases,
               seen);
    ASSERT_GT(cases, 0);
    if (!mutant.below_rounding) {
        EXPECT_EQ(seen, cases);
    }
}

TEST_P(EveryDecoderMutant, IsRightWhereItsFaultIsNone) {
    const DecoderMutant& mutant = GetParam();
    if (mutant.in_first_call) return;
    for (const Setting& setting : settings()) {
        if (!mutant.applies_to(setting.shaped.spec)) continue;
        const Driven run = driven_mutant(mutant, setting, {});
        EXPECT_FALSE(tapped(setting, run).first);
        EXPECT_LE(worst_logit(setting, run), 1);
    }
}

std::string test_name(const testing::TestParamInfo<DecoderMutant>& info) {
    return std::string(info.param.name);
}
INSTANTIATE_TEST_SUITE_P(All, EveryDecoderMutant, testing::ValuesIn(decoder_mutants()), test_name);

}  // namespace
}  // namespace kvcheck
