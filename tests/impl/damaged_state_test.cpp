// SPDX-License-Identifier: Apache-2.0
// Damaged states and the built-in subjects: every one is refused, none ends the program, and the
// object that saved the right one answers as before. A body that was changed under a checksum that
// fits is refused or loads something that can be asked and closed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "impl/catalogue.hpp"
#include "impl/saved_state.hpp"
#include "properties/drive/damaged_state.hpp"
#include "properties/drive/drive.hpp"
#include "properties/generators/structure.hpp"
#include "tests/model/generated.hpp"

namespace kvcheck {
namespace {

Index states_to_try() {
    constexpr Index count_default = 10000;
    const char* const text = std::getenv("KVCHECK_DAMAGED_STATES");
    return text == nullptr ? count_default : std::atoll(text);
}

constexpr std::size_t word_bytes = 8;
constexpr std::size_t head_bytes = 4 * word_bytes;

std::uint64_t word_at(const std::vector<std::byte>& bytes, std::size_t place) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + place, sizeof word);
    return word;
}

/// The body of `damaged` under the label of `saved`, with a checksum that fits.
std::vector<std::byte> sealed_again(const std::vector<std::byte>& saved,
                                    const std::vector<std::byte>& damaged) {
    StateWriter writer;
    if (damaged.size() > head_bytes + word_bytes) {
        writer.bytes(damaged.data() + head_bytes, damaged.size() - head_bytes - word_bytes);
    }
    return writer.sealed({word_at(saved, word_bytes), word_at(saved, 2 * word_bytes)});
}

/// One append of one token to each row that grows, and the numbers: whatever was loaded is asked.
void use(Session& session, const Case& test_case) {
    std::vector<RowNumbers> numbers(std::size_t(test_case.spec.rows));
    EXPECT_TRUE(session.numbers(numbers).ok());
    for (const RowNumbers& row : numbers) {
        EXPECT_GE(*row.length, 0);
        EXPECT_LE(*row.length, test_case.spec.capacity);
    }
    Append append;
    append.rows.assign(numbers.size(), {zero_token(test_case.spec, true)});
    CallOptions options;
    options.slots = test_case.spec.capacity;
    const CallMemory memory(test_case.spec, append, options);
    EXPECT_NE(session.append(memory.call()).kind, Status::Kind::died);
}

class DamagedStates : public testing::TestWithParam<const char*> {};

TEST_P(DamagedStates, AreRefusedAndChangeNothing) {
    std::unique_ptr<Subject> subject;
    for (const SubjectEntry& entry : built_in_subjects()) {
        if (entry.name == GetParam()) subject = entry.make(std::string(entry.name));
    }
    ASSERT_TRUE(subject);
    Index tried = 0;
    Index taken = 0;
    for (std::uint64_t seed = 0; tried < states_to_try(); ++seed) {
        const Case test_case = generated_case(seed);
        Drive session(*subject, test_case.spec, test_case.parameters, {});
        for (const Command& command : test_case.program) session.apply(command);
        ASSERT_FALSE(session.in_trouble()) << seed;
        const std::vector<std::byte> saved = session.save();
        const std::vector<RowNumbers> numbers = session.numbers();
        for (const DamagedState& damaged : damaged_states(saved, seed)) {
            ++tried;
            // Zeros over zeros are no damage.
            const bool is_whole = damaged.bytes == saved;
            EXPECT_EQ(
                session.attempt_load(session.spec(), test_case.parameters, damaged.bytes).kind,
                is_whole ? Status::Kind::done : Status::Kind::refused)
                << "seed " << seed << ", a state " << damaged.what;
            Case now = test_case;
            now.spec = session.spec();
            const Opened opened =
                subject->load(now.spec, now.parameters, sealed_again(saved, damaged.bytes));
            if (!opened.status.ok()) continue;
            ++taken;
            use(*opened.session, now);
        }
        EXPECT_EQ(session.numbers(), numbers);
        EXPECT_EQ(session.save(), saved) << "seed " << seed;
        EXPECT_TRUE(session.attempt_load(session.spec(), test_case.parameters, saved).ok());
    }
    EXPECT_GT(taken, 0);
    RecordProperty("tried", int(tried));
}

INSTANTIATE_TEST_SUITE_P(OfBuiltInSubjects, DamagedStates, testing::Values("fast", "plain"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace kvcheck
