// SPDX-License-Identifier: Apache-2.0
// Folders to cases (declared in replayed_files.hpp).
#include "cli/replayed_files.hpp"

#include <algorithm>
#include <filesystem>

#include "cli/subjects.hpp"
#include "model/types/shown.hpp"
#include "properties/catalogue.hpp"
#include "properties/search/counterexample_file.hpp"

namespace kvcheck {
namespace {

namespace fs = std::filesystem;

/// The project's own corpus: beside an installed program, or where this one was built.
std::string own_corpus() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    const fs::path installed = self.parent_path().parent_path() / "share/kvcheck/corpus";
    return fs::is_directory(installed, error) ? installed.string() : KVCHECK_CORPUS;
}

bool is_running_case(const std::string& path) {
    return fs::path(path).filename().string().rfind("current-case", 0) == 0;
}

}  // namespace

ReplayedFiles replayed_files(const std::string& corpus, const std::string& save_folder,
                             const std::string& subject) {
    ReplayedFiles all;
    if (corpus == "none") return all;
    const auto add = [&](const std::string& folder, const auto& is_wanted) {
        for (auto& [path, file] : read_corpus(folder, all.troubles)) {
            if (!is_wanted(path, file)) continue;
            const std::string& asked = file.finding.property;
            if (!is_judged_by_all(asked) && property_named(asked) == nullptr) {
                all.troubles.push_back(path + ": no property is called " + shown(asked));
                continue;
            }
            std::error_code error;
            const auto is_there = [&, &path = path](const ReplayedFile& other) {
                return fs::equivalent(other.path, path, error);
            };
            if (std::any_of(all.files.begin(), all.files.end(), is_there)) continue;
            all.files.push_back({path, std::move(file)});
        }
    };
    const auto anything = [](const std::string&, const CaseFile&) { return true; };
    std::error_code none;
    if (fs::is_directory(save_folder, none)) {
        add(save_folder, [&](const std::string& path, const CaseFile& file) {
            return file.finding.subject == subject && !is_running_case(path);
        });
    }
    if (!corpus.empty()) add(corpus, anything);
    // Mutants are caught by search: the corpus holds what once caught them.
    const std::string own = own_corpus();
    if (!is_mutant(subject) && fs::is_directory(own, none)) add(own, anything);
    return all;
}

}  // namespace kvcheck
