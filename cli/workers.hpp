// SPDX-License-Identifier: Apache-2.0
// A crew of processes: copies of this one, each with a subject of its own, told over a socket what
// to do. A worker that ends before it has reported is told as what it is: the subject's crash where
// foreign code was loaded into it, else a job that nobody judged.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "properties/suite.hpp"

namespace kvcheck {

class Workers : public Crew {
public:
    struct Setting {
        int count = 1;
        std::function<std::unique_ptr<Subject>()> make_subject;  // called in each worker
        Capabilities capabilities;                               // by which cases were planned
        bool crashes_are_the_subjects = false;  // its code is foreign and runs in the workers
    };
    /// No thread may run here. `options` and `parts` outlive it.
    Workers(Setting setting, const SuiteOptions& options, const std::vector<Part>& parts);
    /// Ends those that are left.
    ~Workers() override;
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int size() const override { return int(workers_.size()); }
    bool is_idle(int place) const override { return !workers_[std::size_t(place)].job; }
    void start(int place, const Job& job) override;
    JobResult next() override;
    Status finish() override;

private:
    struct Worker {
        pid_t process = 0;  // 0: not started yet, or lost
        int socket = -1;
        std::string unread;
        std::optional<Job> job;
    };

    void fork_worker(int place);
    [[noreturn]] void work(int place, int socket);
    /// What a worker has said; nothing where it said only how far it is.
    std::optional<JobResult> heard(int place);
    JobResult lost(int place);
    std::string end_of(Worker& worker);

    Setting setting_;
    const SuiteOptions& options_;
    const std::vector<Part>& parts_;
    std::vector<Worker> workers_;
};

/// How many processors this process may use, at least one.
int usable_processors();

}  // namespace kvcheck
