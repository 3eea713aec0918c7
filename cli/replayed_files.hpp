// SPDX-License-Identifier: Apache-2.0
// Which saved cases a run judges before it draws any: what earlier runs found in this subject, a
// corpus of the user's, the project's own.
#pragma once

#include <string>
#include <vector>

#include "properties/suite.hpp"

namespace kvcheck {

struct ReplayedFiles {
    std::vector<ReplayedFile> files;
    std::vector<std::string> troubles;  // files that cannot be read, each in a sentence
};

/// `corpus` is a folder that is added to the project's own, or empty, or "none": nothing is
/// replayed. Of `save_folder` it takes what was found in the subject of that name. A broken file is
/// passed over. Throws InputError where `corpus` is no folder.
ReplayedFiles replayed_files(const std::string& corpus, const std::string& save_folder,
                             const std::string& subject);

}  // namespace kvcheck
