// SPDX-License-Identifier: Apache-2.0
// Arguments, their help and their errors (declared in command_line.hpp).
#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/did_you_mean.hpp"
#include "cli/duration.hpp"
#include "cli/interrupt.hpp"
#include "cli/memory_size.hpp"
#include "cli/shell_words.hpp"
#include "cli/streams.hpp"
#include "cli/workers.hpp"
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

constexpr int threads_max = 64;

std::string share_text(Index part, Index whole) {
    return part * 4 == whole ? "a fourth" : fmt::format("{}/{}", part, whole);
}

/// `names` are those under which the subject may be given: also by place, where that is no other's.
void add_subject_options(CLI::App& command, SubjectOptions& options, const std::string& names) {
    command.add_option(
        names, options.name,
        "a name of `kvcheck list`, ./lib.so or exec:COMMAND; default " + options.name);
    command.add_flag("--in-process", options.in_process, "load a library here, for a debugger");
    command
        .add_option("--threads", options.threads,
                    "threads of the subject fast; default 1; verdicts do not depend on them")
        ->check(CLI::Range(1, threads_max));
    command.add_option_function<std::string>(
        "--call-timeout",
        [&options](const std::string& text) {
            options.limits.answer = duration_of("--call-timeout", text);
        },
        fmt::format("longest time that one call of foreign code may take, as in 60s; default {}s",
                    options.limits.answer.count() / 1000));
    command.add_option_function<std::string>(
        "--memory-limit",
        [&options](const std::string& text) {
            options.limits.memory_bytes_max = memory_size_of("--memory-limit", text);
        },
        fmt::format("most memory that foreign code may hold, as in 32GiB; default {}GiB, 0 for no "
                    "limit",
                    options.limits.memory_bytes_max >> 30));
}

const std::vector<std::string>& command_names() {
    static const std::vector<std::string> names = {"run",  "replay",  "doctor",        "serve",
                                                   "list", "example", "decoder-study", "generate"};
    return names;
}

[[noreturn]] void refuse_command(const std::string& word) {
    std::error_code none;
    const bool is_file = std::filesystem::is_regular_file(word, none);
    const std::string hint = is_file ? "; did you mean run " + shell_word(word) + "?"
                                     : did_you_mean(word, command_names());
    throw InputError("command line", "\"" + word + "\"",
                     "one of " + fmt::format("{}", fmt::join(command_names(), ", ")) + hint);
}

/// For the first word that begins like an option of this command and is none.
std::string option_hint(const CLI::App& app, const std::vector<std::string>& words) {
    std::vector<std::string> names = {"--gtest_filter", "--gtest_output", "--gtest_list_tests"};
    for (const CLI::App* const command : app.get_subcommands()) {
        for (const CLI::Option* const option : command->get_options()) {
            for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        }
    }
    for (const std::string& word : words) {
        const std::string name = word.substr(0, word.find('='));
        const bool known = std::find(names.begin(), names.end(), name) != names.end();
        if (word.rfind("--", 0) == 0 && !known) return did_you_mean(name, names);
    }
    return {};
}

/// A program with a subject of its own judges that one unless it is told otherwise; its arguments
/// may begin with the options of run.
void prefer(const SubjectEntry& own, std::vector<std::string>& arguments) {
    const bool is_word = !arguments.empty() && arguments.front().rfind('-', 0) != 0;
    if (!is_word) arguments.insert(arguments.begin(), "run");
    offer(own);
}

void refuse_empty(const CLI::App& command, const char* option, const std::string& value,
                  const char* expected) {
    if (command.count(option) > 0 && value.empty()) throw InputError(option, "nothing", expected);
}

