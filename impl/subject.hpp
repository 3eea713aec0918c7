// SPDX-License-Identifier: Apache-2.0
// The interface of everything that can be checked. A subject opens sessions; a session is one
// object with a cache for a batch of rows, driven by append and by commands that bring no token.
// Everything a subject may answer is a value: done, refused (the caller's request cannot be
// honoured; the state is as before), or died. The clause numbers are those of docs/contract.md.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/types/arrays.hpp"
#include "model/types/capabilities.hpp"
#include "model/types/lifecycle.hpp"
#include "model/types/parameters.hpp"
#include "model/types/prefix_key.hpp"
#include "model/types/row_numbers.hpp"
#include "model/types/spec.hpp"
#include "model/types/view.hpp"

namespace kvcheck {

/// How a call ended. Death (an escaped exception, a crash, a hang) is reported by whoever stands
/// between the checker and the subject; a C++ subject itself only ever returns done or refused.
struct Status {
    enum class Kind { done, refused, died, timed_out };
    Kind kind = Kind::done;
    std::string message;     // why it refused or how it died
    bool by_others = false;  // died of a signal that may have come from anybody: SIGKILL

    static Status done() { return {}; }
    static Status refused(std::string why) { return {Kind::refused, std::move(why)}; }
    static Status died(std::string how) { return {Kind::died, std::move(how)}; }
    static Status timed_out(std::string how) { return {Kind::timed_out, std::move(how)}; }
    bool ok() const { return kind == Kind::done; }
};

/// One append: row r receives its first counts[r] tokens (clause 3). What lies beyond a count is
/// not part of the call and must not be read; outputs there may be written or not. Views have the
/// subject's element type, any strides, and one extent `tokens` which no count exceeds.
struct AppendCall {
    std::span<const Index> counts;                       // [rows]
    InputView query;                                     // [rows][tokens][H][Dk], attention level
    InputView key;                                       // [rows][tokens][Hkv][Dk], attention level
    InputView value;                                     // [rows][tokens][Hkv][Dv], attention level
    InputView x;                                         // [rows][tokens][D], layer level
    std::span<const std::uint8_t> real;                  // [rows][tokens], 0 for padding
    std::optional<std::span<const Index>> query_offset;  // [rows], an assertion (clause 6)
    /// [rows][tokens], how many slots before a token its parent is (clause 16): 1 for the slot
    /// before, one more than its own slot for none. Absent: 1 for all. Only with the feature tree.
    std::optional<std::span<const Index>> back;
    OutputView output;                  // [rows][tokens][H][Dv] or [rows][tokens][D]
    std::optional<OutputView> weights;  // [rows][H][tokens][slots]; a row's entries at and
                                        // beyond its own length are unspecified
    /// [rows][tokens][H], log sum exp(score) over the visible keys (clause 17). Only with the
    /// feature log_sum_exp, and never where the spec has sinks.
    std::optional<OutputView> log_sum_exp;
};

/// The view of one of a call's arrays, for whoever walks the lists of model/types/arrays.hpp.
InputView& input_of(AppendCall& call, Role role);
const InputView& input_of(const AppendCall& call, Role role);

class Session {
public:
    virtual ~Session() = default;

    /// Appends to every row and computes the outputs of the new tokens. Needs: nothing; whatever
    /// does not fit the spec is refused. Promises: after a refusal the whole state is as before.
    virtual Status append(const AppendCall& call) = 0;

    /// Carries out a command that brings no token (clause 10; model/types/lifecycle.hpp has one
    /// record for each). A subject takes those whose features it declares and leaves the others to
    /// this function, which refuses. Promises: after a refusal the whole state is as before.
    virtual Status apply(const Lifecycle& command);

    /// Answers queries over all that their rows hold (clause 15) and stores nothing. Of the call
    /// counts, query or x, and output are meant; key, value and what is said of validity are not to
    /// be read. Refuses what does not fit the spec, and a spec with positions that scores see
    /// (rotary, slopes). Promises: the whole state is as before. Only with the feature cross.
    virtual Status ask(const AppendCall& call);

