// SPDX-License-Identifier: Apache-2.0
// The parts of the fast subject that stand alone: memory, panels, plan, threads.
#include <gtest/gtest.h>

#include <set>

#include "impl/fast/panels.hpp"
#include "impl/fast/plan.hpp"
#include "impl/fast/pool.hpp"

namespace kvcheck::fast {
namespace {

Spec cached_spec() {
    Spec spec;
    spec.rows = 3;
    spec.query_heads = 4;
    spec.kv_heads = 2;
    spec.key_width = 3;
    spec.value_width = 70;
    spec.capacity = 200;
    return spec;
}

TEST(FastMemory, IsAlignedAndWritableFromEndToEndInEverySize) {
    for (const Index floats : {1, 16, 1000, 1 << 18, (1 << 18) + 1, 3 << 20}) {
        const Memory memory(floats);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 64, 0U);
        memory.data()[0] = memory.data()[floats - 1] = 1;
    }
}

TEST(FastPanels, CoverAMatrixOnceAndWithoutGaps) {
    for (const Index columns : {1, 16, 63, 64, 65, 150, 192}) {
        constexpr Index rows = 5;
        std::vector<float> matrix(std::size_t(rows * padded(columns)));
        std::set<const float*> seen;
        for (Index p = 0; p < panel_count(columns); ++p) {
            const Panel<float> panel = panel_of(matrix.data(), rows, columns, p);
            for (Index row = 0; row < rows; ++row) {
                for (Index column = 0; column < panel.stride; ++column) {
                    seen.insert(panel.data + row * panel.stride + column);
                }
            }
        }
        EXPECT_EQ(seen.size(), matrix.size()) << columns;
        EXPECT_EQ(*seen.begin(), matrix.data()) << columns;
        EXPECT_EQ(*seen.rbegin(), &matrix.back()) << columns;
    }
}

/// How often each (token, head, block) of a segment is attended to.
std::vector<int> attended(const Plan& plan, const Spec& spec, Index tokens, Index blocks) {
    std::vector<int> count(std::size_t(tokens * spec.kv_heads * blocks));
    for (Index number = 0; number < plan.tasks(); ++number) {
        const Task task = plan.task(number);
        for (Index t = task.first; t < task.first + task.tokens; ++t) {
            for (Index b = plan.first_block(task); b < plan.last_block(task); ++b) {
                ++count[std::size_t((t * spec.kv_heads + task.head) * blocks + b)];
            }
        }
    }
    return count;
}

TEST(FastPlan, AttendsToEveryBlockOnceWhateverTheCuts) {
    Spec spec = cached_spec();
    spec.capacity = 5000;
    for (const Index group : {1, 2, 40, 200}) {
        spec.query_heads = group * spec.kv_heads;
        for (const Index split : {64, 128, 1024}) {
            Plan plan(spec, split);
            for (const Index tokens : {1, 2, 4, 5, 100, 1000}) {
                for (const Index past : {0, 63, 64, 1500}) {
                    plan.clear();
                    plan.add(0, 0, 0, tokens, past, tokens);
                    EXPECT_LE(plan.states(), plan.states_max());
                    const Index blocks = (past + tokens + 63) / 64;
                    const auto count = attended(plan, spec, tokens, blocks);
                    for (Index t = 0; t < tokens; ++t) {
                        const Index needed = (past + t) / 64 + 1;
                        for (Index b = 0; b < needed; ++b) {
                            ASSERT_EQ(count[std::size_t(t * spec.kv_heads * blocks + b)], 1);
                        }
                    }
                }
            }
        }
    }
}

TEST(FastPool, RunsEachTaskOnceAndAllOfThem) {
    for (const int threads : {1, 2, 4}) {
        Pool pool(threads);
        for (int run = 0; run < 200; ++run) {
            const Index tasks = run % 40;
            std::vector<std::atomic<int>> done(std::size_t(tasks + 1));
            pool.run(tasks, [&](Index number, int thread) {
                EXPECT_LT(thread, threads);
                ++done[std::size_t(number)];
            });
            for (Index n = 0; n < tasks; ++n) ASSERT_EQ(done[std::size_t(n)], 1);
        }
    }
}

TEST(FastPool, SleepsAndWakesAgain) {
    Pool pool(3);
    for (int run = 0; run < 3; ++run) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        std::atomic<int> done{0};
        pool.run(100, [&](Index, int) { ++done; });
        EXPECT_EQ(done, 100);
    }
}

}  // namespace
}  // namespace kvcheck::fast
