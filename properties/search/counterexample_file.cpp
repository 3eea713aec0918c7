// SPDX-License-Identifier: Apache-2.0
// Writing whole files or none (declared in counterexample_file.hpp).
#include "properties/search/counterexample_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "model/case_hash.hpp"
#include "model/types/error.hpp"
#include "model/types/hash.hpp"

namespace kvcheck {

bool write_case_file(const std::string& path, const CaseFile& file, std::string& trouble) {
    namespace fs = std::filesystem;
    std::error_code error;
    fs::create_directories(fs::path(path).parent_path(), error);
    const std::string unfinished = path + ".part";
    std::ofstream stream(unfinished, std::ios::binary);
    stream << to_text(file);
    stream.close();
    std::error_code ignored;
    if (!stream) {
        trouble = "cannot write " + unfinished;
        fs::remove(unfinished, ignored);
        return false;
    }
    fs::rename(unfinished, path, error);
    if (!error) return true;
    trouble = "cannot rename " + unfinished + ": " + error.message();
    fs::remove(unfinished, ignored);
    return false;
}

std::string save_counterexample(const std::string& folder, const CaseFile& file,
                                std::string& trouble) {
    // Two subjects that fail with one case have a file each.
    const std::uint64_t hash = hash_of(file.test_case) ^ fnv1a(file.finding.subject);
    const std::string path =
        fmt::format("{}/{}-{:08x}.json", folder, file.finding.property, hash & 0xffffffffU);
    return write_case_file(path, file, trouble) ? path : std::string();
}

std::vector<std::pair<std::string, CaseFile>> read_corpus(const std::string& folder,
                                                          std::vector<std::string>& troubles) {
    namespace fs = std::filesystem;
    std::error_code error;
    if (!fs::is_directory(folder, error)) throw InputError(folder, "no folder", "a corpus folder");
    std::vector<std::string> paths;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        if (entry->path().extension() == ".json") paths.push_back(entry->path().string());
    }
    if (error) throw InputError(folder, error.message(), "a corpus folder that can be read");
    std::sort(paths.begin(), paths.end());
    std::vector<std::pair<std::string, CaseFile>> corpus;
    corpus.reserve(paths.size());
    for (const std::string& path : paths) {
        try {
            corpus.emplace_back(path, read_case_file(path));
        } catch (const InputError& broken) {
            troubles.emplace_back(broken.what());
        }
    }
    return corpus;
}

}  // namespace kvcheck
