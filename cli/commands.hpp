// SPDX-License-Identifier: Apache-2.0
// The commands, each as a function from its options to an exit code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/report.hpp"
#include "cli/subjects.hpp"

namespace kvcheck {

/// Random cases a property and level.
constexpr Index cases_default = 200;
constexpr Index cases_quick = 30;

struct RunOptions {
    SubjectOptions subject;
    Index cases = 0;  // 0: as --quick or the default says
    bool quick = false;
    std::optional<std::string> time;  // "60s", "500ms", "2m"; none: no limit
    std::string seed;                 // any text; empty: a fresh one
    std::string property;
    bool large = false;  // the large cases at the sizes of real use
    bool exact = false;  // every number by fifty digits
    bool fail_fast = false;
    std::string save = "counterexamples";
    bool save_typed = false;
    std::string corpus;  // a folder to be replayed besides the project's own; "none": nothing is
    int jobs = 0;        // processes that run cases; 0: as many as there are processors
    std::vector<std::string> gtest_flags;
};
Exit run(const RunOptions& options);

struct ReplayOptions {
    std::string file;
    SubjectOptions subject;
    bool subject_typed = false;
    bool verbose = false;  // shows the row of each finding as a table
};
Exit replay(const ReplayOptions& options);

/// Says in plain words how far a subject gets; failed where it is not ready for a run.
Exit doctor(const SubjectOptions& options);

/// Answers the child protocol on standard input and output for a library or a built-in subject.
/// `as_child`: for another kvcheck, which is told what cannot be loaded in answer to its hello.
Exit serve(const SubjectOptions& options, bool as_child);

/// What was expected in place of a property that does not exist: what an error says.
std::string expected_property(const std::string& typed);

Exit list();
Exit example();
/// A decoder of two layers with a cache each, in twelve configurations; failed where something is
/// not as it should be.
Exit decoder_study();

struct GenerateOptions {
    std::string checkpoint;
    std::string tokenizer;
    std::string prompt;
    Index tokens = 0;  // after the prompt; 0: as many as there are positions
};
/// Prints how a checkpoint of llama2.c continues a text.
Exit generate(const GenerateOptions& options);

}  // namespace kvcheck
