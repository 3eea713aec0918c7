// SPDX-License-Identifier: Apache-2.0
// Reading /proc (declared in resident_set.hpp).
#include "impl/protocol/resident_set.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace kvcheck {
namespace {

/// Of one /proc/PID/stat, by the field numbers of proc(5): the process group and the pages.
struct Stat {
    pid_t group = 0;
    std::size_t pages = 0;
};

Stat read_stat(const std::filesystem::path& process) {
    std::ifstream file(process / "stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name_end = line.rfind(')');  // a name may hold spaces and parentheses
    if (name_end == std::string::npos) return {};
    constexpr int group_field = 5;
    constexpr int pages_field = 24;
    std::istringstream fields(line.substr(name_end + 1));
    Stat stat;
    std::string field;
    for (int number = 3; number <= pages_field && fields >> field; ++number) {
        if (number == group_field) stat.group = pid_t(std::stol(field));
        if (number == pages_field) stat.pages = std::stoull(field);
    }
    return stat;
}

}  // namespace

std::size_t resident_bytes(pid_t group) {
    const auto page = std::size_t(sysconf(_SC_PAGESIZE));
    std::size_t bytes = 0;
    std::error_code gone;  // processes end while we look
    std::filesystem::directory_iterator process("/proc", gone);
    for (; !gone && process != std::filesystem::directory_iterator(); process.increment(gone)) {
        const std::string name = process->path().filename();
        if (!std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); }))
            continue;
        const Stat stat = read_stat(process->path());
        if (stat.group == group) bytes += stat.pages * page;
    }
    return bytes;
}

}  // namespace kvcheck
