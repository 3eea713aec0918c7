// SPDX-License-Identifier: Apache-2.0
// What a property says of a subject on one case. Data: it is counted, printed, saved and compared.
// Numbers and places are kept as such; the sentence is made by whoever reports
// (properties/drive/sentence.hpp).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "model/types/spec.hpp"
#include "oracles/answer.hpp"
#include "oracles/evaluation.hpp"

namespace kvcheck {

struct Case;
struct RowTable;  // row_table.hpp

/// Where in a run something stands; what does not apply is absent.
struct Place {
    static constexpr Index absent = -1;

    Index command = absent;  // number in the program
    Index row = absent;
    Index slot = absent;         // of the query, or of the stored token
    Index position_id = absent;  // of that token, where the level has positions
    Index head = absent;         // of queries; of an output at attention level
    Index element = absent;      // of the output of that head or of the layer, of a stored vector
    Index key = absent;          // slot of the key that a weight belongs to
};

/// A number that is wrong, and what is right.
struct Evidence {
    enum class Kind {
        answer,  // must lie within the bound of `right`
        bits,    // must have the bits that another run gave, `right.hi`
        count,   // a row number, which must be `right.hi`
    };
    Kind kind = Kind::answer;
    std::string_view what;  // "output", "weight", "stored key", "length"
    double seen = 0;
    Answer right;
    Deviation deviation;    // of an answer
    double score_size = 0;  // of the largest score that entered it; 0 where none did
    int digits = 24;        // of the subject's numbers
};

/// The diagnosis of a hang.
constexpr const char* timeout_diagnosis = "timeout";

/// The diagnosis of an end by SIGKILL.
constexpr const char* kill_diagnosis = "kill";

struct Verdict {
    enum class Kind {
        passed,
        failed,
        skipped,     // the subject lacks a feature
        distrusted,  // the case had nothing to judge by
        crashed,
        timed_out,
        flaky,      // the minimal case does not fail each time
        dependent,  // it fails only in a process that has answered other calls before
    };

    Kind kind = Kind::passed;
    /// The diagnosis in one or two words ("output", "weight of padding"); a shrunk case must keep
    /// it.
    std::string diagnosis;
    /// Which run of the case it was, where a property makes several: "in chunks of 3 + 1".
    std::string variant;
    Place place;
    /// The number that is wrong; else `words` say what happened, or why nothing could be judged.
    std::optional<Evidence> evidence;
    std::string words;
    /// What else would fit what was seen, in words; empty where nothing is known of it.
    std::string hint = {};
    /// The row that `place` is in, where the finding is about an output or a weight.
    std::shared_ptr<const RowTable> row = nullptr;
    /// The program that was driven, where the property went on after the case's own.
    std::shared_ptr<const Case> driven = nullptr;
    /// The largest error / bound among the numbers that were compared; at most this where some were
    /// certified.
    double worst_ratio = 0;
    /// By which answers the numbers were judged. What is wrong was found wrong by fifty digits.
    EvaluationCounts evaluation = {};

    static Verdict passed(double worst_ratio = 0) {
        Verdict verdict;
        verdict.worst_ratio = worst_ratio;
        return verdict;
    }
    static Verdict failed(std::string diagnosis, std::string words) {
        return in_words(Kind::failed, std::move(diagnosis), std::move(words));
    }
    static Verdict skipped(std::string why) { return in_words(Kind::skipped, "", std::move(why)); }
    static Verdict distrusted(std::string why) {
        return in_words(Kind::distrusted, "", std::move(why));
    }
    static Verdict crashed(std::string how) {
        return in_words(Kind::crashed, "crash", std::move(how));
    }
    /// Somebody ended it with SIGKILL: the subject is to blame only if it happens again.
    static Verdict killed(std::string how) {
        return in_words(Kind::crashed, kill_diagnosis, std::move(how));
    }
    bool is_kill() const { return kind == Kind::crashed && diagnosis == kill_diagnosis; }
    static Verdict timed_out(std::string how) {
        return in_words(Kind::timed_out, timeout_diagnosis, std::move(how));
    }

    /// True where the subject is to blame.
    bool is_failure() const {
        return kind == Kind::failed || kind == Kind::crashed || kind == Kind::timed_out ||
               kind == Kind::flaky || kind == Kind::dependent;
    }

    /// True where a replay of the case alone may hold.
    bool needs_more_than_the_case() const { return kind == Kind::flaky || kind == Kind::dependent; }

private:
    static Verdict in_words(Kind kind, std::string diagnosis, std::string words) {
        Verdict verdict;
        verdict.kind = kind;
        verdict.diagnosis = std::move(diagnosis);
        verdict.words = std::move(words);
        return verdict;
    }
};

std::string_view name_of(Verdict::Kind kind);

}  // namespace kvcheck
