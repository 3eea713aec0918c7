// SPDX-License-Identifier: Apache-2.0
// Checkpoints and tokenizers as files: what is written is read, and whatever is wrong of a file is
// said with its place.
#include "model/checkpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "cli/commands.hpp"
#include "cli/decoder/checkpoint_decoder.hpp"
#include "impl/plain/decoder.hpp"
#include "model/tokenizer.hpp"
#include "model/types/error.hpp"
#include "properties/generators/decoder.hpp"
#include "properties/generators/draw.hpp"
#include "tests/decoder/checkpoint_files.hpp"
#include "tests/share.hpp"
#include "tests/temporary_folder.hpp"

namespace kvcheck {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CheckpointFile : public testing::Test {
protected:
    std::string path() const { return folder_.path() + "/model.bin"; }
    std::string tokenizer_path() const { return folder_.path() + "/tokenizer.bin"; }

    /// What is said of a file with these bytes; empty where it is read.
    std::string trouble(const std::string& bytes) const {
        write_file(path(), bytes);
        try {
            read_checkpoint(path());
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }

    std::string tokenizer_trouble(const std::string& bytes, Index vocabulary) const {
        write_file(tokenizer_path(), bytes);
        try {
            const Tokenizer tokenizer(tokenizer_path(), vocabulary);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }

    TemporaryFolder folder_;
};

std::string small_bytes() {
    const DecoderSpec spec = checkpoint_spec(8, 6, 2, 2, 1, 5, 4, true);
    return checkpoint_bytes(spec, drawn_decoder(spec, 4, 1));
}

std::string with_integer(std::string bytes, std::size_t number, std::int32_t value) {
    std::memcpy(bytes.data() + number * sizeof value, &value, sizeof value);
    return bytes;
}

TEST_F(CheckpointFile, WhatIsWrittenIsRead) {
    for (const bool tied : {true, false}) {
        const DecoderSpec spec = checkpoint_spec(8, 6, 2, 4, 2, 5, 4, tied);
        const DecoderParameters parameters = drawn_decoder(spec, 4, 1);
        write_file(path(), checkpoint_bytes(spec, parameters));
        const Checkpoint read = ready_checkpoint(path());
        EXPECT_EQ(read.spec, spec);
        EXPECT_EQ(read.parameters, parameters);
    }
}

TEST_F(CheckpointFile, EveryOtherLengthIsRefused) {
    const std::string bytes = small_bytes();
    EXPECT_EQ(trouble(bytes), "");
    for (std::size_t size = 0; size < bytes.size(); size += size < 40 ? 1 : 37) {
        EXPECT_THAT(trouble(bytes.substr(0, size)), HasSubstr("expected")) << size;
    }
    EXPECT_THAT(trouble(bytes.substr(0, bytes.size() - 1)), HasSubstr("as the header says"));
    EXPECT_THAT(trouble(bytes + "x"), HasSubstr("as the header says"));
    EXPECT_THAT(trouble(bytes.substr(0, 9)),
                HasSubstr("layers at byte 8: found 1 bytes to the end"));
}

TEST_F(CheckpointFile, AWrongHeaderIsNamed) {
    const std::string bytes = small_bytes();
    const std::vector<std::tuple<std::size_t, std::int32_t, std::string>> cases = {
        {0, 0, "width: found 0"},
        {0, -8, "width: found -8"},
        {0, 7, "width: found 7, expected a multiple of the query heads"},
        {0, 10, "width of a head: found 5, expected an even number"},
        {1, 1 << 30, "MLP width: found 1073741824"},
        {2, 0, "layers: found 0"},
        {3, 3, "width: found 8, expected a multiple of the query heads"},
        {4, 0, "key/value heads: found 0"},
        {4, 3, "query heads: found 2, expected a multiple of the key/value heads"},
        {5, 0, "vocabulary: found 0"},
        {5, std::numeric_limits<std::int32_t>::min(), "vocabulary: found -2147483648"},
        {6, -1, "positions: found -1"},
        {6, 1 << 20, "what follows the header"},
        {1, 1 << 16, "what follows the header"},
    };
    for (const auto& [number, value, part] : cases) {
        EXPECT_THAT(trouble(with_integer(bytes, number, value)), HasSubstr(part));
    }
}

TEST_F(CheckpointFile, ANumberThatIsNoneIsNamed) {
    std::string bytes = small_bytes();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(bytes.data() + 28 + 4 * 3, &nan, 4);
    EXPECT_THAT(trouble(bytes), HasSubstr("embeddings[3]: found nan, expected finite numbers"));
    EXPECT_THROW(read_checkpoint(path() + ".none"), InputError);
    EXPECT_THROW(read_checkpoint(folder_.path()), InputError);
}

TEST_F(CheckpointFile, DamagedBytesAreReadOrRefused) {
    const std::string bytes = small_bytes();
    Draw draw((SplitMix(3)));
    Index refused = 0;
    const Index files = share_of(500);
    for (Index n = 0; n < files; ++n) {
        std::string damaged = bytes;
        const Index edits = draw.range(1, 3);
        for (Index e = 0; e < edits; ++e) {
            const Index most = draw.percent(70) ? 28 : Index(bytes.size());
            const Index at = draw.below(most);
            damaged[std::size_t(at)] = char(draw.below(256));
        }
        refused += trouble(damaged).empty() ? 0 : 1;
    }
    EXPECT_GT(refused, files / 2);
    EXPECT_LT(refused, files);
}

const std::vector<std::pair<std::string, float>>& words() {
    static const std::vector<std::pair<std::string, float>> tokens = {
        {"<unk>", 0}, {"<s>", 0}, {"</s>", 0}, {" ", -5},  {"a", -5},
        {"b", -5},    {"ab", -1}, {"abb", -2}, {"bb", -3}, {" a", -4}};
    return tokens;
}

TEST_F(CheckpointFile, PairsOfTheHighestScoreAreMergedFirst) {
    write_file(tokenizer_path(), tokenizer_bytes(words()));
    const Tokenizer tokenizer(tokenizer_path(), Index(words().size()));
    EXPECT_THAT(tokenizer.encode("", 9), ElementsAre(1));
    EXPECT_THAT(tokenizer.encode("abb", 9), ElementsAre(1, 3, 7));  // ab, then abb
    EXPECT_THAT(tokenizer.encode("bbb", 9), ElementsAre(1, 3, 8, 5));
    EXPECT_THAT(tokenizer.encode("a", 9), ElementsAre(1, 9));
    EXPECT_EQ(tokenizer.decode(1, 9), "a") << "no blank at the beginning";
    EXPECT_EQ(tokenizer.decode(4, 9), " a");
    EXPECT_THROW(tokenizer.encode("c", 9), InputError) << "no token, and none for its byte";
    EXPECT_THROW(tokenizer.encode("aaaaaaaaa", 4), InputError) << "too long";
    EXPECT_THROW(tokenizer.encode(std::string(1000000, 'a'), 4), InputError);
}

TEST_F(CheckpointFile, BytesHaveTokensOfTheirOwn) {
    std::vector<std::pair<std::string, float>> tokens = {{"<unk>", 0}, {"<s>", 0}, {"</s>", 0}};
    for (int byte = 0; byte < 256; ++byte) {
        char name[8];
        std::snprintf(name, sizeof name, "<0x%02X>", unsigned(byte));
        tokens.emplace_back(name, 0.0F);
    }
    write_file(tokenizer_path(), tokenizer_bytes(tokens));
    const Tokenizer tokenizer(tokenizer_path(), Index(tokens.size()));
    const std::vector<Index> ids = tokenizer.encode("\xC3\xA9\xFF", 9);
    EXPECT_THAT(ids, ElementsAre(1, 3 + 0x20, 3 + 0xC3, 3 + 0xA9, 3 + 0xFF));
    EXPECT_EQ(tokenizer.decode(35, ids[2]), "\xC3");
}

TEST_F(CheckpointFile, AWrongTokenizerIsRefused) {
    const std::string bytes = tokenizer_bytes(words());
    const auto count = Index(words().size());
    EXPECT_EQ(tokenizer_trouble(bytes, count), "");
    EXPECT_THAT(tokenizer_trouble(bytes, count + 1), HasSubstr("score of token 10 at byte"));
    EXPECT_THAT(tokenizer_trouble(bytes, count - 1), HasSubstr("the end: found 10 bytes more"));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_NE(tokenizer_trouble(bytes.substr(0, size), count), "") << size;
    }
    EXPECT_THAT(tokenizer_trouble(with_integer(bytes, 0, 0), count),
                HasSubstr("longest token: found 0"));
    EXPECT_THAT(tokenizer_trouble(with_integer(bytes, 2, -1), count),
                HasSubstr("length of token 0: found -1"));
    EXPECT_THAT(tokenizer_trouble(with_integer(bytes, 2, 6), count),
                HasSubstr("length of token 0: found 6, expected an integer from 0 to 5"));
}

TEST_F(CheckpointFile, IsContinuedGreedily) {
    const DecoderSpec spec = checkpoint_spec(16, 24, 2, 4, 2, 10, 12, true);
    write_file(path(), checkpoint_bytes(spec, drawn_decoder(spec, 12, 5)));
    write_file(tokenizer_path(), tokenizer_bytes(words()));
    const Checkpoint checkpoint = ready_checkpoint(path());
    const auto decoder = make_plain_decoder<float>(checkpoint.spec, checkpoint.parameters);
    const std::vector<Index> prompt = {1, 4, 5};
    const std::vector<Index> all = continued(*decoder, prompt, 12, -1);
    ASSERT_EQ(all.size(), 12U);
    const auto again = make_plain_decoder<float>(checkpoint.spec, checkpoint.parameters);
    for (std::size_t n = prompt.size(); n < all.size(); ++n) {
        ASSERT_TRUE(again->apply(Reset{}).ok());
        DecoderCall call;
        call.tokens = {{all.begin(), all.begin() + std::ptrdiff_t(n)}};
        DecoderAnswer answer;
        ASSERT_TRUE(again->append(call, answer).ok());
        EXPECT_EQ(largest_of(answer.logits[0].back()), all[n]) << n;
    }
    const auto short_one = make_plain_decoder<float>(checkpoint.spec, checkpoint.parameters);
    const std::vector<Index> ended = continued(*short_one, prompt, 12, all[5]);
    EXPECT_LE(ended.size(), 5U);
    EXPECT_EQ(generate({path(), tokenizer_path(), "ab", 3}), Exit::held);
    EXPECT_THROW(generate({path(), tokenizer_path(), "ab", 30}), InputError);
    EXPECT_THROW(generate({tokenizer_path(), path(), "ab", 3}), InputError);
}

}  // namespace
}  // namespace kvcheck
