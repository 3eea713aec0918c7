// SPDX-License-Identifier: Apache-2.0
// A folder made and removed (declared in own_folder.hpp).
#include "impl/protocol/own_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "model/types/error.hpp"

namespace kvcheck {

OwnFolder::OwnFolder() {
    const char* const wanted = std::getenv("TMPDIR");
    const bool given = wanted != nullptr && *wanted != 0;
    std::error_code error;
    const std::filesystem::path base = std::filesystem::absolute(given ? wanted : "/tmp", error);
    path_ = base / "kvcheck-XXXXXX";
    if (mkdtemp(path_.data()) == nullptr) {
        throw InputError(base, std::strerror(errno),
                         "a folder in which a folder can be made (TMPDIR names another)");
    }
}

void OwnFolder::remove() {
    if (path_.empty()) return;
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
    path_.clear();
}

}  // namespace kvcheck
