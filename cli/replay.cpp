// SPDX-License-Identifier: Apache-2.0
// kvcheck replay: one case file on one subject, no generator involved.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/failure_text.hpp"
#include "cli/row_text.hpp"
#include "cli/shell_words.hpp"
#include "cli/subjects.hpp"
#include "cli/terminal.hpp"
#include "model/case_file.hpp"
#include "model/types/error.hpp"
#include "model/types/shown.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/suite.hpp"

namespace kvcheck {
namespace {

std::vector<const Property*> properties_of(const ReplayOptions& options, const CaseFile& file,
                                           const FeatureSet& features) {
    std::vector<const Property*> chosen;
    if (is_judged_by_all(file.finding.property)) {
        for (const Property& property : properties()) {
            if (property.is_asked_of(features)) chosen.push_back(&property);
        }
        return chosen;
    }
    const Property* property = property_named(file.finding.property);
    if (property == nullptr) {
        throw InputError(options.file + ".finding.property", "\"" + file.finding.property + "\"",
                         expected_property(file.finding.property));
    }
    return {property};
}

}  // namespace

Exit replay(const ReplayOptions& options) {
    const CaseFile file = read_case_file(options.file);
    SubjectOptions loud = options.subject;
    loud.limits.pass_errors = true;
    const std::unique_ptr<Subject> subject = make_subject(loud);
    const FeatureSet features = subject->capabilities().features;
    const std::vector<const Property*> chosen = properties_of(options, file, features);
    constexpr std::size_t margin = 9;
    say(fmt::format("subject  {}\ncase     {}: {} level, {} ({})\n", shown(options.subject.name),
                    shown(options.file), name_of(file.test_case.spec.level),
                    size_text(size_of(file.test_case)), shape_text(file.test_case.spec)),
        margin);
    const std::string& recorded = file.finding.subject;
    if (!options.subject_typed && !recorded.empty() && recorded != options.subject.name) {
        say(fmt::format("found    in {}, which is judged by\n", shown(recorded)), margin);
        fmt::print("         {}\n", typed_command("replay " + shell_word(options.file), recorded));
    }
    int judged = 0;
    int failed = 0;
    for (const Property* property : chosen) {
        const FeatureSet lacking =
            (property->needs | features_of(file.test_case)).without(features);
        Verdict verdict =
            lacking.empty()
                ? check(*property, *subject, file.test_case)
                : Verdict::skipped("no " + std::string(name_of(lacking.list().front())));
        // Where the file tells of a death or a refusal, to get through it is all that was asked.
        const std::string& told = file.finding.kind;
        const bool ran =
            told == "crash" || told == kill_diagnosis || told == "timeout" || told == "refusal";
        if (ran && verdict.kind == Verdict::Kind::distrusted) verdict = Verdict::passed(0);
        const std::string words =
            verdict.kind == Verdict::Kind::passed
                ? fmt::format("worst {:.2g} of the bound", verdict.worst_ratio)
                : sentence_of(verdict);
        say(fmt::format("  {:<10} {:<30} {}\n",
                        verdict.is_failure() ? "FAILED" : name_of(verdict.kind), property->name,
                        words),
            finding_margin);
        if (options.verbose)
            fmt::print("{}", row_text(verdict, std::string(finding_margin, ' '), terminal_width()));
        judged += verdict.kind == Verdict::Kind::passed || verdict.is_failure() ? 1 : 0;
        failed += verdict.is_failure() ? 1 : 0;
    }
    if (const Status end = subject->finish(); !end.ok()) {
        fmt::print("  FAILED     the end of the process: {}\n", end.message);
        ++failed;
    }
    if (failed > 0) return Exit::failed;
    return judged > 0 ? Exit::held : Exit::distrusted;
}

}  // namespace kvcheck
