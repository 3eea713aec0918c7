// SPDX-License-Identifier: Apache-2.0
// What a run prints, and what it amounts to. Progress appears on a terminal only, colour likewise.
#pragma once

#include <string>
#include <vector>

#include "impl/subject.hpp"
#include "properties/suite.hpp"

namespace kvcheck {

/// Exit codes of the command.
enum class Exit { held = 0, failed = 1, bad_input = 2, distrusted = 3 };

class RunReport {
public:
    struct Setting {
        std::string subject;  // as typed
        Capabilities capabilities;
        std::string seed;
        bool filtered = false;  // by GoogleTest: somebody else adds up what the parts say
        bool whole = true;      // every property runs, so that what was not exercised can be judged
    };
    explicit RunReport(Setting setting);

    void progress(const Progress& progress);
    void ended(const PropertyReport& report);
    /// How the subject's process ended after the last test; its death there is a failure.
    void process_ended(const Status& status);
    bool has_failed() const;
    /// Nothing was for this process to do: it held.
    Exit idle() const;
    /// Trouble that is no verdict, on standard error; the same words only once.
    void tell(const std::string& trouble);
    /// Prints the summary; `registered` tests were to run.
    Exit finish(int registered);

private:
    void print(const PropertyReport& report) const;
    void print_where_to_start() const;
    std::vector<std::string> print_coverage() const;
    /// By which answers the numbers were judged.
    void print_evaluation() const;
    /// Returns what is declared and was never exercised.
    FeatureSet print_not_exercised() const;
    void print_skipped() const;
    std::string painted(const char* colour, const std::string& text) const;
    void clear_progress() const;

    Setting setting_;
    bool terminal_;
    bool coloured_;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point progress_told_;
    std::string told_;     // the last trouble
    std::string bad_end_;  // of the subject's process
    std::vector<PropertyReport> reports_;
};

}  // namespace kvcheck
