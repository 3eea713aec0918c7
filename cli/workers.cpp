// SPDX-License-Identifier: Apache-2.0
// Forking, asking and losing workers (declared in workers.hpp).
#include "cli/workers.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cli/interrupt.hpp"
#include "cli/messages.hpp"
#include "impl/protocol/child.hpp"
#include "impl/protocol/children.hpp"
#include "model/types/error.hpp"
#include "properties/rounds/job_runner.hpp"
#include "properties/rounds/packed.hpp"

namespace kvcheck {
namespace {

std::string end_text(int status) {
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        return fmt::format("ended by signal {} ({})", signal, strsignal(signal));
    }
    return fmt::format("exited with code {}", WEXITSTATUS(status));
}

/// In place of a subject that did not start in a worker as it did before: each session of it has
/// died, as where a process is started again.
class NotStarted final : public Subject {
public:
    NotStarted(const Capabilities& capabilities, const std::string& why)
        : capabilities_(capabilities), why_("started again: " + why) {}
    const Capabilities& capabilities() const override { return capabilities_; }
    Opened open(const Spec&, const Parameters&) override { return {Status::died(why_), nullptr}; }

private:
    Capabilities capabilities_;
    std::string why_;
};

std::unique_ptr<Subject> started(const std::function<std::unique_ptr<Subject>()>& make,
                                 const Capabilities& first) {
    std::string why;
    try {
        std::unique_ptr<Subject> subject = make();
        why = difference_of(first, subject->capabilities());
        if (why.empty()) return subject;
    } catch (const InputError& error) {
        why = error.what();
    }
    return std::make_unique<NotStarted>(first, why);
}

}  // namespace

Workers::Workers(Setting setting, const SuiteOptions& options, const std::vector<Part>& parts)
    : setting_(std::move(setting)),
      options_(options),
      parts_(parts),
      workers_(std::size_t(setting_.count)) {}

Workers::~Workers() {
    for (Worker& worker : workers_) {
        if (worker.process == 0) continue;
        kill(worker.process, SIGTERM);
        end_of(worker);
    }
}

/// Waits for a process to end; how it did, in words.
std::string Workers::end_of(Worker& worker) {
    int status = 0;
    while (waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
    }
    forget_worker(worker.process);
    close(worker.socket);
    worker = {};
    return end_text(status);
}

void Workers::fork_worker(int place) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw std::system_error(errno, std::generic_category(), "no socket for a worker");
    std::fflush(nullptr);  // else what is waiting to be printed would be there twice
    // An interruption waits until each side knows what it is.
    sigset_t interruptions;
    sigset_t before;
    sigemptyset(&interruptions);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&interruptions, signal);
    sigprocmask(SIG_BLOCK, &interruptions, &before);
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process < 0) {
        const int trouble = errno;
        sigprocmask(SIG_SETMASK, &before, nullptr);
        close(ends[0]);
        close(ends[1]);
        throw std::system_error(trouble, std::generic_category(), "no process for a worker");
    }
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);  // it does not outlive this run
        if (getppid() != parent) _exit(1);
        for (const Worker& other : workers_) {
            if (other.process != 0) close(other.socket);
        }
        close(ends[0]);
        become_worker(current_case_path(options_.save_folder, place + 1));
        sigprocmask(SIG_SETMASK, &before, nullptr);
        work(place, ends[1]);
    }
    close(ends[1]);
    remember_worker(process);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    workers_[std::size_t(place)].process = process;
    workers_[std::size_t(place)].socket = ends[0];
}

/// The life of a worker: it never returns, and leaves nothing to be done at exit.
void Workers::work(int place, int socket) {
    SuiteOptions options = options_;
    options.current_case = current_case_path(options.save_folder, place + 1);
    forget_all_children();
    std::unique_ptr<Subject> subject;
    std::string unread;
    for (;;) {
        const std::optional<Message> message = wait_for_message(socket, unread);
        if (!message || message->kind == Message::Kind::finish) {
            const Status end = subject != nullptr ? subject->finish() : Status::done();
            subject.reset();
            if (message) send_message(socket, {Message::Kind::ended, end.ok() ? "" : end.message});
            _exit(0);
        }
        const Job job = unpacked_job(message->bytes);
        JobResult result;
        result.number = job.number;
        result.place = place;
        try {
            if (subject == nullptr) subject = started(setting_.make_subject, setting_.capabilities);
            const auto told = [&, last = Clock::now()](Index done) mutable {
                constexpr std::chrono::milliseconds pause{50};
                if (Clock::now() - last < pause) return;
                last = Clock::now();
                send_message(socket, {Message::Kind::progress, std::to_string(done)});
            };
            result = JobRunner(*subject, options, parts_).run(job, told);
            result.place = place;
        } catch (const std::exception& error) {
            result.trouble = InputError::shown(error.what());
        }
        if (!send_message(socket, {Message::Kind::result, packed(result)})) _exit(1);
    }
}

