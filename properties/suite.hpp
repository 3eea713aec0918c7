// SPDX-License-Identifier: Apache-2.0
// Every property on every level of a subject, each as a GoogleTest test that is registered at run
// time, so that GoogleTest's filter, sharding and XML output apply. What happened is data; it is
// printed elsewhere.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/case_file.hpp"
#include "model/types/enum_names.hpp"
#include "properties/large_cases.hpp"
#include "properties/rounds/job.hpp"
#include "properties/search/small_worlds.hpp"

namespace kvcheck {

/// A saved case that is judged again before anything is drawn.
struct ReplayedFile {
    std::string path;
    CaseFile file;
};

struct SuiteOptions {
    SearchOptions search;
    std::string only_property;  // empty: all
    SmallWorlds small_worlds;
    LargeOptions large;
    std::vector<ReplayedFile> corpus;
    bool fail_fast = false;  // the round in which something failed is the last, and of what failed
                             // the most telling is shrunk and reported
    std::string save_folder = "counterexamples";
    std::string seed_text;     // as it is written into files
    std::string subject_text;  // likewise: what names the subject to `kvcheck replay`
    std::function<std::string(const std::string& file)> replay_command;
    bool write_ahead = false;  // the current case is on disk while it runs, for subjects that may
                               // take this process down
    std::string current_case;  // there; of each process that runs cases another file
};

/// What became of one property at one level.
struct PropertyReport {
    std::size_t place = 0;  // in the order of the table, of those that ran
    std::string property;
    Level level = Level::attention;
    Verdict verdict;
    SearchResult search;
    Index corpus_cases = 0;
    Index small_worlds = 0;
    Index large_cases = 0;
    Index asked = 0;          // cases or small worlds that were asked for
    Index places_done = 0;    // of them, those that were tried or are not for this subject
    std::string broken;       // the property that a counterexample breaks
    std::string saved;        // file of the counterexample, empty where none
    std::string from_corpus;  // the file that failed, where it was a replayed one
    std::string
        save_trouble;  // why it could not be saved; the text of the case is then in `unsaved`
    std::string unsaved;
    std::string disk_trouble;  // with the file of the running case; says nothing of the subject
    std::string replay;        // the command that judges the saved case again, empty where none
    std::string same_as;       // the report, "property level", that tells of the same trouble
    std::vector<std::string> failed_beside;  // the others, where the run ended with this one
    double seconds = 0;
};

/// How far a run is.
struct Progress {
    Index round = 0;  // from 1
    Index cases_done = 0;
    Index cases = 0;
    Index worlds_done = 0;
    Index worlds = 0;
    int failed = 0;
};

struct SuiteListener {
    std::function<void(const Progress&)> progress;     // called often
    std::function<void(const PropertyReport&)> ended;  // in the order of the table
    std::function<void(const Status&)> subject_ended;  // how its processes ended, before any report
};

using CrewMaker = std::function<std::unique_ptr<Crew>(const std::vector<Part>& parts)>;

/// Registers the tests. The first of them that runs has `make_crew` called and all those that will
/// run judged, in rounds; each then reports its own part. `options` and `listener` must outlive the
/// run. Returns how many.
int register_suite(const Capabilities& capabilities, const SuiteOptions& options,
                   const SuiteListener& listener, const CrewMaker& make_crew);

/// The name of a subject's test at a level, within the suite that is named after the property.
/// Holds nothing that a filter of GoogleTest understands: "cpp_example/attention".
std::string test_name(const Capabilities& subject, Level level);

/// The test name of the exhaustive part.
constexpr const char* small_worlds_name = "small_worlds";

/// Where the running case is written ahead, for whoever finds the process dead. `worker` is the
/// number, from 1, of one of several processes; 0: there is but one.
std::string current_case_path(const std::string& save_folder, int worker = 0);

/// Any text as a seed.
std::uint64_t seed_of(const std::string& text);

}  // namespace kvcheck
