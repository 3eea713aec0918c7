// SPDX-License-Identifier: Apache-2.0
// A folder for one test.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace kvcheck {

/// A folder of its own that is removed with everything in it.
class TemporaryFolder {
public:
    TemporaryFolder() : path_(testing::TempDir() + "/kvcheck_test_XXXXXX") {
        if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no folder " + path_);
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::string& path() const { return path_; }
    std::string file(const std::string& name) const { return path_ + "/" + name; }
    /// Writes a file and returns its path.
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(file(name), std::ios::binary) << text;
        return file(name);
    }

private:
    std::string path_;
};

}  // namespace kvcheck