void Workers::start(int place, const Job& job) {
    Worker& worker = workers_[std::size_t(place)];
    if (worker.process == 0) fork_worker(place);
    worker.job = job;
    // Where it has died meanwhile, next() will find out.
    (void)send_message(worker.socket, {Message::Kind::job, packed(job)});
}

JobResult Workers::next() {
    for (;;) {
        std::vector<pollfd> polled;
        std::vector<int> places;
        for (int place = 0; place < size(); ++place) {
            if (is_idle(place)) continue;
            polled.push_back({workers_[std::size_t(place)].socket, POLLIN, 0});
            places.push_back(place);
        }
        if (poll(polled.data(), nfds_t(polled.size()), -1) < 0) {
            if (errno == EINTR) continue;
            throw std::system_error(errno, std::generic_category(), "cannot wait for the workers");
        }
        for (std::size_t n = 0; n < polled.size(); ++n) {
            if (polled[n].revents == 0) continue;
            const std::optional<JobResult> result = heard(places[n]);
            if (result) return *result;
        }
    }
}

std::optional<JobResult> Workers::heard(int place) {
    Worker& worker = workers_[std::size_t(place)];
    if (!receive_some(worker.socket, worker.unread)) return lost(place);
    while (const std::optional<Message> message = take_message(worker.unread)) {
        if (message->kind == Message::Kind::result) {
            worker.job.reset();
            return unpacked_result(message->bytes);
        }
        if (progress && message->kind == Message::Kind::progress)
            progress(worker.job->number, std::stol(message->bytes));
    }
    return std::nullopt;
}

/// The result of a job whose worker is gone.
JobResult Workers::lost(int place) {
    Worker& worker = workers_[std::size_t(place)];
    const Job job = *worker.job;
    const std::string end = end_of(worker);
    JobResult result;
    result.number = job.number;
    result.place = place;
    result.trouble = fmt::format("worker {} {} before it had reported", place + 1, end);
    const std::string path = current_case_path(options_.save_folder, place + 1);
    std::error_code error;
    const bool killed = end.find("(Killed)") != std::string::npos;
    if (setting_.crashes_are_the_subjects && !killed && std::filesystem::exists(path, error)) {
        const CaseFile running = read_case_file(path);
        result.property = running.finding.property;
        result.search.counterexample = Counterexample{
            running.test_case, Verdict::crashed("the subject took its process down: it " + end)};
        result.trouble.clear();
    }
    std::filesystem::remove(path, error);
    std::filesystem::remove(path + ".part", error);
    return result;
}

Status Workers::finish() {
    Status worst = Status::done();
    for (Worker& worker : workers_) {
        if (worker.process == 0) continue;
        if (worker.job)
            kill(worker.process, SIGTERM);
        else
            (void)send_message(worker.socket, {Message::Kind::finish, ""});
    }
    for (int place = 0; place < size(); ++place) {
        Worker& worker = workers_[std::size_t(place)];
        if (worker.process == 0) continue;
        const bool was_asked = !worker.job;
        std::optional<Message> answer;
        if (was_asked) answer = wait_for_message(worker.socket, worker.unread);
        const std::string end = end_of(worker);
        if (!was_asked || !worst.ok()) continue;
        if (!answer)
            worst = Status::died(fmt::format("worker {} {}", place + 1, end));
        else if (!answer->bytes.empty())
            worst = Status::died(answer->bytes);
    }
    end_strays();
    return worst;
}

int usable_processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return std::max(CPU_COUNT(&set), 1);
}

}  // namespace kvcheck
