// SPDX-License-Identifier: Apache-2.0
#include "cli/subjects.hpp"

#include "impl/catalogue.hpp"
#include "impl/mutants/catalogue.hpp"
#include "model/types/error.hpp"

namespace kvcheck {

bool is_mutant(const std::string& name) { return name.rfind(mutant_prefix, 0) == 0; }

std::unique_ptr<Subject> make_subject(const std::string& name) {
    std::string known;
    for (const SubjectEntry& entry : built_in_subjects()) {
        if (name == entry.name) return entry.make(name);
        known += (known.empty() ? "" : ", ") + std::string(entry.name);
    }
    for (const MutantEntry& entry : mutants()) {
        const std::string typed = mutant_prefix + std::string(entry.subject.name);
        if (name == typed) return entry.subject.make(name);
        known += ", " + typed;
    }
    throw InputError("--subject", "\"" + name + "\"", "one of " + known);
}

}  // namespace kvcheck
