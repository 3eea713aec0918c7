// SPDX-License-Identifier: Apache-2.0
// What a property says of a subject on one case. Data: it is counted, printed, saved and compared.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace kvcheck {

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
    /// The diagnosis in one or two words ("output", "padding weight"); a shrunk case must keep it.
    std::string diagnosis;
    /// One sentence for people: where, what was seen, what is right.
    std::string what;
    /// The largest error / bound among the numbers that were compared.
    double worst_ratio = 0;

    static Verdict passed(double worst_ratio = 0) { return {Kind::passed, "", "", worst_ratio}; }
    static Verdict failed(std::string diagnosis, std::string what, double ratio = 0) {
        return {Kind::failed, std::move(diagnosis), std::move(what), ratio};
    }
    static Verdict skipped(std::string why) { return {Kind::skipped, "", std::move(why), 0}; }
    static Verdict distrusted(std::string why) { return {Kind::distrusted, "", std::move(why), 0}; }
    static Verdict crashed(std::string how) { return {Kind::crashed, "crash", std::move(how), 0}; }
    /// Somebody ended it with SIGKILL: the subject is to blame only if it happens again.
    static Verdict killed(std::string how) {
        return {Kind::crashed, kill_diagnosis, std::move(how), 0};
    }
    bool is_kill() const { return kind == Kind::crashed && diagnosis == kill_diagnosis; }

    static Verdict timed_out(std::string how) {
        return {Kind::timed_out, "timeout", std::move(how), 0};
    }

    /// True where the subject is to blame.
    bool is_failure() const {
        return kind == Kind::failed || kind == Kind::crashed || kind == Kind::timed_out ||
               kind == Kind::flaky || kind == Kind::dependent;
    }
};

std::string_view name_of(Verdict::Kind kind);

}  // namespace kvcheck
