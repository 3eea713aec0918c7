// SPDX-License-Identifier: Apache-2.0
// Quoting and splitting of shell words (declared in shell_words.hpp).
#include "cli/shell_words.hpp"

#include <fmt/format.h>

#include <algorithm>
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

/// The word as it is, or the path of the file here that it names.
std::string resolved(const Word& word, std::string_view typed, bool is_program) {
    const bool has_slash = word.text.find('/') != std::string::npos;
    const bool candidate = word.plain && !word.text.empty() && word.text.front() != '-' &&
                           word.text.front() != '/' && (has_slash || !is_program);
    if (!candidate) return std::string(typed);
    std::error_code error;
    const fs::file_status status = fs::status(word.text, error);
    if (!(has_slash ? fs::exists(status) : fs::is_regular_file(status))) return std::string(typed);
    const fs::path path = fs::absolute(word.text, error);
    return error ? std::string(typed) : quoted_word(path.lexically_normal());
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

std::string with_absolute_paths(const std::string& command) {
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
        result += resolved(word, rest.substr(0, word.size), is_program);
        // These stand before a program.
        is_program = is_program && (word.text == "exec" || word.text == "env" ||
                                    word.text.find('=') != std::string::npos);
        rest.remove_prefix(word.size);
    }
    return result;
}

}  // namespace kvcheck
