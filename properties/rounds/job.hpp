// SPDX-License-Identifier: Apache-2.0
// What a run is made of: jobs, each a slice of the cases of one part, and what became of them. A
// job's outcome depends on the job, the options and the subject alone, so that it does not matter
// which process runs it, or when. Who runs them is a crew.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "model/case_file.hpp"
#include "properties/search/search.hpp"

namespace kvcheck {

/// One property at one level, which may be that of the large cases, or all small worlds of a level:
/// what is one test to the outside.
struct Part {
    const Property* property = nullptr;  // null: the small worlds
    Level level = Level::attention;

    std::string name() const;
};

/// A failure that is still to be shrunk.
struct Unshrunk {
    std::string property;
    Counterexample counterexample;
};

struct Job {
    enum class Kind {
        replay,  // all files that belong to the part
        cases,   // its cases from place `begin` up to `end`
        worlds,  // likewise, of the small worlds
        large,   // likewise, of the large cases
        shrink,  // of what another job has found
    };
    Kind kind = Kind::cases;
    Index number = 0;  // in the order in which a single process would run them
    Index round = 0;
    std::size_t part = 0;  // number of the part
    Index begin = 0;
    Index end = 0;
    std::optional<Unshrunk> found;  // to be shrunk
};

struct JobResult {
    Index number = 0;     // of the job
    int place = 0;        // of the crew where it ran
    SearchResult search;  // its counterexample, if any, may be of a file or of a small world
    Index replayed = 0;
    Index worlds = 0;
    Index large = 0;
    Index places = 0;          // of cases or worlds, those that were passed by, tried or not
    std::string property;      // that failed, where there is a counterexample
    std::string from_file;     // that failed
    std::string trouble;       // why it could not be judged to the end
    std::string disk_trouble;  // with the file of the running case
    double seconds = 0;
};

/// True where a finding of this property is judged again by every property: it names none, or the
/// small worlds, which are judged by several.
bool is_judged_by_all(const std::string& property);

/// True where a file's case is one of a property and level, and a subject with these features can
/// be given it.
bool belongs_to(const CaseFile& file, const Part& part, const FeatureSet& features);

/// Those who run jobs, in this process or in others.
class Crew {
public:
    virtual ~Crew() = default;

    /// How many jobs may be under way at once; each has a place from 0.
    virtual int size() const = 0;
    virtual bool is_idle(int place) const = 0;
    /// Begins a job. Needs: an idle place.
    virtual void start(int place, const Job& job) = 0;
    /// Waits until one of those that were begun has ended.
    virtual JobResult next() = 0;
    /// Called now and then, with the number of a job and how many of its cases are done.
    std::function<void(Index number, Index done)> progress;
    /// Everybody goes home, also from unfinished work: how the subject's processes ended.
    virtual Status finish() = 0;
};

}  // namespace kvcheck
