// SPDX-License-Identifier: Apache-2.0
// kvcheck doctor: for somebody in the middle of writing a subject. Says, step by step and in plain
// words, how far it gets: handshake, capabilities, one case worked by hand, and what is missing.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "model/case.hpp"
#include "model/types/enum_names.hpp"
#include "model/types/feature_needs.hpp"
#include "model/types/shown.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/drive.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/search/blame.hpp"
#include "properties/search/proposal.hpp"

namespace kvcheck {
namespace {

constexpr float first_value = 2;
constexpr float second_value = 4;
constexpr float mean = (first_value + second_value) / 2;

/// One head of width one, two tokens in two calls, and q = 0: both weights are equal, so the
/// outputs are the first value and the mean. A layer that passes its x through as value gets the
/// same numbers.
Case worked_case(Level level) {
    Case test_case;
    test_case.spec.level = level;
    test_case.spec.capacity = 2;
    if (level == Level::layer) {
        test_case.spec.model_width = 1;
        const Projection zero{{0}, {}};
        const Projection one{{1}, {}};
        test_case.parameters.query = zero;
        test_case.parameters.key = test_case.parameters.value = test_case.parameters.output = one;
    }
    for (const float number : {first_value, second_value}) {
        Append append;
        const bool layer = level == Level::layer;
        append.rows.push_back(
            {{true, layer ? std::vector<float>{number} : std::vector<float>{0, 1, number}}});
        test_case.program.emplace_back(std::move(append));
    }
    return test_case;
}

void print_declared(const Capabilities& capabilities) {
    const std::string names = names_of(capabilities.features, " ");
    say(fmt::format("it says     {} {}, {}, {}\n", capabilities.name, capabilities.version,
                    capabilities.element == ElementType::f32 ? "fp32" : "fp64",
                    names.empty() ? "no features" : names));
    for (const FeatureNeed& need : unmet_needs(capabilities.features))
        say(fmt::format("in vain     it declares a feature without another: {}\n", text_of(need)));
}

/// True where both outputs are right.
bool print_worked_case(Subject& subject, Level level) {
    const Case test_case = worked_case(level);
    const Run run = drive(subject, test_case);
    const std::string_view name = name_of(level);
    if (run.trouble) {
        say(fmt::format("it fails    at {} level, {}\n", name, sentence_of(*run.trouble)));
        return false;
    }
    const std::vector<Observation>& seen = run.observations;
    say(fmt::format(
        "it answers  {:.9g} and then {:.9g} at {} level, where {:g} and {:g} are right\n",
        seen[0].output[0], seen[1].output[0], name, first_value, mean));
    if (!seen[0].written || !seen[1].written) {
        say("            an output was never written\n");
        return false;
    }
    Oracle oracle(test_case.spec, test_case.parameters, subject.capabilities().profile);
    const Verdict verdict =
        property_named("outputs_match_the_oracle")->check(subject, test_case, oracle);
    if (verdict.is_failure()) say(fmt::format("            {}\n", sentence_of(verdict)));
    return !verdict.is_failure();
}

/// What it would gain by declaring more, and which properties cannot run until then.
void print_missing(FeatureSet features) {
    std::string idle;
    for (const Property& property : properties()) {
        const FeatureSet lacking = property.needs.without(features);
        if (lacking.empty() || !property.is_asked_of(features)) continue;
        idle += fmt::format("            {} needs {}\n", property.name, names_of(lacking, " "));
    }
    if (!idle.empty())
        say(fmt::format("not run     these properties, until it declares more:\n{}", idle));
    std::string untried;
    for (const Feature feature : FeatureSet::all().without(features).list()) {
        // "no layer" says it all of the parts of a layer.
        const bool is_part = info_of(feature).levels == FeatureInfo::Levels::layer;
        if (is_part && !features.has(Feature::layer)) continue;
        const std::string_view hint = info_of(feature).untried;
        if (!hint.empty()) untried += fmt::format("            {}: {}\n", name_of(feature), hint);
    }
    if (!untried.empty()) say(fmt::format("not tried   without these features:\n{}", untried));
}

/// What the random cases that fail have in common.
void print_blame(const Blame& blame) {
    const std::string failed =
        fmt::format("it fails    {} of {} random cases", blame.failed, blame.cases);
    if (blame.failed == 0) {
        say("it fails    a random case, and none of them when they are tried again\n");
        return;
    }
    if (blame.failed < blame_failures_least) {
        say(fmt::format("{}: too few to say what they have in common; a run shrinks one of them\n",
                        failed));
        return;
    }
    if (!blame.feature) {
        say(fmt::format("{}; no feature by itself explains it: a run shrinks one of them\n",
                        failed));
        return;
    }
    const FeatureInfo& info = info_of(*blame.feature);
    say(fmt::format(
        "{}; all of these need {} ({}), and as many random cases without it hold: either "
        "that is wrong, or it is not to be declared{}\n",
        failed, info.name, info.meaning,
        info.denial.empty()
            ? std::string()
            : fmt::format(" (in a list of features {} takes it back)", info.denial)));
}

/// Judges a few random cases; false where one fails. Else says how much more could be declared of
/// the arithmetic.
bool print_random_cases(Subject& subject) {
    constexpr Index cases = 60;
    const auto proposal = propose_profile(subject, cases);
    if (!proposal) {
        print_blame(find_blame(subject, cases));
        return false;
    }
    if (proposal->profile == subject.capabilities().profile) return true;
    std::string fields;
    for_each_field(proposal->profile, [&](const ProfileField& field, const auto& proposed) {
        for_each_field(subject.capabilities().profile,
                       [&](const ProfileField& other, const auto& declared) {
                           if (field.name != other.name || double(proposed) == double(declared))
                               return;
                           fields += fmt::format("            {} {:g} in place of {:g}\n",
                                                 field.name, double(proposed), double(declared));
                       });
    });
    say(
        fmt::format("profile     {} random cases fit a tighter numeric profile, with which smaller "
                    "faults show; declare of it what your code does (docs/error_bound.md, section "
                    "2):\n{}            largest error / bound {:.2g}; as declared, {:.2g}\n",
                    proposal->cases, fields, proposal->proposed_ratio, proposal->declared_ratio));
    return true;
}

}  // namespace

Exit doctor(const SubjectOptions& options) {
    SubjectOptions loud = options;
    loud.limits.pass_errors = true;
    const std::unique_ptr<Subject> subject = make_subject(loud);
    say(fmt::format("it starts   {}\n", shown(options.name)));
    const Capabilities& capabilities = subject->capabilities();
    print_declared(capabilities);
    std::vector<Level> levels;
    if (capabilities.features.has(Feature::attention)) levels.push_back(Level::attention);
    if (capabilities.features.has(Feature::layer)) levels.push_back(Level::layer);
    if (!levels.empty()) {
        say(fmt::format(
            "the case    two calls bring a token each, with values {:g} and {:g}; both keys "
            "weigh the same, so the first output is {:g} and the second the mean, {:g}\n",
            first_value, second_value, first_value, mean));
    }
    bool right = true;
    for (const Level level : levels) right = print_worked_case(*subject, level) && right;
    if (const Status end = subject->finish(); !end.ok()) {
        say(fmt::format("it fails    at the end of the process, {}\n", end.message));
        right = false;
    }
    if (levels.empty()) {
        say("it fails    it declares neither attention nor layer: nothing can be run\n");
        return Exit::failed;
    }
    print_missing(capabilities.features);
    if (!right) {
        say("next        mend the case above; docs/contract.md says what the calls mean\n");
        return Exit::failed;
    }
    const bool holds = print_random_cases(*subject);
    fmt::print("next        {}\n",
               typed_command("run --quick" + typed_options(options), options.name));
    return holds ? Exit::held : Exit::failed;
}

}  // namespace kvcheck
