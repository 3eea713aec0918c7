// SPDX-License-Identifier: Apache-2.0
// A pipe whose end says that we are gone (declared in keeper.hpp).
#include "impl/protocol/keeper.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

namespace kvcheck {
namespace {

pid_t keeper = 0;
int to_keeper = -1;

/// What is told: a group, negative where it is to be kept no longer, and the folder it was started
/// in. Smaller than what a pipe takes at once.
struct Kept {
    pid_t group = 0;
    std::array<char, 252> folder{};  // empty where its path is longer
};

void tell(pid_t group, const char* folder) {
    if (to_keeper < 0) return;
    Kept kept;
    kept.group = group;
    if (std::strlen(folder) < kept.folder.size())
        std::copy_n(folder, std::strlen(folder), kept.folder.begin());
    const ssize_t ignored = write(to_keeper, &kept, sizeof kept);
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
    std::array<Kept, groups_max> groups{};
    Kept told;
    while (read(input, &told, sizeof told) == sizeof told) {
        const pid_t wanted = told.group > 0 ? 0 : -told.group;
        auto* const place = std::find_if(groups.begin(), groups.end(),
                                         [&](const Kept& one) { return one.group == wanted; });
        if (place != groups.end()) *place = told.group > 0 ? told : Kept{};
    }
    for (const Kept& one : groups) {
        if (one.group <= 0) continue;
        kill(-one.group, SIGKILL);
        rmdir(one.folder.data());  // only where it is empty
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

void keep(pid_t group, const char* folder) { tell(group, folder); }
void keep_no_longer(pid_t group) { tell(-group, ""); }

}  // namespace kvcheck
