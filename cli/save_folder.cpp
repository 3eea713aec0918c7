// SPDX-License-Identifier: Apache-2.0
// A folder and a file, made and removed (declared in save_folder.hpp).
#include "cli/save_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "cli/interrupt.hpp"

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

SaveFolder::SaveFolder(std::string path) : path_(std::move(path)) {
    std::error_code error;
    is_new_ = !std::filesystem::exists(path_, error) && !error;
    if (is_new_) remove_when_interrupted(path_);
}

SaveFolder::~SaveFolder() {
    std::error_code error;
    if (is_new_ && std::filesystem::is_empty(path_, error) && !error)
        std::filesystem::remove(path_, error);
}

}  // namespace kvcheck
