// SPDX-License-Identifier: Apache-2.0
// The folder for counterexamples: whether they can be saved there, tried before anything runs, and
// its end, where a run that found nothing leaves no folder behind.
#pragma once

#include <string>

namespace kvcheck {

/// Why no file can be made in this folder, or why the folder cannot; empty where both can.
std::string objection_to_folder(const std::string& folder);

/// Where the folder was not there before and is empty, it is gone afterwards.
class SaveFolder {
public:
    explicit SaveFolder(std::string path);
    ~SaveFolder();
    SaveFolder(const SaveFolder&) = delete;
    SaveFolder& operator=(const SaveFolder&) = delete;

private:
    std::string path_;
    bool is_new_ = false;
};

}  // namespace kvcheck
