// SPDX-License-Identifier: Apache-2.0
// A folder and a file, made and removed (declared in save_folder.hpp).
#include "cli/save_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

namespace kvcheck {

std::string objection_to_folder(const std::string& folder) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path path = fs::absolute(folder, error);
    std::vector<fs::path> missing;  // the deepest first
    for (fs::path one = path; !fs::exists(one, error) && !error && one.has_relative_path();
         one = one.parent_path()) {
        missing.push_back(one);
    }
    fs::create_directories(path, error);
    const std::string why = error ? error.message() : "a file is in its place";
    std::string objection;
    if (!fs::is_directory(path, error)) {
        objection = why;
    } else {
        std::string probe = path / "kvcheck-XXXXXX";
        const int file = mkstemp(probe.data());
        if (file < 0)
            objection = std::strerror(errno);
        else
            unlink(probe.c_str());
        if (file >= 0) close(file);
    }
    for (const fs::path& one : missing) fs::remove(one, error);  // only where it is empty
    return objection;
}

}  // namespace kvcheck
