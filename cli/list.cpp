// SPDX-License-Identifier: Apache-2.0
// kvcheck list: what there is, as it is typed.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/did_you_mean.hpp"
#include "cli/subjects.hpp"
#include "cli/terminal.hpp"
#include "impl/catalogue.hpp"
#include "impl/mutants/catalogue.hpp"
#include "properties/catalogue.hpp"
#include "properties/generators/extremes.hpp"
#include "properties/generators/structure.hpp"

namespace kvcheck {

std::string expected_property(const std::string& typed) {
    std::vector<std::string> names = {small_worlds_name, std::string(large_cases_property().name)};
    for (const Property& property : properties()) names.emplace_back(property.name);
    return "a property that `kvcheck list` shows" + did_you_mean(typed, names);
}

Exit list() {
    say("subjects (--subject)\n");
    if (own_subject() != nullptr)
        say(fmt::format("  {:<30} {}\n", own_subject()->name, own_subject()->what));
    for (const SubjectEntry& entry : built_in_subjects())
        say(fmt::format(
            "  {:<30} {}{}\n", entry.name, entry.what,
            own_subject() == nullptr && entry.name == default_subject ? " (default)" : ""));
    say("\nmutants, broken on purpose (--subject)\n");
    for (const MutantEntry& entry : mutants()) {
        say(fmt::format("  {:<30} {}\n", mutant_prefix + std::string(entry.subject.name),
                        entry.subject.what));
    }
    say("\nproperties (--property), with the clauses of docs/contract.md they judge\n");
    for (const Property& property : properties()) {
        say(fmt::format("  {:<30} {:<11} {}\n", property.name, property.clause, property.claim));
    }
    const Property& large = large_cases_property();
    say("\nlarge, on cases of its own (--property)\n");
    say(fmt::format("  {:<30} {:<11} {}\n", large.name, large.clause, large.claim));
    say("\nexhaustive, several of these properties at once (--property)\n");
    say(fmt::format(
        "  {:<30} {:<11} {}\n", small_worlds_name, "1 to 10",
        "every padding, split and position rule of two rows of up to five tokens, every "
        "program of up to three commands"));
    say("\nreach of the random cases\n");
    for (const std::string_view line : reach_of_structures()) say(fmt::format("  {}\n", line));
    say("\nand of the cases that every property meets in a run of 200 cases\n");
    for (const Extreme& extreme : extremes()) say(fmt::format("  {}\n", extreme.what));
    say("\nfeatures a subject may declare\n");
    for (const Feature feature : FeatureSet::all().list()) {
        const FeatureInfo& info = info_of(feature);
        say(fmt::format("  {:<30} {}{}\n", info.name, info.meaning,
                        info.levels == FeatureInfo::Levels::layer ? " (layer level)" : ""));
        if (!info.denial.empty()) {
            say(fmt::format("  {:<30} a library or program does, unless it declares {}\n", "",
                            info.denial));
        }
    }
    return Exit::held;
}

}  // namespace kvcheck
