// SPDX-License-Identifier: Apache-2.0
// Applies commands to a subject through guarded memory and writes down what it did. The only place
// where an escaped exception or a refused admissible call becomes a verdict. Judges nothing else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "impl/subject.hpp"
#include "model/case.hpp"
#include "oracles/truth.hpp"
#include "oracles/verdict.hpp"
#include "properties/drive/call_memory.hpp"

namespace kvcheck {

struct DriveOptions {
    Arrangement arrangement;
    /// What lies in the inputs beyond a row's count; NaN unless a property compares two contents.
    std::optional<float> beyond_count;
    /// Written over the subject's unused memory before every call, where it can.
    std::optional<double> poison_unused;
    /// Export K/V after every command, not only at the end of each epoch.
    bool export_every_step = false;
    /// Ask for the row numbers after every command; else never.
    bool numbers_every_step = false;
};

/// What the subject said of one token.
struct Seen {
    std::vector<double> output;                // o[H*Dv] or y[D]
    std::vector<std::vector<double>> weights;  // [H][slots of the row after the call]; empty where
                                               // the subject shows none
    bool written = true;                       // false: an element still holds the poison
};

struct Run {
    /// Set where the subject died or refused what it must honour; the rest then ends there.
    std::optional<Verdict> trouble;
    std::vector<std::vector<std::vector<Seen>>> tokens;  // [epoch][row][slot]
    std::vector<std::vector<RowNumbers>> numbers;        // [command][row] or empty
    std::vector<std::vector<StoredRow>> stored;  // [epoch][row], at its end; or [command][row]
    std::string memory_fault;                    // the first write outside the outputs
};

/// A session under test.
class Drive {
public:
    Drive(Subject& subject, const Spec& spec, const Parameters& parameters,
          const DriveOptions& options);

    /// Applies an admissible command and records it.
    void apply(const Command& command);
    /// Makes a wrong call; the status is returned, nothing is recorded but a memory fault.
    Status attempt(const Append& append, const Damage& damage);

    /// Closes the session, ends the recording and returns it. No call follows.
    Run finish();
    bool in_trouble() const { return run_.trouble.has_value(); }
    Index length(Index row) const { return lengths_[std::size_t(row)]; }

    std::vector<RowNumbers> numbers();
    std::vector<StoredRow> stored();

private:
    void apply(const Append& append);
    CallOptions call_options(const Append& append) const;
    Status call(const CallMemory& memory);
    void record(const Append& append, const CallMemory& memory);
    void trouble(const Status& status, const std::string& call);
    void end_step();

    const Capabilities& capabilities_;
    Spec spec_;
    DriveOptions options_;
    std::unique_ptr<Session> session_;
    std::vector<Index> lengths_;
    Index commands_ = 0;
    Run run_;
};

/// Drives a whole case.
Run drive(Subject& subject, const Case& value, const DriveOptions& options = {});

}  // namespace kvcheck
