// SPDX-License-Identifier: Apache-2.0
// Pipes, time limits and the end of a child (declared in child_process.hpp).
#include "impl/protocol/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "impl/protocol/children.hpp"
#include "impl/protocol/frame.hpp"
#include "impl/protocol/keeper.hpp"
#include "impl/protocol/resident_set.hpp"
#include "model/types/error.hpp"
#include "model/types/shown.hpp"

namespace kvcheck {
namespace {

using Clock = std::chrono::steady_clock;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer);
#else
constexpr bool sanitized = false;
#endif

constexpr std::chrono::milliseconds between_looks{20};  // at the time and at the child's memory

/// Milliseconds until `look`, for poll; at least one, because it counts no less.
int pause_until(Clock::time_point look) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(look - Clock::now());
    return std::max(1, int(left.count()));
}

constexpr const char* unasked_words = "it answered what nobody asked";

/// What a descriptor is once it is closed.
int closed(int descriptor) {
    if (descriptor >= 0) close(descriptor);
    return -1;
}

std::string status_text(int status) {
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        return "it was killed by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
    }
    return "it exited with code " + std::to_string(WEXITSTATUS(status));
}

/// By a signal that nobody here sent before it ended; a shell tells of one with 128 and its number.
bool is_kill(int status) {
    constexpr int told_by_shell = 128 + SIGKILL;
    return (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ||
           (WIFEXITED(status) && WEXITSTATUS(status) == told_by_shell);
}

/// In the child: the command, in a folder of its own; OLDPWD is where it was typed, as after a cd.
[[noreturn]] void become(const std::string& command, const std::string& folder, int input,
                         int output, int errors, const ChildLimits& limits) {
    std::array<char, PATH_MAX> here{};
    if (getcwd(here.data(), here.size()) != nullptr) setenv("OLDPWD", here.data(), 1);
    if (chdir(folder.c_str()) != 0) _exit(127);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::signal(SIGPIPE, SIG_DFL);  // that it is ignored is our business
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    // An address sanitizer reserves terabytes that it never touches: the watch on what is resident
    // is all that can hold such a program.
    if (!sanitized && limits.memory_bytes_max > 0) {
        const rlimit data{limits.memory_bytes_max, limits.memory_bytes_max};
        setrlimit(RLIMIT_DATA, &data);
    }
    const rlimit core{0, 0};
    setrlimit(RLIMIT_CORE, &core);
    execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    _exit(127);
}

}  // namespace

ChildProcess::ChildProcess(const std::string& command, const ChildLimits& limits)
    : limits_(limits) {
    std::signal(SIGPIPE, SIG_IGN);
    adopt_orphans();
    start_keeper();
    std::array<int, 2> down{};
    std::array<int, 2> up{};
    std::array<int, 2> errors{};
    if (pipe2(down.data(), O_CLOEXEC) != 0 || pipe2(up.data(), O_CLOEXEC) != 0 ||
        pipe2(errors.data(), O_CLOEXEC) != 0) {
        throw InputError("exec:" + command, std::strerror(errno), "three pipes");
    }
    pid_ = fork();
    if (pid_ < 0) throw InputError("exec:" + command, std::strerror(errno), "a new process");
    if (pid_ == 0) become(command, folder_.path(), down[0], up[1], errors[1], limits);
    setpgid(pid_, pid_);
    remember_child(pid_, folder_.path().c_str());
    close(down[0]);
    close(up[1]);
    close(errors[1]);
    errors_from_child_ = errors[0];
    fcntl(errors_from_child_, F_SETFL, O_NONBLOCK);
    to_child_ = down[1];
    from_child_ = up[0];
    fcntl(to_child_, F_SETFL, O_NONBLOCK);
    fcntl(from_child_, F_SETFL, O_NONBLOCK);
    alive_ = true;
}

ChildProcess::~ChildProcess() { end(); }

