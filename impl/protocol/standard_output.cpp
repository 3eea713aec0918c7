// SPDX-License-Identifier: Apache-2.0
// Descriptors moved around standard output (declared in standard_output.hpp).
#include "impl/protocol/standard_output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "model/types/error.hpp"
#include "model/types/shown.hpp"

namespace kvcheck {

StandardOutput::StandardOutput() {
    std::array<int, 2> ends{};
    real_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    // Nobody reads while the subject computes: what does not fit into the pipe is lost, and that is
    // better than waiting.
    if (real_ < 0 || pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        throw InputError("standard output", std::strerror(errno), "a pipe");
    }
    caught_ = ends[0];
    pretend_ = ends[1];
    dup2(pretend_, STDOUT_FILENO);
    struct stat now = {};
    fstat(pretend_, &now);
    pretend_inode_ = now.st_ino;
}

StandardOutput::~StandardOutput() {
    std::fflush(stdout);
    dup2(real_, STDOUT_FILENO);
    for (const int descriptor : {real_, caught_, pretend_}) close(descriptor);
}

void StandardOutput::write_all(const std::string& text) const {
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = write(real_, text.data() + done, text.size() - done);
        if (n < 0 && errno != EINTR) return;  // nobody listens any more; the next read will end us
        if (n > 0) done += std::size_t(n);
    }
}

std::string StandardOutput::misuse() {
    std::fflush(stdout);
    std::string words;
    std::array<char, 4096> buffer{};
    for (ssize_t n = 0; (n = read(caught_, buffer.data(), buffer.size())) > 0;) {
        if (words.empty()) {
            const std::string text(buffer.data(), std::size_t(n));
            words = "it printed \"" + shown(text.substr(0, text.find('\n'))) +
                    "\" to standard output, which belongs to the protocol; standard error is free";
        }
        const ssize_t ignored = write(STDERR_FILENO, buffer.data(), std::size_t(n));
        (void)ignored;
    }
    struct stat now = {};
    if (fstat(STDOUT_FILENO, &now) != 0 || now.st_ino != pretend_inode_) {
        words = "it closed its standard output";
        dup2(pretend_, STDOUT_FILENO);
    }
    return words;
}

}  // namespace kvcheck
