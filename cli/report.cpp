// SPDX-License-Identifier: Apache-2.0
// What a run prints, line by line (declared in report.hpp).
#include "cli/report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "cli/failure_text.hpp"
#include "cli/interrupt.hpp"
#include "cli/terminal.hpp"
#include "model/types/feature_needs.hpp"
#include "model/types/hash.hpp"
#include "model/types/shown.hpp"
#include "properties/drive/sentence.hpp"

namespace kvcheck {
namespace {

constexpr const char* green = "\033[32m";
constexpr const char* red = "\033[31m";
constexpr const char* yellow = "\033[33m";

/// With fewer random cases a share says little; such a run is an experiment.
constexpr Index judged_from = 100;

/// One required share of the random cases.
struct Share {
    const char* what;
    Index Coverage::*count;
    Index percent_least;
    bool (*asked)(FeatureSet features);  // of a subject with these features
};

bool of_everybody(FeatureSet) { return true; }

bool of_padded_batches(FeatureSet features) {
    return features.has_any(FeatureSet::paddings()) && features.has(Feature::batch);
}

bool of_warm_chunks(FeatureSet features) { return features.has(Feature::warm_chunks); }

const std::vector<Share>& shares() {
    static const std::vector<Share> list = {
        {"two rows of unequal padding", &Coverage::unequal_padding, 40, of_padded_batches},
        {"a warm multi-token chunk", &Coverage::warm_chunk, 40, of_warm_chunks},
        {"two or more KV heads", &Coverage::two_kv_heads, 30, of_everybody},
        {"17 or more tokens", &Coverage::long_rows, 20, of_everybody},
        {"33 or more tokens", &Coverage::longer_rows, 1, of_everybody},
        {"keys or values more than 64 wide", &Coverage::wide, 1, of_everybody},
        {"values other than plain uniform", &Coverage::not_uniform, 50, of_everybody},
    };
    return list;
}

/// By the conventions of no-color.org and of terminals that have none.
bool wants_colour() {
    const char* const refused = std::getenv("NO_COLOR");
    const char* const terminal = std::getenv("TERM");
    return (refused == nullptr || *refused == 0) &&
           (terminal == nullptr || std::string_view(terminal) != "dumb");
}

std::string ratio_text(double ratio) {
    constexpr double told = 1.0 / 1024;
    if (ratio == 0) return "no deviation";
    return ratio < told ? "worst below 0.001 of the bound"
                        : fmt::format("worst {:.2g} of the bound", ratio);
}

}  // namespace

RunReport::RunReport(Setting setting)
    : setting_(std::move(setting)),
      terminal_(isatty(STDOUT_FILENO) != 0),
      coloured_(terminal_ && wants_colour()) {
    const Capabilities& subject = setting_.capabilities;
    std::string levels;
    for (const Feature level : {Feature::attention, Feature::layer}) {
        if (!subject.features.has(level)) continue;
        levels += (levels.empty() ? "" : ", ") + std::string(name_of(level));
    }
    const bool is_named = setting_.subject == subject.name;
    std::string name = is_named ? "" : subject.name;
    if (!subject.version.empty()) name += (name.empty() ? "" : " ") + subject.version;
    // What was typed is cut no more than a line can bear.
    constexpr std::size_t typed_bytes_max = 2000;
    say(fmt::format("subject  {} ({}): {}, {}\n", shown(setting_.subject, typed_bytes_max), name,
                    levels, subject.element == ElementType::f32 ? "fp32" : "fp64"));
    fmt::print("seed     {}\n", shown(setting_.seed, typed_bytes_max));
    for (const FeatureNeed& need : unmet_needs(subject.features))
        say(fmt::format("in vain  it declares a feature without another: {}\n", text_of(need)), 9);
    std::fflush(stdout);
}

std::string RunReport::painted(const char* colour, const std::string& text) const {
    return coloured_ ? colour + text + "\033[0m" : text;
}

void RunReport::clear_progress() const {
    if (!terminal_) return;
    fmt::print("\r\033[K");
    std::fflush(stdout);  // before standard error, which is not buffered
}

void RunReport::progress(const Progress& progress) {
    constexpr std::chrono::milliseconds pause{100};
    const auto now = Clock::now();
    if (!terminal_ || now - progress_told_ < pause) return;
    progress_told_ = now;
    std::string text = fmt::format("  ...      round {}", progress.round);
    if (progress.cases > 0)
        text += fmt::format("  {}/{} cases", progress.cases_done, progress.cases);
    if (progress.worlds > 0)
        text += fmt::format("  {}/{} small worlds", progress.worlds_done, progress.worlds);
    if (progress.failed > 0) text += fmt::format("  {} failed", progress.failed);
    fmt::print("\r\033[K{}", cut_to(text, terminal_width()));
    std::fflush(stdout);
}

void RunReport::tell(const std::string& trouble) {
    if (trouble.empty() || trouble == told_) return;
    told_ = trouble;
    fmt::print(stderr, "kvcheck: {}\n", trouble);
}

void RunReport::ended(const PropertyReport& report) {
    reports_.push_back(report);
    try {
        clear_progress();
        tell(report.disk_trouble);
        print(report);
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::broken_pipe) end_unread();
        throw;
    }
    errno = 0;
    if (std::fflush(stdout) != 0 && errno == EPIPE) end_unread();
}

