// SPDX-License-Identifier: Apache-2.0
// The built-in subjects, as they are typed after --subject.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "impl/subject.hpp"

namespace kvcheck {

struct SubjectEntry {
    std::string_view name;
    std::string_view what;  // one sentence
    std::unique_ptr<Subject> (*make)(std::string name);
};

/// Correct implementations, the textbook first.
const std::vector<SubjectEntry>& built_in_subjects();

}  // namespace kvcheck
