// SPDX-License-Identifier: Apache-2.0
// Every property on every level of a subject, each as a GoogleTest test that is registered at run
// time, so that GoogleTest's filter, sharding and XML output apply. What happened is data; it is
// printed elsewhere.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/case_file.hpp"
#include "model/types/enum_names.hpp"
#include "properties/large_cases.hpp"
#include "properties/search/search.hpp"
#include "properties/search/small_worlds.hpp"

namespace kvcheck {

struct SuiteOptions {
    SearchOptions search;
    std::optional<std::chrono::milliseconds> time;  // for the whole run, shared out as it goes
    std::string only_property;                      // empty: all
    Index small_world_slots_max = small_world_slots;
    LargeOptions large;
    std::vector<std::pair<std::string, CaseFile>> corpus;  // replayed before anything is drawn
    std::string save_folder = "counterexamples";
    std::string seed_text;     // as it is written into files
    std::string subject_text;  // likewise: what names the subject to `kvcheck replay`
    std::function<std::string(const std::string& file)> replay_command;
    bool write_ahead = false;  // the current case is on disk while it runs, for subjects that may
                               // take this process down
};

/// What became of one property at one level.
struct PropertyReport {
    std::string property;
    Level level = Level::attention;
    Verdict verdict;
    SearchResult search;
    Index corpus_cases = 0;
    Index small_worlds = 0;
    Index large_cases = 0;
    std::string saved;                // file of the counterexample, empty where none
    std::string from_corpus;          // the corpus file that failed
    std::optional<Case> corpus_case;  // what it holds
    std::string
        save_trouble;  // why it could not be saved; the text of the case is then in `unsaved`
    std::string unsaved;
    std::string disk_trouble;  // with the file of the running case; says nothing of the subject
    std::string replay;        // the command that judges the saved case again, empty where none
    double seconds = 0;
};

/// Called as each property begins (with an empty report but for its name and level) and ends.
struct SuiteListener {
    std::function<void(const std::string& property, Level level)> begun;
    std::function<void(const PropertyReport&)> ended;
};

/// Registers the tests; `subject`, `options` and `listener` must outlive the run. Returns how many.
int register_suite(Subject& subject, const SuiteOptions& options, const SuiteListener& listener);

/// The name of a subject's test at a level, within the suite that is named after the property.
/// Holds nothing that a filter of GoogleTest understands: "cpp_example/attention".
std::string test_name(const Capabilities& subject, Level level);

/// The test name of the exhaustive part.
constexpr const char* small_worlds_name = "small_worlds";

/// Where the running case is written ahead, for whoever finds the process dead.
std::string current_case_path(const std::string& save_folder);

/// Any text as a seed.
std::uint64_t seed_of(const std::string& text);

}  // namespace kvcheck