void RunReport::print(const PropertyReport& report) const {
    const Verdict& verdict = report.verdict;
    const bool passed = verdict.kind == Verdict::Kind::passed;
    std::string label =
        fmt::format("{:<10}", verdict.is_failure() ? "FAILED" : name_of(verdict.kind));
    label = painted(passed ? green : verdict.is_failure() ? red : yellow, label);
    std::string line =
        fmt::format("  {} {:<30} {:<9}  ", label, report.property, name_of(report.level));
    if (verdict.is_failure()) {
        // The first finding of a run shows its row; of others a replay does.
        const auto failures =
            std::count_if(reports_.begin(), reports_.end(), [](const PropertyReport& earlier) {
                return earlier.verdict.is_failure() && earlier.same_as.empty();
            });
        fmt::print("{}", failure_text(line, report, failures == 1, terminal_width()));
        if (!report.unsaved.empty()) fmt::print(stderr, "{}", report.unsaved);
    } else if (passed) {
        const Index cases = report.search.coverage.cases + report.small_worlds + report.large_cases;
        line += report.search.out_of_time
                    ? fmt::format("{} of {}", cases, counted(report.asked, "case"))
                    : counted(cases, "case");
        if (report.corpus_cases > 0)
            line += fmt::format(" + {} of the corpus", report.corpus_cases);
        if (report.search.powerless > 0)
            line += fmt::format(" ({} without power)", report.search.powerless);
        line += "  " + ratio_text(verdict.worst_ratio);
        if (report.search.out_of_time) line += "  (stopped by the time limit)";
        say(line + "\n", finding_margin);
    } else {
        say(line + verdict.words + "\n", finding_margin);
    }
}

void RunReport::print_where_to_start() const {
    const PropertyReport* simplest = nullptr;
    const auto weight = [](const PropertyReport& report) {
        const CaseSize size = size_of(report.search.counterexample->test_case);
        return size.rows * size.query_heads * (size.tokens + size.commands);
    };
    int candidates = 0;
    for (const PropertyReport& report : reports_) {
        // What fails only after other calls is no place to start.
        const bool is_vague = report.verdict.needs_more_than_the_case();
        if (!report.search.counterexample || report.replay.empty() || is_vague) continue;
        ++candidates;
        if (simplest == nullptr || weight(report) < weight(*simplest)) simplest = &report;
    }
    if (candidates < 2) return;
    say(fmt::format("\nstart here: the smallest counterexample, of {} {}\n  {}\n",
                    simplest->property, name_of(simplest->level), sentence_of(simplest->verdict)));
    fmt::print("  {}\n", simplest->replay);
}

std::vector<std::string> RunReport::print_coverage() const {
    Coverage total;
    for (const PropertyReport& report : reports_) total.add(report.search.coverage);
    std::vector<std::string> distrust;
    if (total.cases == 0) return distrust;
    fmt::print("\ncoverage of {} random cases\n", total.cases);
    for (const Share& share : shares()) {
        const Index percent = total.*share.count * 100 / total.cases;
        const bool asked = share.asked(setting_.capabilities.features);
        fmt::print("  {:>3} % {} ({})\n", percent, share.what,
                   asked ? fmt::format("at least {} %", share.percent_least)
                         : std::string("not asked of this subject"));
        if (asked && total.cases >= judged_from && percent < share.percent_least) {
            distrust.push_back(fmt::format("only {} % of the cases had {}", percent, share.what));
        }
    }
    if (total.cases < judged_from) fmt::print("  (fewer than {} cases: not judged)\n", judged_from);
    std::string families;
    for (Index family = 0; family < family_count; ++family) {
        constexpr Index a_line = 6;
        const char* const before = family == 0 ? "" : family % a_line == 0 ? ",\n          " : ", ";
        families += fmt::format("{}{} {} %", before, name_of(Family(family)),
                                total.families[std::size_t(family)] * 100 / total.cases);
    }
    say(fmt::format("  values: {}\n", families), 10);
    std::uint64_t stream = 0;
    for (const PropertyReport& report : reports_) {
        stream = fnv1a(report.search.stream_hash, stream);
    }
    fmt::print("  case stream {:016x}\n", stream);
    return distrust;
}

void RunReport::print_evaluation() const {
    EvaluationCounts all;
    for (const PropertyReport& report : reports_) all.add(report.search.evaluation);
    const Index digits = all.escalated + all.exact;
    if (all.certified + digits == 0) return;
    std::string line =
        fmt::format("\njudged {} numbers: {} in double with a certificate, {} by fifty digits{}",
                    all.certified + digits, all.certified, digits,
                    all.escalated > 0 ? " where that did not decide" : "");
    if (all.cross_checked > 0)
        line += fmt::format("; {} certified ones by both", all.cross_checked);
    say(line + "\n", 2);
}

