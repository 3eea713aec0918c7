// SPDX-License-Identifier: Apache-2.0
// From what is typed after --subject to a subject.
#pragma once

#include <memory>
#include <string>

#include "impl/subject.hpp"

namespace kvcheck {

constexpr const char* mutant_prefix = "mutant:";

/// Throws InputError for a name that nothing here answers to.
std::unique_ptr<Subject> make_subject(const std::string& name);
bool is_mutant(const std::string& name);

}  // namespace kvcheck
