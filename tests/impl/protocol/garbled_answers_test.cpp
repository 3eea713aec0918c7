// SPDX-License-Identifier: Apache-2.0
// Damaged answers, lines and frames, read from memory: each is understood or is a verdict in words,
// within the limit of memory; a crash, an assertion or an exception is a fault. The environment
// variable KVCHECK_FUZZ_ANSWERS says how many answers; the stream is always the same. A few come
// from a process in garbled_children_test.cpp.
#include <gtest/gtest.h>

#include <cstdlib>

#include "impl/catalogue.hpp"
#include "impl/protocol/child.hpp"
#include "impl/protocol/frame.hpp"
#include "tests/adapters/garble.h"
#include "tests/impl/protocol/recorded.hpp"
#include "tests/model/allocated.hpp"

namespace kvcheck {
namespace {

Index answer_count() {
    constexpr Index count_default = 4000;
    const char* const text = std::getenv("KVCHECK_FUZZ_ANSWERS");
    return text == nullptr ? count_default : std::atoll(text);
}

/// Answers request n with message n of a record, one of them damaged, never the first. Where a
/// process would be waited for, nothing more can come here.
class Record final : public Carrier {
public:
    Record(const std::vector<std::string>& answers, Index number) : answers_(answers) {
        constexpr unsigned long long stride = 0x9e3779b97f4a7c15ULL;
        state = static_cast<unsigned long long>(number) * stride + 1;
        damaged_ = 1 + draw(unsigned(answers.size()) - 1);
    }

    Reply ask(const std::string&, AnswerSize size) override {
        if (!alive_) return {Reply::Kind::died, "it is gone"};
        if (!unread_.empty()) return ended(Reply::Kind::died, "it answered what nobody asked");
        if (next_ == answers_.size()) return ended(Reply::Kind::died, "it has no more answers");
        unread_ = next_ == damaged_ ? damaged(answers_[next_]) : answers_[next_];
        ++next_;
        AnswerEnd end(size);
        if (!end.has_come(unread_)) {
            return end.is_too_large(unread_) ? ended(Reply::Kind::died, "its answer is too long")
                                             : ended(Reply::Kind::timed_out, "no more comes");
        }
        Reply reply{Reply::Kind::answer, unread_.substr(0, end.size())};
        unread_.erase(0, end.size_with_end());
        return reply;
    }
    bool alive() const override { return alive_; }
    std::string give_up_on(const std::string& what) override { return what + "; " + give_up(); }
    std::string give_up() override { return ended(Reply::Kind::died, "it was ended").text; }
    Reply finish() override { return {}; }

private:
    Reply ended(Reply::Kind kind, const std::string& how) {
        alive_ = false;
        return {kind, how};
    }

    /// A line's end is not damaged.
    static std::string damaged(std::string text) {
        const bool is_frame = begins_frame(text);
        const std::size_t size = text.size() - (is_frame ? 0 : 1);
        text.resize(text.size() + 2);
        text.resize(garble(text.data(), size));
        return is_frame ? text : text + '\n';
    }

    const std::vector<std::string>& answers_;
    std::size_t next_ = 0;
    std::size_t damaged_ = 0;
    bool alive_ = true;
    std::string unread_;
};

class GarbledAnswers : public testing::TestWithParam<bool> {};

TEST_P(GarbledAnswers, AreUnderstoodOrVerdictsInWords) {
    const std::vector<std::string> answers = recorded_answers(GetParam());
    constexpr std::size_t bytes_max = std::size_t{16} << 20;  // for a whole conversation
    const Index count = (answer_count() + 1) / 2;
    Seen seen;
    Index broken = 0;
    std::size_t most = 0;
    for (Index n = 0; n < count; ++n) {
        SCOPED_TRACE(n);
        const std::size_t before = bytes_allocated();
        const auto subject =
            make_remote([&] { return std::make_unique<Record>(answers, n); }, {"record"});
        const Index good = seen[Status::Kind::done] + seen[Status::Kind::refused];
        drive_once(*subject, seen);
        const Index more = seen[Status::Kind::done] + seen[Status::Kind::refused] - good;
        broken += more < Index(answers.size()) - 1 ? 1 : 0;
        most = std::max(most, bytes_allocated() - before);
        ASSERT_LT(most, bytes_max);
        ASSERT_FALSE(HasFailure());
    }
    RecordProperty("broken", std::to_string(broken));
    RecordProperty("late", std::to_string(seen[Status::Kind::timed_out]));
    RecordProperty("bytes", std::to_string(most));
    // Both are reached only where a fair share of the damage is seen, and a fair share is not.
    EXPECT_GT(broken * 4, count);
    EXPECT_LT(broken, count);
}

INSTANTIATE_TEST_SUITE_P(Both, GarbledAnswers, testing::Bool(), [](const auto& test) {
    return std::string(test.param ? "Frames" : "Lines");
});

TEST(Record, WithoutDamageIsAllDone) {
    for (const bool frames : {false, true}) {
        const std::vector<std::string> answers = recorded_answers(frames);
        Seen seen;
        drive_once(*built_in_subjects()[0].make("plain"), seen);
        EXPECT_EQ(seen, (Seen{{Status::Kind::done, Index(answers.size()) - 1}})) << "all but hello";
        for (const std::string& answer : answers)
            EXPECT_TRUE(begins_frame(answer) || answer.rfind("{\"done\":", 0) == 0) << answer;
    }
}

}  // namespace
}  // namespace kvcheck