FeatureSet RunReport::print_not_exercised() const {
    FeatureSet exercised;
    for (const PropertyReport& report : reports_) {
        exercised = exercised | report.search.coverage.features;
        for (const Feature feature : FeatureSet::all().list()) {
            if (report.property == info_of(feature).exercised_by && report.search.passed > 0) {
                exercised.add(feature);
            }
        }
    }
    FeatureSet lacking = FeatureSet::all().without(setting_.capabilities.features);
    for (const Feature feature : lacking.list()) {
        // "no layer" says it all of the parts of a layer.
        const bool is_part = info_of(feature).levels == FeatureInfo::Levels::layer;
        if ((is_part && lacking.has(Feature::layer)) || info_of(feature).is_choice)
            lacking.remove(feature);
    }
    const std::string absent = names_of(lacking, ", ");
    if (!absent.empty()) say("not exercised, the subject lacks it: " + absent + "\n", 2);
    return setting_.whole ? setting_.capabilities.features.without(exercised) : FeatureSet{};
}

/// The words by which CTest knows a GoogleTest test that was skipped, where it chose this one.
void RunReport::print_skipped() const {
    for (const PropertyReport& report : reports_) {
        fmt::print("[  SKIPPED ] {}.{}\n", report.property,
                   test_name(setting_.capabilities, report.level));
    }
}

bool RunReport::has_failed() const {
    return !bad_end_.empty() || std::any_of(reports_.begin(), reports_.end(), [](const auto& one) {
        return one.verdict.is_failure();
    });
}

Exit RunReport::idle() const {
    fmt::print("no test is in this shard\n");
    return Exit::held;
}

void RunReport::process_ended(const Status& status) {
    if (!status.ok() && bad_end_.empty()) bad_end_ = "the end of the process: " + status.message;
}

Exit RunReport::finish(int registered) {
    const auto count = [&](auto predicate) {
        return std::count_if(reports_.begin(), reports_.end(), [&](const PropertyReport& report) {
            return predicate(report.verdict);
        });
    };
    const auto kind_is = [](Verdict::Kind kind) {
        return [kind](const Verdict& verdict) { return verdict.kind == kind; };
    };
    const auto failed = count([](const Verdict& verdict) { return verdict.is_failure(); });
    // Where the first failure ended the run, the shares say nothing.
    const bool stopped = failed > 0 && registered > int(reports_.size());
    std::vector<std::string> distrust = stopped ? std::vector<std::string>{} : print_coverage();
    print_evaluation();
    print_where_to_start();
    // A declaration that nothing could try is a wrong declaration, or our cases were too few.
    Index cases = 0;
    for (const PropertyReport& report : reports_) cases += report.search.coverage.cases;
    const FeatureSet idle = failed == 0 ? print_not_exercised() : FeatureSet{};
    const bool declares_too_much = !idle.empty() && cases >= judged_from;
    for (const Feature feature : idle.list()) {
        std::string words = "declared but never exercised: " + std::string(name_of(feature));
        for (const FeatureNeed& need : unmet_needs(setting_.capabilities.features)) {
            if (need.feature == feature) words += "; " + text_of(need);
        }
        if (declares_too_much)
            fmt::print("{}     {}\n", painted(red, "FAILED"), words);
        else
            distrust.push_back(words);
    }
    if (!bad_end_.empty()) say(painted(red, "FAILED") + "     " + bad_end_ + "\n", 11);
    const auto skipped = count(kind_is(Verdict::Kind::skipped));
    const bool only_skipped =
        setting_.filtered && !reports_.empty() && skipped == std::ptrdiff_t(reports_.size());
    if (only_skipped && bad_end_.empty()) print_skipped();
    const auto passed = count(kind_is(Verdict::Kind::passed));
    const auto silent = registered - int(reports_.size());
    if (silent > 0 && failed == 0)
        distrust.push_back(fmt::format("{} did not report", counted(silent, "test")));
    const auto untrusted = count(kind_is(Verdict::Kind::distrusted));
    if (passed + failed + untrusted == 0 && !only_skipped)
        distrust.emplace_back("nothing was checked");
    for (const std::string& reason : distrust) {
        say(painted(yellow, "distrusted") + " " + reason + "\n", 11);
    }
    const auto distrusted = count(kind_is(Verdict::Kind::distrusted));
    say(fmt::format(
            "\n{} properties held, {} failed, {} skipped, {} distrusted, {} not run; {:.1f} s\n",
            passed, failed, skipped, distrusted, std::max(0, silent),
            std::chrono::duration<double>(Clock::now() - begin_).count()),
        2);
    if (failed > 0 || declares_too_much || !bad_end_.empty()) return Exit::failed;
    return distrusted > 0 || !distrust.empty() ? Exit::distrusted : Exit::held;
}

}  // namespace kvcheck
