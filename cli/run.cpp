// SPDX-License-Identifier: Apache-2.0
// kvcheck run: the whole suite on one subject.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <system_error>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/duration.hpp"
#include "cli/interrupt.hpp"
#include "cli/shell_words.hpp"
#include "cli/subjects.hpp"
#include "model/types/error.hpp"
#include "properties/catalogue.hpp"
#include "properties/search/counterexample_file.hpp"

namespace kvcheck {
namespace {

constexpr Index small_world_slots_quick = 4;

/// The only place where anything is random.
std::string fresh_seed() {
    std::random_device device;
    return fmt::format("{:08x}", device());
}

/// The project's own corpus: beside an installed program, or where this one was built.
std::string own_corpus() {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    const fs::path installed = self.parent_path().parent_path() / "share/kvcheck/corpus";
    return fs::is_directory(installed, error) ? installed.string() : KVCHECK_CORPUS;
}

std::vector<std::pair<std::string, CaseFile>> corpus_of(const RunOptions& options) {
    if (options.corpus == "none") return {};
    if (!options.corpus.empty()) return read_corpus(options.corpus);
    // Mutants are caught by search: the corpus holds what once caught them.
    const std::string folder = own_corpus();
    std::error_code none;
    if (is_mutant(options.subject.name) || !std::filesystem::is_directory(folder, none)) return {};
    return read_corpus(folder);
}

void start_googletest(const RunOptions& options) {
    std::vector<std::string> words = {"kvcheck"};
    words.insert(words.end(), options.gtest_flags.begin(), options.gtest_flags.end());
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    int count = int(arguments.size());
    arguments.push_back(nullptr);
    testing::InitGoogleTest(&count, arguments.data());
    if (count > 1) throw InputError("command line", arguments[1], "a flag that GoogleTest knows");
    if (options.fail_fast) GTEST_FLAG_SET(fail_fast, true);
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
}

}  // namespace

Exit run(const RunOptions& options) {
    const bool known = options.property.empty() || options.property == small_worlds_name ||
                       property_named(options.property) != nullptr;
    if (!known) {
        throw InputError("--property", "\"" + options.property + "\"",
                         "a property that `kvcheck list` shows");
    }
    if (options.save.empty()) throw InputError("--save", "nothing", "a folder");
    handle_interrupts(options.save);
    if (is_foreign(options.subject.name) && options.subject.in_process) handle_crashes();
    const std::unique_ptr<Subject> subject = make_subject(options.subject);
    SuiteOptions suite;
    suite.seed_text = options.seed.empty() ? fresh_seed() : options.seed;
    suite.search.seed = seed_of(suite.seed_text);
    suite.search.cases = options.cases > 0 ? options.cases
                         : options.quick   ? cases_quick
                                           : cases_default;
    if (options.quick) suite.small_world_slots_max = small_world_slots_quick;
    if (!options.time.empty()) suite.time = duration_of("--time", options.time);
    suite.subject_text = options.subject.name;
    suite.replay_command = [&](const std::string& file) {
        return typed_command("replay " + shell_word(file) + typed_options(options.subject),
                             options.subject.name);
    };
    suite.only_property = options.property;
    suite.save_folder = options.save;
    suite.corpus = corpus_of(options);
    suite.write_ahead = is_foreign(options.subject.name);
    start_googletest(options);
    const bool listing = GTEST_FLAG_GET(list_tests);
    const bool filtered =
        GTEST_FLAG_GET(filter) != "*" || std::getenv("GTEST_TOTAL_SHARDS") != nullptr;
    const bool whole = options.property.empty() && !filtered;

    std::optional<RunReport> report;
    if (!listing) {
        report.emplace(RunReport::Setting{options.subject.name, subject->capabilities(),
                                          suite.seed_text, suite.search.cases, filtered, whole});
        suite.search.progress = [&](Index done) { report->progress(done); };
    }
    const SuiteListener listener{
        [&](const std::string& property, Level level) { report->begun(property, level); },
        [&](const PropertyReport& ended) { report->ended(ended); }};
    register_suite(*subject, suite, listener);
    const int ignored = RUN_ALL_TESTS();
    (void)ignored;  // a distrusted property fails there and has an exit code of its own here
    if (listing) return Exit::held;
    report->process_ended(subject->finish());
    try {
        return report->finish(testing::UnitTest::GetInstance()->test_to_run_count());
    } catch (const std::system_error&) {  // nothing more can be printed; what was found counts
        return report->has_failed() ? Exit::failed : Exit::bad_input;
    }
}

}  // namespace kvcheck
