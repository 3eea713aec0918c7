// SPDX-License-Identifier: Apache-2.0
// Decoders in random programs of calls and commands: the textbook holds in both formats, every
// mutant is caught, and so is a decoder that meddles with its caches.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "impl/mutants/decoder.hpp"
#include "properties/decoder/decoder_claims.hpp"
#include "tests/share.hpp"

namespace kvcheck {
namespace {

DecoderCase drawn_case(std::uint64_t seed) {
    Draw draw(SplitMix{seed});
    return draw_decoder_case(draw);
}

template <class Scalar>
DecoderVerdict textbook_verdict(const DecoderCase& test_case) {
    const auto decoder = make_plain_decoder<Scalar>(test_case.spec, test_case.parameters);
    const int digits = std::numeric_limits<Scalar>::digits;
    return judge_decoder(test_case, {two_pass_profile(digits), 0},
                         drive_decoder(*decoder, test_case));
}

std::string text_of(const DecoderFinding& finding) {
    return fmt::format("{}: command {}, row {}, slot {}, layer {}, ratio {}",
                       name_of(finding.claim), finding.command, finding.row, finding.slot,
                       finding.layer.value_or(-1), finding.ratio);
}

template <class Scalar>
void expect_held() {
    const Index cases = share_of(60);
    DecoderVerdict all;
    std::set<std::string_view> commands;
    double worst = 0;
    for (Index n = 0; n < cases; ++n) {
        const DecoderCase test_case = drawn_case(std::uint64_t(n));
        const DecoderVerdict verdict = textbook_verdict<Scalar>(test_case);
        EXPECT_FALSE(verdict.first) << "case " << n << ", " << text_of(*verdict.first);
        all.logits.add(verdict.logits);
        all.caches.add(verdict.caches);
        all.entries_kept += verdict.entries_kept;
        worst = std::max({worst, verdict.logits.ratio, verdict.caches.ratio});
        for (const Command& command : test_case.program) {
            std::visit([&](const auto& one) { commands.insert(one.name); }, command);
        }
    }
    fmt::print("{} logits, {} keys and values, {} entries kept; worst ratio {:.3f}\n",
               all.logits.numbers, all.caches.numbers, all.entries_kept, worst);
    EXPECT_GT(all.logits.ratio, 0);
    EXPECT_GT(all.caches.ratio, 0);
    EXPECT_GT(all.entries_kept, 0);
    if (share_of(100) == 100) {
        // All but a reload, a shift, and prefixes: no decoder saves its state, or takes one.
        EXPECT_EQ(commands.size(), std::variant_size_v<Command> - 4);
    }
}

TEST(DecoderPrograms, TheTextbookHoldsInFloat) { expect_held<float>(); }
TEST(DecoderPrograms, TheTextbookHoldsInDouble) { expect_held<double>(); }

TEST(DecoderPrograms, EveryMutantIsCaught) {
    for (const DecoderMutant& mutant : decoder_mutants()) {
        if (mutant.below_rounding) continue;
        Index caught_at = -1;
        constexpr Index cases = 100;
        for (Index n = 0; n < cases && caught_at < 0; ++n) {
            const DecoderCase test_case = drawn_case(std::uint64_t(n));
            if (!mutant.applies_to(test_case.spec)) continue;
            const auto decoder = make_plain_decoder<float>(test_case.spec, test_case.parameters,
                                                           mutant.rules, mutant.attention_rules);
            const DecoderVerdict verdict = judge_decoder(test_case, {two_pass_profile(24), 0},
                                                         drive_decoder(*decoder, test_case));
            if (!verdict.first) continue;
            caught_at = n;
            fmt::print("{}: case {}, {}\n", mutant.name, n, text_of(*verdict.first));
        }
        EXPECT_GE(caught_at, 0) << mutant.name;
    }
}

/// Passes everything on and changes something.
class Meddling : public Decoder {
public:
    explicit Meddling(std::unique_ptr<Decoder> decoder) : decoder_(std::move(decoder)) {}
    Status append(const DecoderCall& call, DecoderAnswer& answer) override {
        ++appends_;
        return decoder_->append(call, answer);
    }
    Status apply(const Lifecycle& command) override { return decoder_->apply(command); }
    std::optional<StoredLayer> stored(Index row, Index layer) override {
        return decoder_->stored(row, layer);
    }
    DecoderWork work() const override { return decoder_->work(); }

protected:
    std::unique_ptr<Decoder> decoder_;
    Index appends_ = 0;
};

/// The first value of a cache moves by less than its bound with every append.
class Drifting final : public Meddling {
public:
    using Meddling::Meddling;
    std::optional<StoredLayer> stored(Index row, Index layer) override {
        auto cache = decoder_->stored(row, layer);
        if (cache && !cache->values.empty() && appends_ > 1) {
            double& number = cache->values[0][0];
            number = std::nextafter(float(number), 10.0F);
        }
        return cache;
    }
};

class Refusing final : public Meddling {
public:
    using Meddling::Meddling;
    Status append(const DecoderCall& call, DecoderAnswer& answer) override {
        return appends_ > 0 ? Status::refused("no more") : Meddling::append(call, answer);
    }
};

class Lacking final : public Meddling {
public:
    using Meddling::Meddling;
    std::optional<StoredLayer> stored(Index row, Index layer) override {
        return layer > 0 ? std::nullopt : decoder_->stored(row, layer);
    }
};

template <class Kind>
std::set<DecoderClaim> broken_claims() {
    std::set<DecoderClaim> claims;
    for (Index n = 0; n < 40; ++n) {
        const DecoderCase test_case = drawn_case(std::uint64_t(n));
        Kind decoder(make_plain_decoder<float>(test_case.spec, test_case.parameters));
        const DecoderVerdict verdict =
            judge_decoder(test_case, {two_pass_profile(24), 0}, drive_decoder(decoder, test_case));
        if (verdict.first) claims.insert(verdict.first->claim);
    }
    return claims;
}

TEST(DecoderPrograms, EachClaimCanFail) {
    EXPECT_TRUE(broken_claims<Meddling>().empty());
    EXPECT_EQ(broken_claims<Drifting>().count(DecoderClaim::earlier_entries), 1U);
    EXPECT_EQ(broken_claims<Refusing>().count(DecoderClaim::answers), 1U);
    EXPECT_EQ(broken_claims<Lacking>().count(DecoderClaim::caches), 1U);
}

}  // namespace
}  // namespace kvcheck
