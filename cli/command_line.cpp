// SPDX-License-Identifier: Apache-2.0
// Arguments, their help and their errors (declared in command_line.hpp).
#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/duration.hpp"
#include "cli/interrupt.hpp"
#include "cli/streams.hpp"
#include "model/types/error.hpp"
#include "model/types/shown.hpp"

namespace kvcheck {
namespace {

/// Takes GoogleTest's own flags out of the arguments.
std::vector<std::string> take_gtest_flags(std::vector<std::string>& arguments) {
    std::vector<std::string> flags;
    std::erase_if(arguments, [&](const std::string& argument) {
        if (argument.rfind("--gtest_", 0) != 0) return false;
        flags.push_back(argument);
        return true;
    });
    return flags;
}

void add_subject_options(CLI::App& command, SubjectOptions& options) {
    command.add_option(
        "--subject", options.name,
        "a name of `kvcheck list`, ./lib.so or exec:COMMAND; default " + options.name);
    command.add_flag("--in-process", options.in_process, "load a library here, for a debugger");
    command.add_option_function<std::string>(
        "--call-timeout",
        [&options](const std::string& text) {
            options.limits.answer = duration_of("--call-timeout", text);
        },
        fmt::format("longest time that one call of foreign code may take, as in 60s; default {}s",
                    options.limits.answer.count() / 1000));
    command
        .add_option(
            "--memory-limit", options.limits.memory_bytes_max,
            fmt::format("most memory that foreign code may hold, as in 32GiB; default {}GiB, "
                        "0 for no limit",
                        options.limits.memory_bytes_max >> 30))
        ->transform(CLI::AsSizeValue(false));
}

constexpr std::string_view commands = " run replay doctor serve list example ";

/// A program with a subject of its own judges that one unless it is told otherwise; its arguments
/// may begin with the options of run.
void prefer(const SubjectEntry& own, std::vector<std::string>& arguments) {
    const bool is_word = !arguments.empty() && arguments.front().rfind('-', 0) != 0;
    if (!is_word) arguments.insert(arguments.begin(), "run");
    offer(own);
}

Exit dispatch(std::vector<std::string> arguments, const SubjectEntry* own) {
    CLI::App app{"Checks implementations of causal attention with a KV cache."};
    app.name("kvcheck");
    if (own != nullptr) prefer(*own, arguments);
    app.set_version_flag("--version", KVCHECK_VERSION);
    app.require_subcommand(1);
    app.footer("Exit codes: 0 all held, 1 a property failed, 2 bad usage or input, 3 distrusted.");

    const std::string subject_name(own != nullptr ? own->name : "plain");
    RunOptions run_options;
    run_options.subject.name = subject_name;
    run_options.gtest_flags = take_gtest_flags(arguments);
    auto* const run_command = app.add_subcommand("run", "judge a subject by every property");
    add_subject_options(*run_command, run_options.subject);
    run_command
        ->add_option("--cases", run_options.cases,
                     fmt::format("random cases a property and level; default {}", cases_default))
        ->check(CLI::Range(Index{1}, Index{100000000}));
    run_command->add_flag("--quick", run_options.quick,
                          fmt::format("{} cases a property and level, smaller small worlds: some "
                                      "seconds",
                                      cases_quick));
    run_command->add_option("--time", run_options.time,
                            "stop drawing cases after this long, as in 60s");
    run_command->add_option("--seed", run_options.seed,
                            "any text; the same text draws the same cases");
    run_command->add_option("--property", run_options.property, "only this one");
    run_command->add_flag("--large", run_options.large,
                          "the large cases at the sizes of real use: minutes, and 5 GiB");
    run_command
        ->add_option_function<std::string>(
            "--oracle", [&](const std::string& word) { run_options.exact = word == "exact"; },
            "certified: double where it provably suffices, the default; exact: fifty digits for "
            "every number")
        ->check(CLI::IsMember({"certified", "exact"}));
    run_command->add_flag("--fail-fast", run_options.fail_fast, "stop at the first failure");
    run_command->add_option("--save", run_options.save,
                            "folder for counterexamples; default " + run_options.save);
    run_command->add_option("--corpus", run_options.corpus,
                            "folder of cases to replay first, or none");
    run_command->footer(
        "GoogleTest's flags (--gtest_filter, --gtest_output, ...) and sharding apply.");

    ReplayOptions replay_options;
    replay_options.subject.name = subject_name;
    auto* const replay_command = app.add_subcommand("replay", "judge a subject by a saved case");
    replay_command->add_option("FILE", replay_options.file, "the case")->required();
    add_subject_options(*replay_command, replay_options.subject);
    replay_command->add_flag("--verbose", replay_options.verbose,
                             "show the row of a finding: keys, weights, outputs, bounds");

    SubjectOptions examined;
    examined.name = subject_name;
    auto* const doctor_command =
        app.add_subcommand("doctor", "how far does a subject get, and what is missing");
    add_subject_options(*doctor_command, examined);

    SubjectOptions served;
    auto* const serve_command =
        app.add_subcommand("serve", "make a library a child that speaks docs/protocol.md");
    serve_command->add_option("SUBJECT", served.name, "./lib.so, or a built-in name")->required();

    auto* const list_command =
        app.add_subcommand("list", "subjects, mutants, properties, features");
    app.add_subcommand("example", "a small layer, worked through");

    const bool is_word = !arguments.empty() && arguments.front().rfind('-', 0) != 0;
    if (is_word && commands.find(" " + arguments.front() + " ") == std::string_view::npos) {
        throw InputError("command line", "\"" + arguments.front() + "\"",
                         "one of" + std::string(commands));
    }
    try {
        std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
        app.parse(arguments);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {  // help was asked for
            app.exit(error);
            return Exit::held;
        }
        fmt::print(stderr, "kvcheck: {} (kvcheck --help shows the usage)\n", shown(error.what()));
        return Exit::bad_input;
    }
    if (*run_command) return run(run_options);
    if (*replay_command) return replay(replay_options);
    if (*doctor_command) return doctor(examined);
    if (*serve_command) return serve(served);
    if (*list_command) return list();
    return example();
}

}  // namespace

int run_command_line(int argc, char** argv, const SubjectEntry* own) {
    open_standard_streams();
    Exit code = Exit::bad_input;
    std::string trouble;
    try {
        set_program(argc > 0 ? argv[0] : "kvcheck");
        code = dispatch({argv + std::min(argc, 1), argv + argc}, own);
    } catch (const InputError& error) {
        trouble = error.what();
    } catch (const std::exception& error) {  // of the system: no memory, no process, no file
        trouble = "found " + shown(error.what()) + ", expected a system that can run this";
    }
    expect_exit();
    const bool lost = !flush_standard_output();
    if (!trouble.empty()) std::fputs(("kvcheck: " + trouble + "\n").c_str(), stderr);
    return int(lost && code == Exit::held ? Exit::bad_input : code);
}

}  // namespace kvcheck
