// SPDX-License-Identifier: Apache-2.0
// A case as a file: values, not seeds, so that it survives every change of the generators, with
// what was found wrong beside it. docs/case_file.md describes the format; old versions stay
// readable.
#pragma once

#include <string>

#include "model/case.hpp"

namespace kvcheck {

/// What a failing run wrote down beside a case. Only `property` is read back to act on it.
struct Finding {
    std::string property;  // empty: every property is judged at replay
    std::string subject;
    std::string kind;  // the diagnosis that the shrinking kept
    std::string what;  // the sentence that was printed
    std::string seed;  // of the run that found it, for the record

    bool operator==(const Finding&) const = default;
};

struct CaseFile {
    Case test_case;
    Finding finding;
};

std::string to_text(const CaseFile& file);

/// Throws InputError; `place` (a file name) opens its message.
CaseFile case_file_from_text(const std::string& text, const std::string& place);

/// Reads a whole file; throws InputError where it is missing, unreadable or larger than 64 MiB.
std::string read_text_file(const std::string& path);
CaseFile read_case_file(const std::string& path);

}  // namespace kvcheck
