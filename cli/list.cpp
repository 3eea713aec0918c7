// SPDX-License-Identifier: Apache-2.0
// kvcheck list: what there is, as it is typed.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/subjects.hpp"
#include "impl/catalogue.hpp"
#include "impl/mutants/catalogue.hpp"
#include "properties/catalogue.hpp"
#include "properties/generators/extremes.hpp"
#include "properties/generators/structure.hpp"

namespace kvcheck {

Exit list() {
    fmt::print("subjects (--subject)\n");
    if (own_subject() != nullptr)
        fmt::print("  {:<30} {}\n", own_subject()->name, own_subject()->what);
    for (const SubjectEntry& entry : built_in_subjects())
        fmt::print("  {:<30} {}{}\n", entry.name, entry.what,
                   own_subject() == nullptr && entry.name == default_subject ? " (default)" : "");
    fmt::print("\nmutants, broken on purpose (--subject)\n");
    for (const MutantEntry& entry : mutants()) {
        fmt::print("  {:<30} {}\n", mutant_prefix + std::string(entry.subject.name),
                   entry.subject.what);
    }
    fmt::print("\nproperties (--property), with the clauses of docs/contract.md they judge\n");
    for (const Property& property : properties()) {
        fmt::print("  {:<30} {:<11} {}\n", property.name, property.clause, property.claim);
    }
    fmt::print("\nexhaustive, several of these properties at once (--property)\n");
    fmt::print("  {:<30} {:<11} {}\n", small_worlds_name, "1 to 8",
               "every padding, split and position rule of two rows of up to five tokens");
    fmt::print("\nreach of the random cases\n");
    for (const std::string_view line : reach_of_structures()) fmt::print("  {}\n", line);
    fmt::print("\nand of the cases that every property meets in a run of 200 cases\n");
    for (const Extreme& extreme : extremes()) fmt::print("  {}\n", extreme.what);
    fmt::print("\nfeatures a subject may declare\n");
    for (const Feature feature : FeatureSet::all().list()) {
        const FeatureInfo& info = info_of(feature);
        fmt::print("  {:<30} {}{}\n", info.name, info.meaning,
                   info.levels == FeatureInfo::Levels::layer ? " (layer level)" : "");
    }
    return Exit::held;
}

}  // namespace kvcheck
