// SPDX-License-Identifier: Apache-2.0
// A subject computes in the floating-point environment it was loaded with, and the checker in its
// own, whatever the subject does.
#include "impl/kept_environment.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <stdexcept>

namespace kvcheck {
namespace {

/// Sessions that note the rounding direction of their calls and may leave another one behind.
struct Rounding {
    int seen = -1;
    int left = -1;  // -1: as it is
    bool throws = false;
};

class RoundingSession final : public Session {
public:
    explicit RoundingSession(Rounding& rounding) : rounding_(rounding) {}
    Status append(const AppendCall&) override {
        rounding_.seen = std::fegetround();
        if (rounding_.left >= 0) std::fesetround(rounding_.left);
        if (rounding_.throws) throw std::runtime_error("half way");
        return Status::done();
    }
    Status apply(const Lifecycle&) override { return Status::done(); }
    Status numbers(std::span<RowNumbers>) override { return Status::done(); }

private:
    Rounding& rounding_;
};

class RoundingSubject final : public Subject {
public:
    explicit RoundingSubject(Rounding& rounding) : rounding_(rounding) {}
    const Capabilities& capabilities() const override { return capabilities_; }
    Opened open(const Spec&, const Parameters&) override {
        return {Status::done(), std::make_unique<RoundingSession>(rounding_)};
    }

private:
    Rounding& rounding_;
    Capabilities capabilities_;
};

class KeptEnvironment : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(std::fegetround(), FE_TONEAREST); }
    void TearDown() override { std::fesetround(FE_TONEAREST); }

    std::unique_ptr<Session> session(int at_load) {
        subject_ = in_its_own_environment([&]() -> std::unique_ptr<Subject> {
            std::fesetround(at_load);
            return std::make_unique<RoundingSubject>(rounding_);
        });
        EXPECT_EQ(std::fegetround(), FE_TONEAREST) << "after it was loaded";
        return subject_->open({}, {}).session;
    }

    Rounding rounding_;
    std::unique_ptr<Subject> subject_;
};

TEST_F(KeptEnvironment, IsThatOfTheLoadInCallsAndOursBetweenThem) {
    const auto kept = session(FE_UPWARD);
    EXPECT_TRUE(kept->append({}).ok());
    EXPECT_EQ(rounding_.seen, FE_UPWARD);
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    EXPECT_EQ(kept->memory_fault(), "");
}

TEST_F(KeptEnvironment, ThatACallChangesIsToldOnceAndUndone) {
    const auto kept = session(FE_TONEAREST);
    rounding_.left = FE_DOWNWARD;
    EXPECT_TRUE(kept->append({}).ok());
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    EXPECT_NE(kept->memory_fault().find("append changed the rounding direction"),
              std::string::npos);
    rounding_.left = -1;
    EXPECT_TRUE(kept->append({}).ok());
    EXPECT_EQ(rounding_.seen, FE_TONEAREST);
    EXPECT_EQ(kept->memory_fault(), "");
}

TEST_F(KeptEnvironment, IsOursAfterAnExceptionToo) {
    const auto kept = session(FE_UPWARD);
    rounding_.throws = true;
    EXPECT_THROW(kept->append({}), std::runtime_error);
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

}  // namespace
}  // namespace kvcheck
