// SPDX-License-Identifier: Apache-2.0
// kvcheck run: the whole suite on one subject.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <system_error>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/duration.hpp"
#include "cli/googletest_flags.hpp"
#include "cli/googletest_report.hpp"
#include "cli/interrupt.hpp"
#include "cli/replayed_files.hpp"
#include "cli/save_folder.hpp"
#include "cli/shell_words.hpp"
#include "cli/subjects.hpp"
#include "cli/workers.hpp"
#include "impl/protocol/children.hpp"
#include "model/types/error.hpp"
#include "properties/catalogue.hpp"
#include "properties/rounds/job_runner.hpp"

namespace kvcheck {
namespace {

constexpr SmallWorlds small_worlds_quick = {4, 2};

/// The only place where anything is random.
std::string fresh_seed() {
    std::random_device device;
    return fmt::format("{:08x}", device());
}

/// How many processes run cases. A debugger that had a library loaded into this process wants its
/// cases there, too.
int jobs_of(const RunOptions& options) {
    if (options.jobs > 0) return options.jobs;
    return options.subject.in_process ? 1 : std::min(usable_processors(), workers_max);
}

/// A short run meets its share of the large cases. Mutants are caught by small ones, and a program
/// that answers line by line may be too slow; who asks for them gets them nevertheless.
LargeOptions large_of(const RunOptions& options, Index cases) {
    const Index all = Index(large_sizes(options.large).size());
    const bool asked = options.large || options.property == large_cases_property().name;
    const std::string& subject = options.subject.name;
    if (asked) return {all, options.large};
    if (is_mutant(subject) || is_program(subject)) return {};
    return {std::min(all, all * cases / cases_default), false};
}

/// True where GoogleTest shares tests out, and none of those that are wanted is for this process.
bool is_idle_shard() {
    const testing::UnitTest& unit = *testing::UnitTest::GetInstance();
    if (unit.test_to_run_count() > 0) return false;
    for (int s = 0; s < unit.total_test_suite_count(); ++s) {
        const testing::TestSuite& suite = *unit.GetTestSuite(s);
        for (int t = 0; t < suite.total_test_count(); ++t) {
            if (suite.GetTestInfo(t)->is_in_another_shard()) return true;
        }
    }
    return false;
}

}  // namespace

Exit run(const RunOptions& options) {
    const bool known = options.property.empty() || options.property == small_worlds_name ||
                       property_named(options.property) != nullptr;
    if (!known) {
        throw InputError("--property", "\"" + options.property + "\"",
                         expected_property(options.property));
    }
    std::optional<std::chrono::milliseconds> time;
    if (options.time) time = duration_of("--time", *options.time);
    if (start_googletest(options.gtest_flags)) return Exit::held;
    if (options.save.empty()) throw InputError("--save", "nothing", "a folder");
    const std::string objection = objection_to_folder(options.save);
    if (!objection.empty() && options.save_typed)
        throw InputError("--save", options.save + ": " + objection, "a folder to write to");
    handle_interrupts(options.save);
    if (is_foreign(options.subject.name) && options.subject.in_process) handle_crashes();
    std::unique_ptr<Subject> subject = make_subject(options.subject);
    const Capabilities capabilities = subject->capabilities();
    if (!objection.empty()) {
        fmt::print(stderr,
                   "kvcheck: what fails cannot be saved in {}: {} (--save names another folder)\n",
                   options.save, objection);
    }
    SuiteOptions suite;
    suite.seed_text = options.seed.empty() ? fresh_seed() : options.seed;
    suite.search.seed = seed_of(suite.seed_text);
    suite.search.cases = options.cases > 0 ? options.cases
                         : options.quick   ? cases_quick
                                           : cases_default;
    suite.large = large_of(options, suite.search.cases);
    if (options.exact) suite.search.evaluation = Evaluation::exact;
    if (options.quick) suite.small_worlds = small_worlds_quick;
    if (time) suite.search.deadline = Clock::now() + *time;
    suite.subject_text = options.subject.name;
    suite.replay_command = [&](const std::string& file) {
        return typed_command("replay " + shell_word(file) + typed_options(options.subject),
                             options.subject.name);
    };
    suite.only_property = options.property;
    suite.save_folder = options.save;
    suite.current_case = current_case_path(options.save);
    ReplayedFiles replayed = replayed_files(options.corpus, options.save, options.subject.name);
    suite.corpus = std::move(replayed.files);
    suite.write_ahead = is_foreign(options.subject.name) && objection.empty();
    suite.fail_fast = options.fail_fast || GTEST_FLAG_GET(fail_fast);
    const bool listing = GTEST_FLAG_GET(list_tests);
    const bool filtered =
        GTEST_FLAG_GET(filter) != "*" || std::getenv("GTEST_TOTAL_SHARDS") != nullptr;
    const bool whole = options.property.empty() && !filtered;

    std::optional<RunReport> report;
    if (!listing) {
        report.emplace(RunReport::Setting{options.subject.name, capabilities, suite.seed_text,
                                          filtered, whole});
        for (const std::string& trouble : replayed.troubles)
            report->tell(trouble + "; it is passed over");
    }
    const SuiteListener listener{[&](const Progress& progress) { report->progress(progress); },
                                 [&](const PropertyReport& ended) { report->ended(ended); },
                                 [&](const Status& end) { report->process_ended(end); }};
    const int jobs = jobs_of(options);
    const auto make_crew = [&](const std::vector<Part>& parts) -> std::unique_ptr<Crew> {
        if (jobs == 1) return std::make_unique<Solo>(*subject, suite, parts);
        // Each worker has a subject of its own, and threads do not survive the making of workers.
        report->process_ended(subject->finish());
        subject.reset();
        adopt_orphans();
        return std::make_unique<Workers>(
            Workers::Setting{jobs, [&] { return make_subject(options.subject); }, capabilities,
                             suite.write_ahead && options.subject.in_process},
            suite, parts);
    };
    const SaveFolder folder(options.save);
    register_suite(capabilities, suite, listener, make_crew);
    const int ignored = RUN_ALL_TESTS();
    (void)ignored;  // a distrusted property fails there and has an exit code of its own here
    const std::string lost = trouble_of_report();
    const auto told = [&](Exit exit) {
        if (lost.empty()) return exit;
        std::fflush(stdout);
        fmt::print(stderr, "kvcheck: {}\n", lost);
        return exit == Exit::held ? Exit::bad_input : exit;
    };
    if (listing) return told(Exit::held);
    if (is_idle_shard()) return told(report->idle());
    try {
        return told(report->finish(testing::UnitTest::GetInstance()->test_to_run_count()));
    } catch (const std::system_error&) {  // nothing more can be printed; what was found counts
        return report->has_failed() ? Exit::failed : Exit::bad_input;
    }
}

}  // namespace kvcheck
