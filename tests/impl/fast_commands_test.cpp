// SPDX-License-Identifier: Apache-2.0
// Programs of commands on the fast subject at the length of its blocks, which random cases seldom
// reach: forks, truncations, reorders and evictions inside and at the ends of blocks, in several
// conventions. What is right is told by the properties.
#include <gtest/gtest.h>

#include <cmath>

#include "bench/dense_call.hpp"
#include "impl/fast/fast.hpp"
#include "impl/fast/kernels.hpp"
#include "model/cache_state.hpp"
#include "model/quarter_turns.hpp"
#include "model/types/enum_names.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/search/search.hpp"
#include "tests/model/allocated.hpp"

namespace kvcheck {
namespace {

using fast::block_slots;

constexpr Index capacity = 2 * block_slots + 12;

struct Conventions {
    std::string name;
    void (*apply)(Case&);
};

const std::vector<Conventions> conventions = {
    {"Plain", [](Case&) {}},
    {"WindowAndAnchors",
     [](Case& c) {
         c.spec.window = 20;
         c.spec.anchors = 3;
     }},
    {"SlopesByVisibleCount",
     [](Case& c) {
         c.spec.slopes = true;
         c.spec.position_ids = PositionIds::visible_count;
         c.parameters.slopes = {0.0625F, 0.25F};
     }},
    {"RotaryByVisibleCount",
     [](Case& c) {
         c.spec.rotary = Rotary::halves;
         c.spec.position_ids = PositionIds::visible_count;
         c.parameters = zero_parameters(c.spec, capacity);
         const auto half = std::size_t(c.spec.key_width / 2);
         for (std::size_t i = 0; i < c.parameters.rotary_table.size(); ++i) {
             const std::size_t id = i / (2 * half);
             const double angle = double(id) * (i % half == 0 ? 1 : 0.125);
             c.parameters.rotary_table[i] =
                 float(i / half % 2 == 0 ? std::cos(angle) : std::sin(angle));
         }
     }},
    {"Layer",
     [](Case& c) {
         c.spec.level = Level::layer;
         c.spec.model_width = 6;
         c.spec.position_signal = PositionSignal::learned;
         c.spec.biases = true;
         c.parameters = some_parameters(c.spec, capacity, 5);
     }},
};

/// A case that grows command by command, with the number of rows that it has so far.
class Program {
public:
    explicit Program(const Conventions& in) {
        case_.spec.rows = 2;
        case_.spec.query_heads = 2;
        case_.spec.kv_heads = 1;
        case_.spec.key_width = case_.spec.value_width = 4;
        case_.spec.capacity = capacity;
        in.apply(case_);
    }

    /// The last count is that of all rows that follow. Every seventh token is padding.
    Program& append(const std::vector<Index>& counts) {
        Append append;
        append.rows.resize(std::size_t(rows_));
        for (std::size_t row = 0; row < append.rows.size(); ++row) {
            const Index count = counts[std::min(row, counts.size() - 1)];
            for (Index t = 0; t < count; ++t) {
                Token token = zero_token(case_.spec, ++tokens_ % 7 != 0);
                fill_with_numbers(token.input, tokens_);
                append.rows[row].push_back(std::move(token));
            }
        }
        case_.program.emplace_back(std::move(append));
        return *this;
    }

    template <class Command>
    Program& then(Command command) {
        case_.program.emplace_back(std::move(command));
        rows_ = rows_after(case_.program.back(), rows_);
        return *this;
    }

    Program& with_storage(Storage storage) {
        case_.spec.storage = storage;
        return *this;
    }

    const Case& result() const { return case_; }

private:
    Case case_;
    Index rows_ = 2;
    std::uint64_t tokens_ = 0;
};

class FastCommands : public testing::TestWithParam<Conventions> {
public:
    Program program() const { return Program(GetParam()); }

