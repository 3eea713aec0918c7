// SPDX-License-Identifier: Apache-2.0
// Everything here may run in a signal handler: no heap, no streams.
#include "impl/protocol/children.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <ctime>

#include "impl/protocol/keeper.hpp"

namespace kvcheck {
namespace {

struct Child {
    volatile pid_t group = 0;  // 0 where the place is free
    const char* volatile folder = nullptr;
};
constexpr std::size_t children_max = 16;
std::array<Child, children_max> children{};

/// Those that were there before we asked for orphans.
constexpr std::size_t spared_max = 256;
std::array<pid_t, spared_max> spared{};
std::size_t spared_count = 0;
bool adopts = false;

/// Calls `visit` with every child of this thread, to which orphans come.
template <class Visit>
void for_each_child(const Visit& visit) {
    const int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    std::array<char, 4096> buffer{};
    pid_t number = 0;
    for (ssize_t n = 0; (n = read(file, buffer.data(), buffer.size())) > 0;) {
        for (ssize_t i = 0; i < n; ++i) {
            const char c = buffer[std::size_t(i)];
            if (c >= '0' && c <= '9') {
                number = number * 10 + (c - '0');
            } else {
                if (number > 0) visit(number);
                number = 0;
            }
        }
    }
    close(file);
}

bool is_ours(pid_t child) {
    const bool remembered = std::any_of(children.begin(), children.end(),
                                        [child](const Child& one) { return one.group == child; });
    const pid_t* const end = spared.data() + spared_count;
    return !remembered && child != keeper_process() &&
           std::find<const pid_t*>(spared.data(), end, child) == end;
}

}  // namespace

void adopt_orphans() {
    if (adopts) return;
    for_each_child([](pid_t child) {
        if (spared_count < spared_max) spared[spared_count++] = child;
    });
    adopts = prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

void remember_child(pid_t child, const char* folder) {
    keep(child, folder);
    for (Child& place : children) {
        if (place.group != 0) continue;
        place.folder = folder;
        place.group = child;
        return;
    }
}

void forget_child(pid_t child) {
    keep_no_longer(child);
    for (Child& place : children) {
        if (place.group == child) place.group = 0;
    }
}

void forget_all_children() {
    for (Child& place : children) place.group = 0;
    spared_count = 0;
    adopts = false;
}

void end_strays() {
    // The orphans of a stray are strays themselves as soon as it is gone.
    constexpr int rounds_max = 20;
    for (int round = 0; adopts && round < rounds_max; ++round) {
        bool found = false;
        for_each_child([&](pid_t child) {
            if (!is_ours(child)) return;
            found = true;
            kill(child, SIGKILL);
            waitpid(child, nullptr, WNOHANG);
        });
        if (!found) return;
        const timespec pause = {0, 2000000};
        nanosleep(&pause, nullptr);
    }
}

void kill_children() {
    for (const Child& child : children) {
        if (child.group > 0) kill(-child.group, SIGKILL);
    }
    for (Child& child : children) {
        if (child.group <= 0) continue;
        waitpid(child.group, nullptr, 0);
        keep_no_longer(child.group);
        child.group = 0;
        rmdir(child.folder);
    }
    end_strays();
}

}  // namespace kvcheck
