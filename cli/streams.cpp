// SPDX-License-Identifier: Apache-2.0
// Standard streams that are closed or full (declared in streams.hpp).
#include "cli/streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

namespace kvcheck {

void open_standard_streams() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(descriptor, F_GETFD) != -1) continue;
        // The lowest free number is this one.
        const int mode = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY;
        const int opened = open("/dev/null", mode);
        if (opened > descriptor) close(opened);
    }
}

Flushed flush_standard_output() {
    errno = 0;
    std::cout.flush();
    const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout.good();
    if (!lost) return Flushed::all;
    if (errno == EPIPE) return Flushed::unread;
    const std::string why = errno != 0 ? std::strerror(errno) : "an error while it was written";
    std::fputs(
        ("kvcheck: standard output: found " + why + ", expected a place for all that is printed\n")
            .c_str(),
        stderr);
    return Flushed::lost;
}

}  // namespace kvcheck