    /// With one thread, and with two that share every step of rows cut as short as may be.
    static void expect_right(const Program& program) {
        validate(program.result());
        for (const int threads : {1, 2}) {
            FastOptions options;
            options.threads = threads;
            if (threads > 1) {
                options.parallel_from = 0;
                options.split_slots = block_slots;
            }
            const auto subject = make_fast("fast", options);
            for (const char* const name : {"outputs_match_the_oracle", "cache_grows_exactly",
                                           "unused_memory_is_invisible"}) {
                const Verdict verdict =
                    check(*property_named(name), *subject, program.result(), Evaluation::certified);
                EXPECT_EQ(verdict.kind, Verdict::Kind::passed)
                    << name << ", " << threads << " threads: " << sentence_of(verdict);
            }
        }
    }
};

TEST_P(FastCommands, AForkInsideABlockLeavesBothRowsTheirOwn) {
    expect_right(program().append({70, 3}).then(Fork{0}).append({1, 0, 1}).append({4, 1, 2}));
}

TEST_P(FastCommands, ARowGoesOnBelowABlockThatItShares) {
    expect_right(program()
                     .append({128, 5})
                     .then(Fork{0})
                     .then(Truncate{60, 0})
                     .append({2, 0, 3})
                     .then(Truncate{66, 2})
                     .append({10, 1, 1})
                     .append({1}));
}

TEST_P(FastCommands, BeamsAreCopiedSwappedDroppedAndGrowInNumber) {
    expect_right(program()
                     .append({66, 40})
                     .then(Reorder{{1, 0}})
                     .append({1})
                     .then(Reorder{{1, 1}})
                     .append({2, 1})
                     .then(Reorder{{0, 1, 0, 0}})
                     .append({1})
                     .then(Reorder{{3}})
                     .append({3}));
}

TEST_P(FastCommands, FullRowsPartOnceTheyAreTruncated) {
    expect_right(program()
                     .append({capacity, capacity - 1})
                     .then(Fork{0})
                     .append({0, 1, 0})
                     .then(Reorder{{2, 0, 2}})
                     .then(Truncate{capacity - 2, std::nullopt})
                     .append({2, 1, 2}));
}

TEST_P(FastCommands, EmptyRowsAreForkedAndReordered) {
    expect_right(program()
                     .then(Fork{1})
                     .then(Reorder{{2, 0, 1, 1}})
                     .then(Truncate{0, std::nullopt})
                     .append({2, 0, 65, 1})
                     .append({1}));
}

TEST_P(FastCommands, AStateIsSavedWithinSharedAndEvictedBlocks) {
    expect_right(program()
                     .append({70, 129})
                     .then(Fork{1})
                     .then(Evict{1, 0, 64})
                     .then(Evict{2, 63, 66})
                     .then(Reload{})
                     .append({1, 2, 3})
                     .then(Reorder{{2, 1}})
                     .then(Reload{})
                     .then(Truncate{64, 1})
                     .append({1, 66}));
}

TEST_P(FastCommands, EvictedBlocksStayHiddenWhereARowGoesOnInside) {
    expect_right(program()
                     .append({130, 70})
                     .then(Evict{0, 1, 5})
                     .then(Evict{0, 60, 128})
                     .append({2})
                     .then(Fork{0})
                     .then(Evict{1, 0, 64})
                     .append({1, 2, 3})
                     .then(Truncate{100, 2})
                     .append({1, 1, 30})
                     .then(Reset{0})
                     .append({5, 1, 1}));
}

TEST_P(FastCommands, AFinishedRowMayBeForkedTruncatedAndReset) {
    expect_right(program()
                     .append({65, 3})
                     .then(Finish{0})
                     .then(Fork{0})
                     .append({0, 2, 0})
                     .then(Truncate{64, 0})
                     .then(Reset{2})
                     .append({0, 1, 2}));
}

TEST_P(FastCommands, APrefixIsReusedInsideABlockAndAtItsEnd) {
    expect_right(program()
                     .append({70, 64})
                     .then(Publish{0, 0})
                     .then(Publish{1, 1})
                     .append({1, 1})
                     .then(Truncate{60, 0})
                     .append({3, 1})
                     .then(Reset{1})
                     .then(Reuse{1, 0, 70})
                     .append({1, 2})
                     .then(Fork{1})
                     .then(Reset{0})
                     .then(Reuse{0, 1, 64})
                     .then(Evict{1, 0, 64})
                     .append({1, 1, 1}));
}

/// Of every storage that may be turned twice.
class FastShifts : public testing::TestWithParam<Storage> {};

TEST_P(FastShifts, TurnKeysOfSharedBlocksInTheirOwnRowOnly) {
    const Conventions quarter = {"QuarterTurns", [](Case& c) {
                                     c.spec.rotary = Rotary::halves;
                                     c.parameters.rotary_table = quarter_turns(capacity, {1, 3});
                                 }};
    Program program(quarter);
    program.with_storage(GetParam())
        .append({70, 130})
        .then(Evict{0, 0, 5})
        .then(Fork{0})
        .then(Shift{0, 5})
        .append({1, 1, 1})
        .then(Evict{1, 0, 64})
        .then(Shift{1, 63})
        .then(Reload{})
        .append({2, 3, 1})
        .then(Shift{1, 1})
        .then(Reorder{{1, 2, 0}})
        .append({1, 2});
    FastCommands::expect_right(program);
}

INSTANTIATE_TEST_SUITE_P(In, FastShifts,
                         testing::Values(Storage::element, Storage::bf16, Storage::fp16),
                         [](const auto& test) { return std::string(name_of(test.param)); });

INSTANTIATE_TEST_SUITE_P(In, FastCommands, testing::ValuesIn(conventions),
                         [](const auto& test) { return test.param.name; });

Spec decode_spec() {
    Spec spec;
    spec.rows = 1;
    spec.query_heads = 4;
    spec.kv_heads = 2;
    spec.key_width = spec.value_width = 16;
    spec.capacity = 400;
    return spec;
}

TEST(FastMemoryUse, AStepThatCopiesAsksNothingOfTheHeap) {
    Spec spec = decode_spec();
    FastOptions options;
    options.split_slots = block_slots;
    const Opened opened = make_fast("fast", options)->open(spec, {});
    DenseCall prefix(spec, 100);
    ASSERT_TRUE(opened.session->append(prefix.call()).ok());
    ASSERT_TRUE(opened.session->apply(Reorder{{0, 0, 0, 0, 0}}).ok());
    spec.rows = 5;
    DenseCall step(spec, 1);
    EXPECT_EQ(memory_use(*opened.session).blocks_in_use, 2);
    const std::size_t before = bytes_allocated();
    for (std::uint64_t n = 0; n < 200; ++n) {
        step.fill(n);
        ASSERT_TRUE(opened.session->append(step.call()).ok());
    }
    EXPECT_EQ(bytes_allocated() - before, 0U);
    EXPECT_EQ(memory_use(*opened.session).blocks_in_use, 1 + 5 * 4);
    ASSERT_TRUE(opened.session->apply(Reset{}).ok());
    EXPECT_EQ(memory_use(*opened.session).blocks_in_use, 0);
}

TEST(FastCommandsByHand, AFinishedRowRefusesTokensAndTheOthersKeepTheirs) {
    Spec spec = decode_spec();
    spec.rows = 2;
    const Opened opened = make_fast("fast")->open(spec, {});
    DenseCall call(spec, 2);
    ASSERT_TRUE(opened.session->append(call.call()).ok());
    ASSERT_TRUE(opened.session->apply(Finish{1}).ok());
    EXPECT_EQ(opened.session->append(call.call()).kind, Status::Kind::refused);
    std::vector<RowNumbers> numbers(2);
    ASSERT_TRUE(opened.session->numbers(numbers).ok());
    EXPECT_EQ(numbers[0].length, 2);
    call.give({1, 0});
    EXPECT_TRUE(opened.session->append(call.call()).ok());
}

TEST(FastCommandsByHand, WhatIsEvictedIsShownAsZeros) {
    Spec spec = decode_spec();
    spec.kv_heads = 1;
    const Opened opened = make_fast("fast")->open(spec, {});
    DenseCall call(spec, block_slots + 2);
    call.fill(1);
    ASSERT_TRUE(opened.session->append(call.call()).ok());
    ASSERT_TRUE(opened.session->apply(Evict{0, 0, block_slots + 1}).ok());
    const Shape shape{1, block_slots + 2, spec.key_width};
    std::vector<float> key(std::size_t(shape.size()), 7);
    std::vector<float> value(std::size_t(shape.size()), 7);
    ASSERT_TRUE(opened.session
                    ->export_kv(0, dense_view<OutputView>(key.data(), shape),
                                dense_view<OutputView>(value.data(), shape))
                    .ok());
    for (Index i = 0; i < shape.size(); ++i) {
        const bool shown = i / spec.key_width == block_slots + 1;
        EXPECT_EQ(key[std::size_t(i)], shown ? call.input(1)[std::size_t(i)] : 0);
        EXPECT_EQ(value[std::size_t(i)], shown ? call.input(2)[std::size_t(i)] : 0);
    }
}

TEST(FastMemoryUse, AForkThatNoMemoryCanHoldIsRefusedAndChangesNothing) {
    Spec spec = decode_spec();
    // 64 TB of address space for eight rows; processes have 128.
    spec.rows = 8;
    spec.kv_heads = spec.query_heads = 1;
    spec.key_width = spec.value_width = spec.capacity = extent_max;
    const Opened opened = make_fast("fast")->open(spec, {});
    if (!opened.status.ok()) GTEST_SKIP() << "too little address space to begin with";
    const Index blocks_free = memory_use(*opened.session).blocks_free;
    EXPECT_EQ(opened.session->apply(Fork{0}).kind, Status::Kind::refused);
    EXPECT_EQ(memory_use(*opened.session).blocks_free, blocks_free);
    std::vector<RowNumbers> numbers(std::size_t(spec.rows) + 1);
    EXPECT_TRUE(opened.session->numbers(numbers).ok());
    EXPECT_TRUE(numbers[7].length);
    EXPECT_FALSE(numbers[8].length);
}

}  // namespace
}  // namespace kvcheck
