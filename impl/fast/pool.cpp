// SPDX-License-Identifier: Apache-2.0
// Threads that wait for work (declared in pool.hpp).
#include "impl/fast/pool.hpp"

namespace kvcheck::fast {
namespace {

/// Looks this often before a thread goes to sleep: about a tenth of a millisecond.
constexpr int looks_awake = 2000;

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

}  // namespace

Pool::Pool(int threads) {
    for (int thread = 1; thread < threads; ++thread) {
        workers_.emplace_back([this, thread] { work(thread); });
    }
}

Pool::~Pool() {
    ends_ = true;
    ++run_;
    run_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

void Pool::share_out(const Job& job) {
    const std::lock_guard<std::mutex> lock(turn_);
    job_ = job;
    next_ = 0;
    door_ = open;
    ++run_;
    run_.notify_all();
    take_tasks(0);
    door_ -= open;  // a thread that has not woken by now is not waited for
    for (int looks = 0; door_ != 0; ++looks) {
        if (looks < looks_awake) {
            pause();
        } else {
            std::this_thread::yield();
        }
    }
}

void Pool::take_tasks(int thread) {
    for (Index number = next_++; number < job_.count; number = next_++) {
        job_.call(job_.context, number, thread);
    }
}

bool Pool::enter() {
    unsigned seen = door_;
    while (seen >= open) {
        if (door_.compare_exchange_weak(seen, seen + 1)) return true;
    }
    return false;
}

void Pool::work(int thread) {
    unsigned seen = 0;
    while (true) {
        for (int looks = 0; run_ == seen && looks < looks_awake; ++looks) pause();
        run_.wait(seen);
        seen = run_;
        if (ends_) return;
        if (!enter()) continue;
        take_tasks(thread);
        --door_;
    }
}

}  // namespace kvcheck::fast
