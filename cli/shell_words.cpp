// SPDX-License-Identifier: Apache-2.0
// Quoting and splitting of shell words (declared in shell_words.hpp).
#include "cli/shell_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace kvcheck {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view blanks = " \t\n";
constexpr std::string_view separators = ";&|()<>";
/// Within a word these mean something that is not looked into here.
constexpr std::string_view meanings = "$`\\*?[]{}~#!=";

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

bool is_safe(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_./:@%+,=-").find(c) != std::string_view::npos;
}

/// A word at the beginning of a command's rest.
struct Word {
    std::size_t size = 0;  // characters it takes, quotes included
    std::string text;      // without its quotes
    bool plain = true;     // nothing in it that only a shell can know
};

Word first_word(std::string_view rest) {
    Word word;
    char quote = 0;
    for (; word.size < rest.size(); ++word.size) {
        const char c = rest[word.size];
        const bool ends = blanks.find(c) != std::string_view::npos ||
                          separators.find(c) != std::string_view::npos;
        if (quote == 0 && ends) break;
        if (c == quote) {
            quote = 0;
        } else if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
        } else {
            const bool meant = quote != '\'' && meanings.find(c) != std::string_view::npos;
            word.plain = word.plain && !meant;
            word.text += c;
        }
    }
    word.plain = word.plain && quote == 0;
    return word;
}

/// May it name a file in the current folder? A program without a slash is looked up in PATH.
bool is_candidate(const Word& word, bool is_program) {
    return word.plain && !word.text.empty() && word.text.front() != '-' &&
           word.text.front() != '/' && (word.text.find('/') != std::string::npos || !is_program);
}

/// A script by its ending; whatever has a slash.
bool looks_like_a_file(const std::string& word) {
    static const std::array<std::string_view, 10> endings = {".py", ".mjs", ".js", ".cjs", ".ts",
                                                             ".sh", ".rb",  ".pl", ".lua", ".jl"};
    const std::string ending = fs::path(word).extension();
    return word.find('/') != std::string::npos ||
           std::find(endings.begin(), endings.end(), ending) != endings.end();
}

/// The word as it is, or the path of the file here that it names.
std::string resolved(const Word& word, std::string_view typed, bool is_program) {
    if (!is_candidate(word, is_program)) return std::string(typed);
    const bool has_slash = word.text.find('/') != std::string::npos;
    std::error_code error;
    const fs::file_status status = fs::status(word.text, error);
    if (!(has_slash ? fs::exists(status) : fs::is_regular_file(status))) return std::string(typed);
    const fs::path path = fs::absolute(word.text, error);
    return error ? std::string(typed) : quoted_word(path.lexically_normal());
}

/// The command with each word replaced by `replace(word, typed, is_program)`.
template <class Replace>
std::string rewritten(const std::string& command, const Replace& replace) {
    std::string result;
    bool is_program = true;  // the next word is, where no separator stands between
    for (std::string_view rest = command; !rest.empty();) {
        const char c = rest.front();
        if (blanks.find(c) != std::string_view::npos ||
            separators.find(c) != std::string_view::npos) {
            // What follows < or > is a file, what follows another separator a program.
            if (c == '<' || c == '>')
                is_program = false;
            else if (blanks.find(c) == std::string_view::npos)
                is_program = true;
            result += c;
            rest.remove_prefix(1);
            continue;
        }
        const Word word = first_word(rest);
        result += replace(word, rest.substr(0, word.size), is_program);
        // These stand before a program.
        is_program = is_program && (word.text == "exec" || word.text == "env" ||
                                    word.text.find('=') != std::string::npos);
        rest.remove_prefix(word.size);
    }
    return result;
}

}  // namespace

std::string quoted_word(const std::string& text) {
    const bool raw = std::none_of(text.begin(), text.end(), is_control);
    std::string result = raw ? "'" : "$'";
    for (const char c : text) {
        if (raw)
            result += c == '\'' ? std::string("'\\''") : std::string(1, c);
        else if (is_control(c))
            result += fmt::format("\\{:03o}", int(c));
        else
            result += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return result + "'";
}

std::string shell_word(const std::string& text) {
    if (!text.empty() && text.front() == '-') return shell_word("./" + text);
    const bool safe = !text.empty() && std::all_of(text.begin(), text.end(), is_safe);
    return safe ? text : quoted_word(text);
}

std::string with_absolute_paths(const std::string& command) { return rewritten(command, resolved); }

std::vector<std::string> missing_files(const std::string& command) {
    std::vector<std::string> missing;
    rewritten(command, [&](const Word& word, std::string_view typed, bool is_program) {
        std::error_code error;
        if (is_candidate(word, is_program) && looks_like_a_file(word.text) &&
            !fs::exists(word.text, error))
            missing.push_back(word.text);
        return std::string(typed);
    });
    return missing;
}

}  // namespace kvcheck
