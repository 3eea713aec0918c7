// SPDX-License-Identifier: Apache-2.0
// A real checkpoint (dreams260K) and the logits that an independent program in float left of it,
// against fifty digits and against the textbook decoder, at the 128 positions of a greedy
// continuation. All but the comparison with those logits also runs on a random checkpoint of the
// same shape, so that nothing depends on the file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "cli/decoder/checkpoint_decoder.hpp"
#include "impl/plain/decoder.hpp"
#include "model/byte_reader.hpp"
#include "oracles/decoder/expected.hpp"
#include "oracles/decoder/taps.hpp"
#include "properties/generators/decoder.hpp"
#include "tests/decoder/checkpoint_files.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/vectors/vectors_folder.hpp"

namespace kvcheck::vectors {
namespace {

constexpr Index positions = 128;

/// The positions whose bound is computed: all where KVCHECK_DECODER_POSITIONS is set, which takes a
/// minute, else every 32nd; a fault of an early one shows in all later ones.
std::vector<std::size_t> judged_positions(Index tokens) {
    constexpr Index seldom = 32;
    const Index step = std::getenv("KVCHECK_DECODER_POSITIONS") != nullptr ? 1 : seldom;
    std::vector<std::size_t> chosen;
    for (Index t = step - 1; t < tokens; t += step) chosen.push_back(std::size_t(t));
    return chosen;
}

WorstError errors(const std::vector<std::vector<double>>& logits,
                  const std::map<std::size_t, std::vector<Answer>>& right) {
    WorstError worst;
    for (const auto& [t, answers] : right) worst.add(logits[t], answers);
    return worst;
}

class Examined {
public:
    Examined(Checkpoint checkpoint, Index tokens) : checkpoint_(std::move(checkpoint)) {
        const auto decoder = make_plain_decoder<float>(spec(), checkpoint_.parameters);
        tokens_ = continued(*decoder, {1}, tokens, -1);
        truth_ = decoder_truth(spec(), checkpoint_.parameters, real_tokens(tokens_));
    }

    const DecoderSpec& spec() const { return checkpoint_.spec; }
    const std::vector<Index>& tokens() const { return tokens_; }
    const DecoderTruth& truth() const { return truth_; }

    /// The answers at judged_positions().
    std::map<std::size_t, std::vector<Answer>> answers(const DecoderArithmetic& arithmetic) const {
        const AdjointBound bound(spec(), checkpoint_.parameters, arithmetic, truth_);
        std::map<std::size_t, std::vector<Answer>> right;
        for (const std::size_t t : judged_positions(Index(tokens_.size()))) {
            right[t] = answers_of(truth_.high[t].logits, truth_.low[t].logits, bound.logits(t));
        }
        return right;
    }

    /// The textbook in chunks: its logits, and every operation at every position.
    void expect_textbook_within() const {
        const auto decoder = make_plain_decoder<float>(spec(), checkpoint_.parameters);
        std::vector<std::vector<double>> logits;
        std::vector<TokenTaps> taps;
        std::size_t at = 0;
        const auto total = tokens_.size();
        for (const std::size_t count : {total / 3, std::size_t{1}, total - total / 3 - 1}) {
            DecoderCall call;
            const auto begin = tokens_.begin() + std::ptrdiff_t(at);
            call.tokens = {{begin, begin + std::ptrdiff_t(count)}};
            call.wants_taps = true;
            DecoderAnswer answer;
            ASSERT_TRUE(decoder->append(call, answer).ok());
            for (auto& one : answer.logits[0]) logits.push_back(std::move(one));
            for (auto& one : answer.taps[0]) taps.push_back(std::move(one));
            at += count;
        }
        ASSERT_EQ(at, tokens_.size());
        const DecoderArithmetic arithmetic{two_pass_profile(24), 0};
        const WorstError worst = errors(logits, answers(arithmetic));
        EXPECT_GT(worst.ratio, 0);
        EXPECT_LE(worst.ratio, 1);
        const TapVerdict verdict =
            check_taps(spec(), checkpoint_.parameters, arithmetic, truth_.tokens, taps);
        EXPECT_FALSE(verdict.first) << name_of(verdict.first->operation);
        EXPECT_GT(verdict.worst.ratio, 0);
        fmt::print(
            "textbook: logits {:.4f} of the bound at most, off by {:.1e}; {} numbers of "
            "operations, {:.2f}\n",
            worst.ratio, worst.error, verdict.numbers, verdict.worst.ratio);
    }

    /// The oracle would have chosen the same tokens.
    void expect_greedy() const {
        for (std::size_t t = 0; t + 1 < tokens_.size(); ++t) {
            EXPECT_EQ(largest_of(truth_.high[t].logits), tokens_[t + 1]) << "position " << t;
        }
    }

private:
    Checkpoint checkpoint_;
    std::vector<Index> tokens_;
    DecoderTruth truth_;
};

TEST(RandomCheckpoint, OfTheSameShapeIsAsTheOracleSays) {
    const TemporaryFolder folder;
    const DecoderSpec spec = checkpoint_spec(64, 172, 4, 4, 4, 512, positions, true);
    const std::string path = folder.path() + "/model.bin";
    write_file(path, checkpoint_bytes(spec, drawn_decoder(spec, positions, 7)));
    constexpr Index some = 48;
    const Examined examined(ready_checkpoint(path), some);
    EXPECT_EQ(examined.spec(), spec);
    examined.expect_greedy();
    examined.expect_textbook_within();
}

TEST(Dreams260K, IsWhatAnIndependentProgramComputed) {
    const std::filesystem::path folder = vectors_folder() / "dreams260K";
    const std::string path = (folder / "aidreams260K.bin").string();
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "no checkpoint in " << folder.lexically_normal().string();
    }
    const Examined examined(ready_checkpoint(path), positions);
    ASSERT_EQ(examined.spec().vocabulary, 512);

    std::ifstream list(folder / "greedy-tokens.txt");
    std::vector<Index> consumed;
    for (Index id = 0; list >> id;) consumed.push_back(id);
    EXPECT_EQ(examined.tokens(), consumed);
    examined.expect_greedy();

    ByteReader file((folder / "greedy-logits.f32").string(), std::uint64_t{1} << 24);
    std::vector<std::vector<double>> logits;
    for (Index t = 0; t < positions; ++t) {
        const std::vector<float> row = file.floats("logits", 512);
        logits.emplace_back(row.begin(), row.end());
    }
    file.expect_end();
    const auto right = examined.answers(own_table_arithmetic());
    const WorstError worst = errors(logits, right);
    EXPECT_GT(worst.ratio, 0);
    EXPECT_LE(worst.ratio, 1);
    fmt::print("stored logits: {:.4f} of the bound at most, off by {:.1e}; {} numbers\n",
               worst.ratio, worst.error, worst.numbers);
    std::swap(logits[94], logits[95]);
    EXPECT_GT(errors(logits, right).ratio, 1) << "it can fail";
    examined.expect_textbook_within();
}

}  // namespace
}  // namespace kvcheck::vectors