Exit dispatch(std::vector<std::string> arguments, const SubjectEntry* own) {
    CLI::App app{"Checks implementations of causal attention with a KV cache."};
    app.name("kvcheck");
    if (own != nullptr) prefer(*own, arguments);
    app.set_version_flag("--version", KVCHECK_VERSION);
    app.require_subcommand(1);
    app.footer("Exit codes: 0 all held, 1 a property failed, 2 bad usage or input, 3 distrusted.");

    const std::string subject_name(own != nullptr ? own->name : default_subject);
    RunOptions run_options;
    run_options.subject.name = subject_name;
    run_options.gtest_flags = take_gtest_flags(arguments);
    auto* const run_command = app.add_subcommand("run", "judge a subject by every property");
    add_subject_options(*run_command, run_options.subject, "SUBJECT,--subject");
    run_command
        ->add_option("--cases", run_options.cases,
                     fmt::format("random cases a property and level; default {}", cases_default))
        ->check(CLI::Range(Index{1}, Index{100000000}));
    run_command->add_flag("--quick", run_options.quick,
                          fmt::format("{} cases a property and level, smaller small worlds: some "
                                      "seconds",
                                      cases_quick));
    run_command->add_option_function<std::string>(
        "--time", [&](const std::string& text) { run_options.time = text; },
        "stop drawing cases after this long, as in 60s; distrusted where "
        "that leaves too few");
    run_command
        ->add_option("--seed", run_options.seed, "any text; the same text draws the same cases")
        ->envname("KVCHECK_SEED");
    run_command->add_option("--property", run_options.property, "only this one");
    run_command->add_flag("--large", run_options.large,
                          "the large cases at the sizes of real use: minutes, and 5 GiB");
    run_command
        ->add_option_function<std::string>(
            "--oracle", [&](const std::string& word) { run_options.exact = word == "exact"; },
            "certified: double where it provably suffices, the default; exact: fifty digits for "
            "every number")
        ->check(CLI::IsMember({"certified", "exact"}));
    run_command->add_flag(
        "--fail-fast", run_options.fail_fast,
        fmt::format("stop with the first round in which something fails, and "
                    "report the failure that says most, shrunk with {} of the "
                    "work that a whole run may spend on it",
                    share_text(shrink_work_of_fail_fast, SearchOptions{}.shrink_work_max)));
    run_command->add_option("--save", run_options.save,
                            "folder for counterexamples; default " + run_options.save);
    run_command->add_option("--corpus", run_options.corpus,
                            "folder of cases to replay first, besides kvcheck's own and what "
                            "earlier runs saved for this subject; none: replay nothing");
    run_command
        ->add_option("--jobs", run_options.jobs,
                     fmt::format("processes that run cases; default one for each processor, {} "
                                 "here, and 1 with --in-process; findings are the same for any",
                                 std::min(usable_processors(), workers_max)))
        ->check(CLI::Range(1, workers_max));
    run_command->footer(
        "GoogleTest's flags (--gtest_filter, --gtest_output, ...) and sharding apply.");

    ReplayOptions replay_options;
    replay_options.subject.name = subject_name;
    auto* const replay_command = app.add_subcommand("replay", "judge a subject by a saved case");
    replay_command->add_option("FILE", replay_options.file, "the case")->required();
    add_subject_options(*replay_command, replay_options.subject, "--subject");
    replay_command->add_flag("--verbose", replay_options.verbose,
                             "show the row of a finding: keys, weights, outputs, bounds");

    SubjectOptions examined;
    examined.name = subject_name;
    auto* const doctor_command =
        app.add_subcommand("doctor", "how far does a subject get, and what is missing");
    add_subject_options(*doctor_command, examined, "SUBJECT,--subject");

    SubjectOptions served;
    auto* const serve_command =
        app.add_subcommand("serve", "make a library a child that speaks docs/protocol.md");
    serve_command->add_option("SUBJECT", served.name, "./lib.so, or a built-in name")->required();

    bool as_child = false;
    serve_command->add_flag("--child", as_child)->group("");  // not for people

    auto* const list_command =
        app.add_subcommand("list", "subjects, mutants, properties, features");
    app.add_subcommand("example", "a small layer, worked through");
    auto* const study_command = app.add_subcommand(
        "decoder-study", "a decoder of two layers with a cache each: every logit, every K and V");

    GenerateOptions generate_options;
    auto* const generate_command = app.add_subcommand(
        "generate", "a checkpoint of llama2.c continues a text, on the textbook decoder");
    generate_command->add_option("--checkpoint", generate_options.checkpoint, "a file of version 0")
        ->required();
    generate_command->add_option("--tokenizer", generate_options.tokenizer, "its tokenizer")
        ->required();
    generate_command->add_option("--prompt", generate_options.prompt, "the text; default none");
    generate_command
        ->add_option("--tokens", generate_options.tokens,
                     "how many to add at most; default as many as there are positions")
        ->check(CLI::Range(Index{1}, extent_max));

    const bool is_word = !arguments.empty() && arguments.front().rfind('-', 0) != 0;
    const auto& known = command_names();
    if (is_word && std::find(known.begin(), known.end(), arguments.front()) == known.end())
        refuse_command(arguments.front());
    const std::vector<std::string> words = arguments;
    try {
        std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
        app.parse(arguments);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {  // help was asked for
            app.exit(error);
            return Exit::held;
        }
        fmt::print(stderr, "kvcheck: {}{} (kvcheck --help shows the usage)\n", shown(error.what()),
                   option_hint(app, words));
        return Exit::bad_input;
    }
    // An empty one, of a variable that is not set, say, would mean another thing than was meant.
    refuse_empty(*run_command, "--corpus", run_options.corpus, "a folder, or none");
    refuse_empty(*run_command, "--property", run_options.property,
                 "a property that `kvcheck list` shows");
    run_options.save_typed = run_command->count("--save") > 0;
    if (*run_command) return run(run_options);
    replay_options.subject_typed = replay_command->count("--subject") > 0;
    if (*replay_command) return replay(replay_options);
    if (*doctor_command) return doctor(examined);
    if (*serve_command) return serve(served, as_child);
    if (*list_command) return list();
    if (*study_command) return decoder_study();
    if (*generate_command) return generate(generate_options);
    return example();
}

}  // namespace

int run_command_line(int argc, char** argv, const SubjectEntry* own) {
    open_standard_streams();
    std::signal(SIGXFSZ, SIG_IGN);  // a file that grows beyond a limit is told like a full disk
    Exit code = Exit::bad_input;
    std::string trouble;
    try {
        set_program(argc > 0 ? argv[0] : "kvcheck");
        code = dispatch({argv + std::min(argc, 1), argv + argc}, own);
    } catch (const InputError& error) {
        trouble = error.what();
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::broken_pipe) {  // of standard output
            expect_exit();
            return unread_code;
        }
        trouble = std::string("found ") + error.what() + ", expected a system that can run this";
    } catch (const std::exception& error) {  // of the system: no memory, no process, no file
        trouble = "found " + shown(error.what()) + ", expected a system that can run this";
    }
    expect_exit();
    const Flushed flushed = flush_standard_output();
    if (!trouble.empty()) std::fputs(("kvcheck: " + trouble + "\n").c_str(), stderr);
    if (flushed == Flushed::all || code != Exit::held) return int(code);
    return flushed == Flushed::unread ? unread_code : int(Exit::bad_input);
}

}  // namespace kvcheck
