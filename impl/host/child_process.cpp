// SPDX-License-Identifier: Apache-2.0
#include "impl/host/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "impl/host/resident_set.hpp"
#include "model/types/error.hpp"

namespace kvcheck {
namespace {

using Clock = std::chrono::steady_clock;

/// Process groups of living children, for kill_children; 0 where free.
constexpr std::size_t children_max = 16;
std::array<volatile pid_t, children_max> children{};

void remember(pid_t before, pid_t now) {
    for (volatile pid_t& child : children) {
        if (child != before) continue;
        child = now;
        return;
    }
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer);
#else
constexpr bool sanitized = false;
#endif

/// Milliseconds until `deadline` or the next look at the child's memory, for poll.
int pause_until(Clock::time_point deadline) {
    constexpr std::chrono::milliseconds between_looks{20};
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    return int(std::clamp(left, std::chrono::milliseconds{0}, between_looks).count());
}

std::string status_text(int status) {
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        return "it was killed by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
    }
    return "it exited with code " + std::to_string(WEXITSTATUS(status));
}

[[noreturn]] void become(const std::string& command, int input, int output,
                         const ChildLimits& limits) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
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

void kill_children() {
    for (const pid_t child : children) {
        if (child > 0) kill(-child, SIGKILL);
    }
}

ChildProcess::ChildProcess(const std::string& command, const ChildLimits& limits)
    : limits_(limits) {
    std::signal(SIGPIPE, SIG_IGN);
    std::array<int, 2> down{};
    std::array<int, 2> up{};
    if (pipe2(down.data(), O_CLOEXEC) != 0 || pipe2(up.data(), O_CLOEXEC) != 0) {
        throw InputError("exec:" + command, std::strerror(errno), "two pipes");
    }
    pid_ = fork();
    if (pid_ < 0) throw InputError("exec:" + command, std::strerror(errno), "a new process");
    if (pid_ == 0) become(command, down[0], up[1], limits);
    setpgid(pid_, pid_);
    remember(0, pid_);
    close(down[0]);
    close(up[1]);
    to_child_ = down[1];
    from_child_ = up[0];
    fcntl(to_child_, F_SETFL, O_NONBLOCK);
    fcntl(from_child_, F_SETFL, O_NONBLOCK);
    alive_ = true;
}

ChildProcess::~ChildProcess() { end(); }

std::string ChildProcess::end() {
    if (pid_ < 0) return {};
    close(to_child_);
    close(from_child_);
    int status = 0;
    constexpr int patience = 50;  // of two milliseconds each, for a child that ends by itself
    pid_t ended = 0;
    for (int n = 0; n < patience && ended == 0; ++n) {
        ended = waitpid(pid_, &status, WNOHANG);
        if (ended == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    kill(-pid_, SIGKILL);  // whatever it started, too
    if (ended == 0) waitpid(pid_, &status, 0);
    remember(pid_, 0);
    pid_ = -1;
    alive_ = false;
    return ended == 0 ? "it had to be killed" : status_text(status);
}

ChildProcess::Reply ChildProcess::lost(const std::string& what) {
    return {Reply::Kind::died, what + "; " + end()};
}

ChildProcess::Reply ChildProcess::killed(Reply::Kind kind, const std::string& why) {
    kill(-pid_, SIGKILL);
    end();
    return {kind, why};
}

ChildProcess::Reply ChildProcess::ask(const std::string& line) {
    if (!alive_) return {Reply::Kind::died, "the process is gone"};
    const auto limit = has_answered_ ? limits_.answer : limits_.first_answer;
    const auto deadline = Clock::now() + limit;
    const std::string message = line + "\n";
    std::size_t sent = 0;
    std::size_t searched = 0;
    for (;;) {
        const std::size_t end_of_line = unread_.find('\n', searched);
        if (end_of_line != std::string::npos && sent == message.size()) {
            Reply reply{Reply::Kind::line, unread_.substr(0, end_of_line)};
            unread_.erase(0, end_of_line + 1);
            has_answered_ = true;
            return reply;
        }
        searched = unread_.size();
        if (unread_.size() > limits_.line_bytes_max) {
            return killed(Reply::Kind::died, "it floods its standard output");
        }
        const bool sending = sent < message.size();
        std::array<pollfd, 2> events{
            {{from_child_, POLLIN, 0}, {to_child_, short(sending ? POLLOUT : 0), 0}}};
        const int ready = poll(events.data(), sending ? 2 : 1, pause_until(deadline));
        if (ready < 0 && errno != EINTR) return lost(std::strerror(errno));
        if (ready == 0) {
            if (limits_.memory_bytes_max > 0 && resident_bytes(pid_) > limits_.memory_bytes_max) {
                return killed(Reply::Kind::died,
                              "it holds more than " +
                                  std::to_string(limits_.memory_bytes_max >> 20) +
                                  " MiB of memory");
            }
            if (Clock::now() < deadline) continue;
            return killed(Reply::Kind::timed_out,
                          "no answer within " + std::to_string(limit.count()) + " ms");
        }
        if (sending && (events[1].revents & (POLLOUT | POLLERR)) != 0) {
            const ssize_t n = write(to_child_, message.data() + sent, message.size() - sent);
            if (n > 0) sent += std::size_t(n);
            if (n < 0 && errno != EAGAIN && errno != EINTR && (events[0].revents & POLLIN) == 0) {
                return lost("it closed its standard input");
            }
        }
        if ((events[0].revents & (POLLIN | POLLHUP)) != 0) {
            std::array<char, 65536> buffer{};
            const ssize_t n = read(from_child_, buffer.data(), buffer.size());
            if (n > 0) unread_.append(buffer.data(), std::size_t(n));
            if (n == 0) {
                return lost(unread_.empty() ? "it closed its standard output"
                                            : "it ended in the middle of a line");
            }
        }
    }
}

}  // namespace kvcheck
