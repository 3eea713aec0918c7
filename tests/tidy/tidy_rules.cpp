// SPDX-License-Identifier: Apache-2.0
#include "tests/tidy/tidy_rules.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace kvcheck::tidy {
namespace {

namespace fs = std::filesystem;

/// Where our own sources stand.
std::vector<fs::path> source_folders(const std::string& root) {
    std::vector<fs::path> folders;
    for (const char* const folder :
         {"model", "oracles", "impl", "properties", "cli", "tests", "bench", "examples"}) {
        const fs::path top = fs::path(root) / folder;
        if (fs::exists(top)) folders.push_back(top);
    }
    return folders;
}

std::string read(const fs::path& path) {
    std::ifstream stream(path);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

bool starts_with(const std::string& text, const std::string& prefix) {
    return text.rfind(prefix, 0) == 0;
}

/// The text without its // comments, so that prose is no code.
std::string code_of(const std::string& text) {
    static const std::regex comment("//[^\n]*");
    return std::regex_replace(text, comment, "");
}

/// The longest folder prefix that has a row in the table.
const std::vector<std::string>* allowed_for(const std::string& path) {
    // impl knows the nouns of the model and none of its verbs: a mistake that subject and oracle
    // shared would be invisible.
    static const std::map<std::string, std::vector<std::string>> table = {
        {"model/types/", {"model/types/"}},
        {"model/", {"model/"}},
        {"oracles/", {"oracles/", "model/"}},
        {"impl/", {"impl/", "model/types/"}},
        {"impl/plain/",
         {"impl/plain/", "impl/admission.hpp", "impl/decoder.hpp", "impl/saved_state.hpp",
          "impl/subject.hpp", "model/types/"}},
        {"impl/fast/",
         {"impl/fast/", "impl/admission.hpp", "impl/saved_state.hpp", "impl/subject.hpp",
          "model/types/"}},
        {"impl/memory/", {"impl/memory/", "model/types/"}},
        {"impl/protocol/", {"impl/protocol/", "impl/memory/", "impl/subject.hpp", "model/types/"}},
        {"impl/abi/", {"impl/abi/", "impl/subject.hpp", "model/types/"}},
        {"impl/abi/kvcheck_plugin", {"kvcheck_plugin.h"}},  // copied into other trees as it is
        {"properties/", {"properties/", "oracles/", "model/", "impl/subject.hpp"}},
        {"properties/decoder/",
         {"properties/decoder/", "properties/generators/", "oracles/", "model/",
          "impl/decoder.hpp"}},
        {"properties/generators/", {"properties/generators/", "oracles/sinusoid.hpp", "model/"}},
        {"properties/drive/",
         {"properties/drive/", "oracles/", "model/", "impl/subject.hpp", "impl/memory/"}},
        {"properties/claims/",
         {"properties/claims/", "properties/drive/", "properties/catalogue.hpp", "oracles/",
          "model/", "impl/subject.hpp"}},
        {"bench/", {"bench/", "impl/", "model/", "oracles/"}},
        {"cli/", {""}},
        {"tests/", {""}},
    };
    const std::vector<std::string>* found = nullptr;
    std::size_t longest = 0;
    for (const auto& [folder, allowed] : table) {
        if (starts_with(path, folder) && folder.size() > longest) {
            longest = folder.size();
            found = &allowed;
        }
    }
    return found;
}

/// A CMakeLists.txt of the tree: the folder it stands in, from the root, and its words.
struct List {
    fs::path folder;
    std::set<std::string> words;
};

std::set<std::string> words_of(const std::string& text) {
    static const std::regex word("[^\\s()\"#;]+");
    return {std::sregex_token_iterator(text.begin(), text.end(), word), {}};
}

/// Those of the folders that hold sources of ours, and the root's.
std::vector<List> cmake_lists(const std::string& root) {
    std::vector<List> lists = {{"", words_of(read(fs::path(root) / "CMakeLists.txt"))}};
    for (const fs::path& top : source_folders(root)) {
        for (const auto& entry : fs::recursive_directory_iterator(top)) {
            if (entry.path().filename() != "CMakeLists.txt") continue;
            lists.push_back({entry.path().parent_path().lexically_relative(root),
                             words_of(read(entry.path()))});
        }
    }
    return lists;
}

/// Named by the nearest list above it, or by any one through its path from the root.
bool is_named(const fs::path& path, const std::vector<List>& lists) {
    const std::string from_root = "${PROJECT_SOURCE_DIR}/" + path.string();
    const List* nearest = nullptr;
    for (const List& list : lists) {
        if (list.words.count(from_root) > 0) return true;
        const std::string prefix = list.folder.empty() ? "" : list.folder.string() + "/";
        if (!starts_with(path.string(), prefix)) continue;
        if (nearest == nullptr || prefix.size() > nearest->folder.string().size()) nearest = &list;
    }
    if (nearest == nullptr) return false;
    const fs::path name = nearest->folder.empty() ? path : path.lexically_relative(nearest->folder);
    return nearest->words.count(name.string()) > 0;
}

}  // namespace

std::vector<File> source_files(const std::string& root) {
    std::vector<File> files;
    for (const fs::path& top : source_folders(root)) {
        for (const auto& entry : fs::recursive_directory_iterator(top)) {
            const std::string extension = entry.path().extension();
            if (extension != ".cpp" && extension != ".hpp" && extension != ".h" &&
                extension != ".c")
                continue;
            files.push_back({entry.path().lexically_relative(root), read(entry.path())});
        }
    }
    return files;
}

Findings wrong_includes(const File& file) {
    Findings findings;
    const std::vector<std::string>* const allowed = allowed_for(file.path);
    if (allowed == nullptr) return findings;
    static const std::regex include("#include \"([^\"]+)\"");
    for (std::sregex_iterator i(file.text.begin(), file.text.end(), include), end; i != end; ++i) {
        const std::string target = (*i)[1];
        bool fits = false;
        for (const std::string& prefix : *allowed) fits = fits || starts_with(target, prefix);
        if (!fits) findings.push_back(file.path + " includes " + target);
    }
    static const std::regex boost("#include <boost/");
    const bool may_use_boost =
        starts_with(file.path, "oracles/") || starts_with(file.path, "tests/");
    if (!may_use_boost && std::regex_search(file.text, boost)) {
        findings.push_back(file.path + " includes Boost, which is for the oracles");
    }
    static const std::regex detail("rc::detail|<rapidcheck");
    const bool is_search = starts_with(file.path, "properties/search/search.");
    if (!is_search && !starts_with(file.path, "tests/tidy/") &&
        std::regex_search(file.text, detail)) {
        findings.push_back(file.path +
                           " uses RapidCheck, which is for properties/search/search.cpp");
    }
    return findings;
}

Findings tolerance_literals(const File& file) {
    Findings findings;
    if (starts_with(file.path, "oracles/") || starts_with(file.path, "tests/")) return findings;
    // Generators make small numbers on purpose; they compare nothing.
    if (starts_with(file.path, "properties/generators/")) return findings;
    static const std::regex literal(R"((^|[^\w.])(\d+\.?\d*[eE]-\d+|0x[0-9a-f.]+p-\d+)[fFlL]?)");
    const std::string code = code_of(file.text);
    for (std::sregex_iterator i(code.begin(), code.end(), literal), end; i != end; ++i) {
        findings.push_back(file.path + " has the literal " + (*i)[2].str());
    }
    return findings;
}

Findings missing_head(const File& file) {
    if (!starts_with(file.text, "// SPDX-License-Identifier: Apache-2.0\n") &&
        !starts_with(file.text, "/* SPDX-License-Identifier: Apache-2.0")) {
        return {file.path + " does not begin with the licence line"};
    }
    const bool header = file.path.size() > 2 && file.path.substr(file.path.size() - 2) == "pp" &&
                        file.path[file.path.size() - 3] == 'h';
    if (header &&
        file.text.find("\n// ") != std::string("// SPDX-License-Identifier: Apache-2.0").size()) {
        return {file.path + " does not say what it is"};
    }
    return {};
}

Findings banned_words(const File& file) {
    Findings findings;
    if (starts_with(file.path, "tests/tidy/")) return findings;
    struct Ban {
        const char* word;
        const char* except;  // a path prefix
        const char* reason;
    };
    static const std::vector<Ban> bans = {
        {"std::random_device", "cli/", "one seed enters at the top"},
        {"std::uniform_", "-", "distributions differ between libraries"},
        {"std::normal_distribution", "-", "distributions differ between libraries"},
        {"mt19937", "tests/", "draws come through properties/generators/draw.hpp"},
        {"ffast-math", "-", "it would change the arithmetic of everything linked"},
        {"using namespace std", "-", "names should say where they come from"},
        {"\t", "-", "tabs"},
    };
    for (const Ban& ban : bans) {
        if (starts_with(file.path, ban.except)) continue;
        if (file.text.find(ban.word) == std::string::npos) continue;
        findings.push_back(file.path + " has " + ban.word + ": " + ban.reason);
    }
    return findings;
}

Findings unnamed_sources(const std::string& root, const std::vector<File>& files) {
    Findings findings;
    const std::vector<List> lists = cmake_lists(root);
    for (const File& file : files) {
        const fs::path path(file.path);
        if (path.extension() != ".cpp" && path.extension() != ".c") continue;
        if (!is_named(path, lists)) {
            findings.push_back(file.path + " is named in no CMakeLists.txt");
        }
    }
    return findings;
}

}  // namespace kvcheck::tidy
