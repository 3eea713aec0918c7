// SPDX-License-Identifier: Apache-2.0
#include "tests/vectors/vectors_folder.hpp"

#include <algorithm>
#include <cstdlib>

namespace kvcheck::vectors {

namespace fs = std::filesystem;

fs::path vectors_folder() {
    const char* given = std::getenv("KVCHECK_VECTORS");
    if (given != nullptr && *given != '\0') return given;
    return fs::path(KVCHECK_SOURCE) / ".." / "shared" / "vectors";
}

fs::path onnx_folder() { return vectors_folder() / "onnx-attention"; }

std::vector<std::string> onnx_case_names() {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator at(onnx_folder(), error), end; !error && at != end;
         at.increment(error)) {
        if (fs::is_directory(at->path(), error)) names.push_back(at->path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace kvcheck::vectors