std::string ChildProcess::end() {
    if (pid_ < 0) return {};
    to_child_ = closed(to_child_);
    from_child_ = closed(from_child_);
    int status = 0;
    constexpr int patience = 50;  // of two milliseconds each, for a child that ends by itself
    bool ended = false;
    for (int n = 0; n < patience && !ended; ++n) {
        ended = has_ended();
        read_errors();  // it may be waiting for room
        if (!ended) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    errors_from_child_ = closed(errors_from_child_);
    kill(-pid_, SIGKILL);  // whatever it started, too
    waitpid(pid_, &status, 0);
    by_others_ = ended && is_kill(status);
    forget_child(pid_);
    end_strays();
    folder_.remove();
    pid_ = -1;
    alive_ = false;
    return ended ? status_text(status) : "it had to be killed";
}

/// Left to be waited for, so that its process group cannot become somebody else's meanwhile.
bool ChildProcess::has_ended() const {
    siginfo_t info = {};
    return waitid(P_PID, id_t(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == pid_;
}

/// One piece of what it said; false where nobody can say any more.
bool ChildProcess::read_output() {
    std::array<char, 65536> buffer;  // not cleared: this is done for every request
    const ssize_t n = read(from_child_, buffer.data(), buffer.size());
    if (n > 0) unread_.append(buffer.data(), std::size_t(n));
    return n != 0;
}

/// All that can be read without waiting.
void ChildProcess::read_all_output() {
    for (std::size_t before = unread_.size() + 1; before != unread_.size();) {
        before = unread_.size();
        if (!read_output() || before > limits_.line_bytes_max) return;
    }
}

std::string ChildProcess::unasked() const {
    return std::string(unasked_words) + ": " + shown(unread_.substr(0, unread_.find('\n')));
}

std::string ChildProcess::give_up_on(const std::string& what) {
    constexpr int wait = 50;  // milliseconds
    pollfd more{from_child_, POLLIN, 0};
    if (alive_ && poll(&more, 1, wait) > 0) read_all_output();
    const std::string words =
        unread_.empty() ? what : std::string(unasked_words) + ", and so this was read: " + what;
    const std::string how = end();
    return words + (how.empty() ? "" : "; ") + how + last_words();
}

bool ChildProcess::holds_too_much() const {
    return limits_.memory_bytes_max > 0 && resident_bytes(pid_) > limits_.memory_bytes_max;
}

void ChildProcess::read_errors() {
    constexpr std::size_t kept = 4096;
    constexpr int reads_max = 64;  // as much as a pipe holds, and then its time is looked at again
    std::array<char, kept> buffer{};
    ssize_t n = 1;
    for (int reads = 0; reads < reads_max && n > 0; ++reads) {
        n = read(errors_from_child_, buffer.data(), buffer.size());
        if (n <= 0) break;
        errors_.append(buffer.data(), std::size_t(n));
        if (errors_.size() > kept) errors_.erase(0, errors_.size() - kept);
        if (!limits_.pass_errors) continue;
        const ssize_t ignored = write(STDERR_FILENO, buffer.data(), std::size_t(n));
        (void)ignored;
    }
    if (n == 0) errors_from_child_ = closed(errors_from_child_);
}

std::string ChildProcess::last_words() const {
    const std::size_t end = errors_.find_last_not_of(" \t\r\n");
    if (end == std::string::npos) return {};
    const std::size_t before = errors_.find_last_of('\n', end);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    return "; its last words: " + shown(errors_.substr(begin, end + 1 - begin));
}

ChildProcess::Reply ChildProcess::lost(const std::string& what) {
    const std::string how = end();
    return {Reply::Kind::died, what + "; " + how + last_words(), by_others_};
}

ChildProcess::Reply ChildProcess::stopped(Reply::Kind kind, const std::string& why) {
    kill(-pid_, SIGKILL);
    end();
    return {kind, why + last_words(), false};
}

ChildProcess::Reply ChildProcess::finish() {
    if (!alive_) return {};
    to_child_ = closed(to_child_);
    const auto deadline = Clock::now() + limits_.answer;
    for (bool open = true; open || !has_ended();) {
        if (unread_.size() > limits_.line_bytes_max)
            return stopped(Reply::Kind::died, "it floods its standard output");
        if (Clock::now() >= deadline) {
            return stopped(Reply::Kind::timed_out, "it did not end within " +
                                                       std::to_string(limits_.answer.count()) +
                                                       " ms of the end of its input");
        }
        std::array<pollfd, 2> events{
            {{open ? from_child_ : -1, POLLIN, 0}, {errors_from_child_, POLLIN, 0}}};
        constexpr int pause = 2;  // milliseconds; its end wakes nobody
        poll(events.data(), events.size(), pause);
        if ((events[1].revents & (POLLIN | POLLHUP)) != 0) read_errors();
        if ((events[0].revents & (POLLIN | POLLHUP)) != 0) open = read_output();
        if (open && has_ended()) break;  // what it started may hold the pipe for long
    }
    if (!unread_.empty()) return lost(unasked());
    const std::string how = end();
    if (how == status_text(0)) return {};
    return {Reply::Kind::died, how + last_words(), by_others_};
}

/// As much of a message as the pipe takes now; false where nobody reads it any more.
bool ChildProcess::send_some(const std::string& message, std::size_t& sent) {
    const ssize_t n = write(to_child_, message.data() + sent, message.size() - sent);
    if (n > 0) sent += std::size_t(n);
    return n >= 0 || errno == EAGAIN || errno == EINTR;
}

ChildProcess::Reply ChildProcess::ask(const std::string& message, AnswerSize size) {
    if (!alive_) return {Reply::Kind::died, "the process is gone"};
    read_all_output();
    if (!unread_.empty()) return stopped(Reply::Kind::died, unasked());
    size.bytes_max = std::min(size.bytes_max, limits_.line_bytes_max);
    AnswerEnd answer(size);
    const auto limit = has_answered_ ? limits_.answer : limits_.first_answer;
    const auto deadline = Clock::now() + limit;
    auto next_look = std::min(deadline, Clock::now() + between_looks);
    std::size_t sent = 0;
    send_some(message, sent);  // most messages fit at once; what went wrong is seen below
    for (;;) {
        const bool sending = sent < message.size();
        if (!sending && answer.has_come(unread_)) {
            Reply reply{Reply::Kind::answer, unread_.substr(0, answer.size())};
            unread_.erase(0, answer.size_with_end());
            has_answered_ = true;
            return reply;
        }
        if (answer.is_too_large(unread_)) {
            return stopped(Reply::Kind::died,
                           "its answer is longer than what was asked allows; it "
                           "begins " +
                               shown(unread_));
        }
        // A descriptor below zero is not looked at.
        std::array<pollfd, 3> events{{{from_child_, POLLIN, 0},
                                      {sending ? to_child_ : -1, POLLOUT, 0},
                                      {errors_from_child_, POLLIN, 0}}};
        const int ready = poll(events.data(), events.size(), pause_until(next_look));
        if (ready < 0 && errno != EINTR) return lost(std::strerror(errno));
        if (Clock::now() >= next_look) {  // also where it writes all the time
            if (holds_too_much()) {
                return stopped(Reply::Kind::died,
                               "it holds more than " +
                                   std::to_string(limits_.memory_bytes_max >> 20) +
                                   " MiB of memory");
            }
            if (has_ended()) {  // although something that it started may hold the pipe
                read_all_output();
                if (!sending && answer.has_come(unread_)) continue;
                return lost("it ended before it answered");
            }
            if (Clock::now() >= deadline) {
                return stopped(Reply::Kind::timed_out,
                               "no answer within " + std::to_string(limit.count()) + " ms");
            }
            next_look = std::min(deadline, Clock::now() + between_looks);
        }
        if (ready <= 0) continue;
        if ((events[2].revents & (POLLIN | POLLHUP)) != 0) read_errors();
        if (sending && (events[1].revents & (POLLOUT | POLLERR)) != 0 &&
            !send_some(message, sent) && (events[0].revents & POLLIN) == 0) {
            return lost("it closed its standard input");
        }
        if ((events[0].revents & (POLLIN | POLLHUP)) != 0 && !read_output()) {
            if (unread_.empty()) return lost("it closed its standard output");
            return lost(begins_frame(unread_) ? "it ended in the middle of a frame"
                                              : "it ended in the middle of a line");
        }
    }
}

}  // namespace kvcheck
