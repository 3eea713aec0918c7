// SPDX-License-Identifier: Apache-2.0
// The reader against damaged files: each is read as a valid case that can be written and read
// again, or refused in words. A crash, a hang or another exception is a fault. The environment
// variable KVCHECK_FUZZ_FILES says how many files; the stream is always the same.
#include <gtest/gtest.h>

#include <cstdlib>

#include "model/case_file.hpp"
#include "tests/model/documents.hpp"
#include "tests/model/generated.hpp"
#include "tests/model/mutate.hpp"
#include "tests/model/refusal.hpp"
#include "tests/share.hpp"

namespace kvcheck {
namespace {

constexpr Index count_default = 100000;
constexpr std::uint64_t damage_seed = 20250101;

Index file_count() {
    const char* const text = std::getenv("KVCHECK_FUZZ_FILES");
    return text == nullptr ? share_of(count_default) : std::atoll(text);
}

/// The documented examples and a few generated cases, small ones, so that damage matters.
std::vector<std::string> good_texts() {
    constexpr std::size_t count = 8;
    constexpr std::size_t size_max = 1200;
    std::vector<std::string> texts = documented_case_files();
    for (std::uint64_t n = 0; texts.size() < count; ++n) {
        std::string text = to_text({generated_case(n), {}});
        if (text.size() <= size_max) texts.push_back(std::move(text));
    }
    return texts;
}

/// True where the text was read; false where it was refused.
bool read_or_refused(const std::string& text) {
    CaseFile file;
    try {
        file = case_file_from_text(text, "fuzz.json");
    } catch (const InputError& error) {
        EXPECT_TRUE(reads_well(error.what(), "fuzz.json")) << error.what();
        return false;
    }
    EXPECT_NO_THROW(validate(file.test_case));
    const std::string written = to_text(file);
    const CaseFile again = case_file_from_text(written, "again.json");
    EXPECT_TRUE(same_case(again.test_case, file.test_case));
    EXPECT_EQ(again.finding, file.finding);
    EXPECT_EQ(to_text(again), written);
    return true;
}

TEST(Fuzz, DamagedFilesAreReadOrRefused) {
    const Damage damage(good_texts());
    Draw draw{SplitMix(damage_seed)};
    const Index count = file_count();
    Index accepted = 0;
    for (Index n = 0; n < count; ++n) {
        const std::string text = damage.damaged(draw);
        try {
            accepted += read_or_refused(text) ? 1 : 0;
        } catch (const std::exception& error) {
            ADD_FAILURE() << "escaped: " << error.what();
        }
        ASSERT_FALSE(HasFailure()) << "file " << n << ":\n" << text;
    }
    RecordProperty("accepted", std::to_string(accepted));
    // Both ends of the reader are reached only where a fair share is still valid.
    constexpr Index share_least = 50;
    EXPECT_GE(accepted * share_least, count);
    EXPECT_LT(accepted * 2, count);
}

}  // namespace
}  // namespace kvcheck
