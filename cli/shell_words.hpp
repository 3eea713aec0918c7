// SPDX-License-Identifier: Apache-2.0
// Text as words of a POSIX shell: for commands that are printed to be typed, and for commands that
// were typed and run from another folder. Understands quotes; leaves alone what only a shell can
// know (variables, substitutions, patterns).
#pragma once

#include <string>
#include <vector>

namespace kvcheck {

/// In quotes, so that a shell reads exactly this text.
std::string quoted_word(const std::string& text);

/// As it is where a shell reads it so, else in quotes. Never read as an option.
std::string shell_word(const std::string& text);

/// The command with every plain word that names a file here as an absolute path, so that it means
/// the same in another folder: words with a slash, and arguments that are files. The name of a
/// program without a slash is looked up in PATH and stays.
std::string with_absolute_paths(const std::string& command);

/// Plain words of the command that look like files, by a slash or the ending of a script, and name
/// none here.
std::vector<std::string> missing_files(const std::string& command);

}  // namespace kvcheck
