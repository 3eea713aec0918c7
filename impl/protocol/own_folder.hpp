// SPDX-License-Identifier: Apache-2.0
// An empty folder for a child to start in, so that what it leaves behind lies in nobody's way; it
// is removed with everything in it.
#pragma once

#include <string>

namespace kvcheck {

class OwnFolder {
public:
    /// Makes one where TMPDIR says, else in /tmp; throws InputError where that cannot be done.
    OwnFolder();
    ~OwnFolder() { remove(); }
    OwnFolder(const OwnFolder&) = delete;
    OwnFolder& operator=(const OwnFolder&) = delete;

    const std::string& path() const { return path_; }
    /// Nobody works in it any more.
    void remove();

private:
    std::string path_;
};

}  // namespace kvcheck
