// SPDX-License-Identifier: Apache-2.0
// Looking at what was written (declared in googletest_report.hpp).
#include "cli/googletest_report.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "model/types/shown.hpp"

namespace kvcheck {
namespace {

struct Report {
    std::string path;
    std::string format;  // "xml" or "json"
};

/// In a folder GoogleTest takes the first name that is free: kvcheck.xml, kvcheck_1.xml, ...
std::string last_in(const std::string& folder, const std::string& format) {
    const auto numbered = [&](int n) {
        return folder + "kvcheck" + (n > 0 ? "_" + std::to_string(n) : "") + "." + format;
    };
    int n = 0;
    std::error_code error;
    while (std::filesystem::exists(numbered(n + 1), error)) ++n;
    return numbered(n);
}

Report report_of(const std::string& output) {
    const std::size_t colon = std::min(output.find(':'), output.size());
    Report report{colon < output.size() ? output.substr(colon + 1) : "", output.substr(0, colon)};
    if (report.path.empty()) report.path = "test_detail." + report.format;
    if (report.path.back() == '/') report.path = last_in(report.path, report.format);
    return report;
}

/// True for /dev/stdout and its like: whether that was written is looked at elsewhere.
bool is_a_standard_stream(const struct stat& status) {
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
        struct stat own {};
        if (fstat(stream, &own) != 0) continue;
        if (own.st_dev == status.st_dev && own.st_ino == status.st_ino) return true;
    }
    return false;
}

/// Whether a file ends as a whole report does.
bool has_its_end(const Report& report) {
    const std::string end = report.format == "xml" ? "</testsuites>" : "}";
    std::ifstream stream(report.path, std::ios::binary | std::ios::ate);
    constexpr std::streamoff tail_most = 64;
    const std::streamoff size = stream.tellg();
    const std::streamoff tail_size = std::min(std::max<std::streamoff>(size, 0), tail_most);
    std::string tail(std::size_t(tail_size), ' ');
    stream.seekg(size - tail_size);
    stream.read(tail.data(), tail_size);
    if (!stream) return false;
    tail.erase(tail.find_last_not_of(" \n") + 1);
    return tail.size() >= end.size() && tail.substr(tail.size() - end.size()) == end;
}

/// What a device says to one more line; of a report that is gone there is no other trace.
std::string objection_of_device(const std::string& path) {
    const int device = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (device < 0) return std::strerror(errno);
    const bool wrote = write(device, "\n", 1) == 1;
    std::string objection = wrote ? "" : std::strerror(errno);
    close(device);
    return objection;
}

}  // namespace

std::string trouble_of_report() {
    const std::string output = GTEST_FLAG_GET(output);
    if (output.empty()) return {};
    const Report report = report_of(output);
    struct stat status {};
    std::string objection;
    if (stat(report.path.c_str(), &status) != 0)
        objection = std::strerror(errno);
    else if (is_a_standard_stream(status))
        return {};
    else if (S_ISREG(status.st_mode))
        objection = has_its_end(report) ? "" : "its end is missing";
    else if (S_ISCHR(status.st_mode))
        objection = objection_of_device(report.path);
    if (objection.empty()) return {};
    return "the report of --gtest_output was not written to " + shown(report.path) + ": " +
           objection;
}

}  // namespace kvcheck
