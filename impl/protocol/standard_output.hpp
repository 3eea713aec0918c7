// SPDX-License-Identifier: Apache-2.0
// Takes standard output away from everything else in this process, for a protocol that lives there.
// What others print meanwhile is caught and can be asked for; a flood of it is cut.
#pragma once

#include <sys/types.h>

#include <string>

namespace kvcheck {

class StandardOutput {
public:
    /// Throws InputError where the system has no pipe left.
    StandardOutput();
    ~StandardOutput();
    StandardOutput(const StandardOutput&) = delete;
    StandardOutput& operator=(const StandardOutput&) = delete;

    /// The real standard output.
    int descriptor() const { return real_; }
    /// Writes all of a text to it.
    void write_all(const std::string& text) const;
    /// What somebody did to standard output since the last call, in words; empty where nothing.
    std::string misuse();

private:
    int real_ = -1;
    int caught_ = -1;   // where what is printed can be read
    int pretend_ = -1;  // a second name of what stands at descriptor 1 now
    ino_t pretend_inode_ = 0;
};

}  // namespace kvcheck