    /// Fills one record per row.
    virtual Status numbers(std::span<RowNumbers> rows) = 0;

    /// Whether row r would have room for counts[r] tokens more, for all rows at once, as the next
    /// append would find (clause 12); a finished row has room for none, and positions are not
    /// meant. Refuses what is not one number from 0 on for each row. Promises: the whole state is
    /// as before. Only with the feature admission.
    virtual Status admits(std::span<const Index> counts, bool& fits);

    /// Copies what is stored of one row: key [Hkv][length][Dk], value [Hkv][length][Dv].
    /// Only with the feature kv_export.
    virtual Status export_kv(Index row, const OutputView& key, const OutputView& value);

    /// Overwrites all memory that it holds and has not appended with `pattern` (clause 4).
    /// Only with the feature poison_unused.
    virtual Status poison_unused(double pattern);

    /// Writes all that later answers depend on over `bytes`, for Subject::load (clause 10), and
    /// changes nothing. Only with the feature save.
    virtual Status save(std::vector<std::byte>& bytes);

    /// Makes what the row holds a prefix that `key` stands for (clause 11), one label for each of
    /// its slots: it can be reused here until all rows are reset, whatever becomes of the row.
    /// Refuses a row without tokens, and one that is shifted, a tree, or has evicted slots. Only
    /// with the feature prefix_reuse.
    virtual Status publish(Index row, const PrefixKey& key);

    /// The row, which holds no token and is neither finished nor shifted, continues the longest
    /// published prefix that `key` begins with; `slots` says how many that has, 0 where there is
    /// none. Only with the feature prefix_reuse.
    virtual Status reuse(Index row, const PrefixKey& key, Index& slots);

    /// From now on all prefixes have the same hash, so that nothing but a comparison of their keys
    /// tells them apart. Nothing was published before. Only with the feature weak_prefix_hash.
    virtual Status weaken_prefix_hash();

    /// Ends the session; no call follows. A subject whose destructor does it need not implement
    /// this: it is for those that can see how the end went.
    virtual Status close() { return Status::done(); }

    /// What the last call wrote that it must not, where somebody on the subject's side of a process
    /// boundary has seen it; empty otherwise. For adapters, not for subjects.
    virtual std::string memory_fault() const { return {}; }
};

struct Opened {
    Status status;
    std::unique_ptr<Session> session;  // null unless the status is done
};

class Subject {
public:
    virtual ~Subject() = default;
    virtual const Capabilities& capabilities() const = 0;

    /// Starts a session; refuses a spec that it cannot honour. Keeps no reference to its arguments.
    virtual Opened open(const Spec& spec, const Parameters& parameters) = 0;

    /// A session that goes on as the one that saved `bytes` would have. `spec` and `parameters` are
    /// those of that session, `spec.rows` the number of its rows when it was saved. Refuses bytes
    /// that are anything else but what save() wrote of such a session. Keeps no reference to its
    /// arguments; the bytes may lie at any address. Only with the feature save.
    virtual Opened load(const Spec& spec, const Parameters& parameters,
                        std::span<const std::byte> bytes);

    /// Forgets all that earlier calls may have left behind: the next session is opened in a new
    /// process, as it would be in a replay. False where there is no process to end; nothing is
    /// forgotten then. For adapters, not for subjects. No session may be open.
    virtual bool restart() { return false; }

    /// A new case begins: one that hung is tried again. Until then every open answers with the hang
    /// at once, so that a case waits for one hang and not for each of its sessions. For adapters.
    virtual void forgive() {}

    /// The checker needs it no longer: how what stands behind it ended, and any trouble that no
    /// session was there to report. For adapters, not for subjects. No call follows.
    virtual Status finish() { return Status::done(); }
};

}  // namespace kvcheck
