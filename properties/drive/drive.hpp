// SPDX-License-Identifier: Apache-2.0
// Applies commands to a subject through guarded memory and writes down what it did. The only place
// where an escaped exception or a refused admissible call becomes a verdict. Judges nothing else.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "impl/subject.hpp"
#include "model/cache_state.hpp"
#include "model/case.hpp"
#include "oracles/truth.hpp"
#include "oracles/verdict.hpp"
#include "properties/drive/call_memory.hpp"
#include "properties/drive/token_labels.hpp"

namespace kvcheck {

struct DriveOptions {
    Arrangement arrangement;
    /// What lies in the inputs beyond a row's count; NaN unless a property compares two contents.
    std::optional<float> beyond_count;
    /// Written over the subject's unused memory before every call, where it can.
    std::optional<double> poison_unused;
    /// Export K/V after every command, not only where history ends.
    bool export_every_step = false;
    /// Ask for the weights, where the subject shows any.
    bool weights = true;
    /// Ask for the log-sum-exps, where the subject shows any and the spec has no sinks.
    bool log_sum_exp = false;
    /// Ask a subject that can to give all prefixes the same hash.
    bool weak_prefix_hash = false;
    /// Ask for the row numbers after every command; else never.
    bool numbers_every_step = false;
};

/// What the subject said of one token, and on which history.
struct Observation {
    Index command = 0;  // number in the program
    Index row = 0;
    History history;  // of the row up to and including the token

    std::vector<double> output;                // o[H*Dv] or y[D]
    std::vector<std::vector<double>> weights;  // [H][slots of the row after the call]; empty where
                                               // the subject shows none
    std::vector<double> log_sum_exp;           // [H]; empty where it was not asked for
    bool written = true;                       // false: an element still holds the poison

    const Node& token() const { return *history.last(); }
    Index slot() const { return token().slot; }
};

struct Run {
    /// Set where the subject died or refused what it must honour; the rest then ends there.
    std::optional<Verdict> trouble;
    std::vector<Observation> observations;         // in the order of commands, rows and slots
    std::vector<std::vector<RowNumbers>> numbers;  // [command][row] or empty
    /// What was stored, row by row: before every command that brings no token and at the end, or
    /// after every command.
    struct Export {
        Index commands = 0;  // how many had been applied
        Index row = 0;
        StoredRow stored;
    };
    std::vector<Export> exports;
    std::string memory_fault;  // the first write outside the outputs
};

/// A session under test. Subject and parameters outlive it.
class Drive {
public:
    Drive(Subject& subject, const Spec& spec, const Parameters& parameters,
          const DriveOptions& options);

    /// A session of its own that loads what `other` saved, and holds by the contract what `other`
    /// holds now; its recording begins here.
    Drive(const Drive& other, std::span<const std::byte> saved);

    /// Applies an admissible command and records it.
    void apply(const Command& command);
    /// Makes a wrong call; the status is returned, nothing is recorded but a memory fault.
    Status attempt(const Append& append, const Damage& damage);
    Status attempt(const Command& command);
    /// Asks for a prefix by any key; `slots` is what the row has then. Nothing is recorded, and the
    /// row's own state must be put right by whoever asks.
    Status attempt_reuse(Index row, const PrefixKey& key, Index& slots);
    /// By which a row would be published, or asked for, as it is now.
    OwnPrefixKey key_of(const History& row) const { return labels_.key(row); }

    /// Asks queries that bring no key (clause 15), [rows][queries][input]: in the recording they
    /// stand for themselves, apart from what was appended. Nothing else may change.
    void ask(const std::vector<std::vector<Token>>& queries);
    /// What they were answered.
    const std::vector<Observation>& asked() const { return asked_; }
    /// A wrong one.
    Status attempt_ask(const std::vector<std::vector<Token>>& queries, const Damage& damage);

    /// Whether it says that it has room for so many tokens more in each row.
    Status attempt_admission(const std::vector<Index>& counts, bool& fits);

    /// What the session saves, which is to change nothing.
    std::vector<std::byte> save();
    /// Loads bytes under any spec and parameters beside what is driven, and closes what that
    /// opened.
    Status attempt_load(const Spec& spec, const Parameters& parameters,
                        std::span<const std::byte> bytes);

    /// Closes the session, ends the recording and returns it. No call follows.
    Run finish();
    /// What the last append wrote that it must not, also where it was refused; empty where nothing.
    const std::string& memory_fault() const { return memory_fault_; }
    bool in_trouble() const { return run_.trouble.has_value(); }
    /// What the rows hold by the contract.
    const CacheState& state() const { return state_; }
    /// As a session would be loaded with: its rows are those that there are now.
    const Spec& spec() const { return spec_; }
    /// How many have been applied.
    Index commands() const { return commands_; }

    std::vector<RowNumbers> numbers();
    /// What is stored of every row; empty where the subject does not show it.
    std::vector<StoredRow> stored();

private:
    void apply_append(const Append& append);
    void ask_for(const Command& command);
    Status ask(const Command& command);
    Status ask(const CallMemory& memory);
    Status ask_to_reuse(const Reuse& reuse);
    void reload();
    void load(std::span<const std::byte> saved);
    Status close();
    CallOptions call_options(const Append& append) const;
    CallOptions ask_options() const;
    Status call(const Append& append, const CallMemory& memory);
    void count_work(const Append& append) const;
    void record(const Append& append, const CallMemory& memory);
    void record_stored();
    std::optional<StoredRow> stored_row(Index row);
    void trouble(const Status& status, const std::string& call);
    bool asks_for_log_sum_exp() const {
        return options_.log_sum_exp && !spec_.sinks &&
               capabilities_.features.has(Feature::log_sum_exp);
    }
    bool asks_for_weights() const {
        return options_.weights && capabilities_.features.has(Feature::weights);
    }

    Subject& subject_;
    const Capabilities& capabilities_;
    Spec spec_;
    const Parameters& parameters_;
    DriveOptions options_;
    CacheState state_;
    TokenLabels labels_;
    std::unique_ptr<Session> session_;
    Index commands_ = 0;
    std::string memory_fault_;  // of the last append
    std::vector<Observation> asked_;
    Run run_;
};

/// Drives a whole case.
Run drive(Subject& subject, const Case& test_case, const DriveOptions& options = {});

}  // namespace kvcheck
