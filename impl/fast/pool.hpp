// SPDX-License-Identifier: Apache-2.0
// A few threads that share out numbered tasks. The caller is one of them. Which thread does which
// task is left to chance, so a task may depend on nothing but its number, apart from the scratch
// memory of the thread that runs it. Between two runs the threads wait: a short while awake, for a
// step that comes at once, and then asleep.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "model/types/spec.hpp"

namespace kvcheck::fast {

class Pool {
public:
    /// `threads` counts the caller, so 1 starts none.
    explicit Pool(int threads);
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    int threads() const { return int(workers_.size()) + 1; }

    /// Calls task(number, thread) for each number below `count`, thread being below threads(), and
    /// returns when all are done. Tasks throw nothing. Runs of several callers take turns.
    template <class Task>
    void run(Index count, const Task& task) {
        const auto call = [](const void* context, Index number, int thread) {
            (*static_cast<const Task*>(context))(number, thread);
        };
        share_out({call, &task, count});
    }

private:
    struct Job {
        void (*call)(const void* context, Index number, int thread) = nullptr;
        const void* context = nullptr;
        Index count = 0;
    };

    void share_out(const Job& job);
    void take_tasks(int thread);
    bool enter();
    void work(int thread);

    /// The door counts the threads that are at work; this much more while others may still enter.
    static constexpr unsigned open = 1U << 16;

    std::mutex turn_;
    Job job_;
    std::atomic<Index> next_{0};    // the number that is taken next
    std::atomic<unsigned> run_{0};  // counts runs; a change wakes the threads
    std::atomic<unsigned> door_{0};
    std::atomic<bool> ends_{false};
    std::vector<std::thread> workers_;
};

}  // namespace kvcheck::fast
