// SPDX-License-Identifier: Apache-2.0
// A pipe whose end says that we are gone (declared in keeper.hpp).
#include "impl/protocol/keeper.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

namespace kvcheck {
namespace {

pid_t keeper = 0;
int to_keeper = -1;

/// A group, negative where it is to be kept no longer. Smaller than what a pipe takes at once.
void tell(pid_t group) {
    if (to_keeper < 0) return;
    const ssize_t ignored = write(to_keeper, &group, sizeof group);
    (void)ignored;
}

/// In the new process, which has one thread and must not touch the heap.
[[noreturn]] void wait_for_the_end(int input) {
    setpgid(0, 0);  // a terminal's signals are not for it
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
    // Whoever waits for the end of our output waits for nobody else.
    const long files = std::min(sysconf(_SC_OPEN_MAX), 65536L);
    for (int file = 0; file < files; ++file) {
        if (file != input) close(file);
    }
    constexpr std::size_t groups_max = 64;
    std::array<pid_t, groups_max> groups{};
    pid_t told = 0;
    while (read(input, &told, sizeof told) == sizeof told) {
        auto* const place = std::find(groups.begin(), groups.end(), told > 0 ? 0 : -told);
        if (place != groups.end()) *place = std::max(told, 0);
    }
    for (const pid_t group : groups) {
        if (group > 0) kill(-group, SIGKILL);
    }
    _exit(0);
}

}  // namespace

void start_keeper() {
    if (to_keeper >= 0) return;
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
    keeper = fork();
    if (keeper == 0) {
        close(ends[1]);
        wait_for_the_end(ends[0]);
    }
    close(ends[0]);
    if (keeper > 0) {
        to_keeper = ends[1];
    } else {
        keeper = 0;
        close(ends[1]);
    }
}

pid_t keeper_process() { return keeper; }

void keep(pid_t group) { tell(group); }
void keep_no_longer(pid_t group) { tell(-group); }

}  // namespace kvcheck
