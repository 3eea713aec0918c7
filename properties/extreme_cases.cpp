// SPDX-License-Identifier: Apache-2.0
// The schedule, and the search along it (declared in extreme_cases.hpp).
#include "properties/extreme_cases.hpp"

#include <algorithm>

#include "model/case_file.hpp"
#include "model/types/hash.hpp"

namespace kvcheck {
namespace {

/// Of a property's stream of extreme cases; another one than that of its random cases.
std::uint64_t stream_seed(const Property& property, Level level, const SearchOptions& options) {
    return fnv1a(std::uint64_t(level), fnv1a(property.name, fnv1a(options.seed, fnv_basis)));
}

/// Judges one case and counts it; false where it ends the search.
bool try_case(SearchResult& result, const Property& property, Subject& subject,
              const DrawnCase& drawn, const SearchOptions& options) {
    result.coverage.add(drawn.test_case, drawn.family);
    result.stream_hash = fnv1a(hash_of(drawn.test_case), result.stream_hash);
    const auto judge = [&] {
        if (options.before) options.before(property, drawn.test_case);
        return check(property, subject, drawn.test_case,
                     evaluation_of_case(options, result.coverage.cases));
    };
    const Verdict first = judge();
    const Verdict verdict = looked_at_twice(first, judge);
    result.evaluation.add(verdict.evaluation);
    if (first.is_kill() && !verdict.is_failure()) result.disturbed = verdict.words;
    if (options.progress) options.progress(result.coverage.cases);
    if (verdict.is_failure()) {
        result.counterexample = shrink(property, subject, drawn.test_case, verdict, options);
        result.counterexample->found_at = result.coverage.cases;
        return false;
    }
    ++(verdict.kind == Verdict::Kind::passed ? result.passed : result.powerless);
    if (verdict.kind == Verdict::Kind::skipped) result.lacking = verdict.words;
    result.worst_ratio = std::max(result.worst_ratio, verdict.worst_ratio);
    return true;
}

/// One search that went on as another one.
SearchResult joined(SearchResult result, SearchResult rest) {
    if (rest.counterexample) rest.counterexample->found_at += result.coverage.cases;
    result.coverage.add(rest.coverage);
    result.passed += rest.passed;
    result.powerless += rest.powerless;
    if (!rest.lacking.empty()) result.lacking = rest.lacking;
    result.worst_ratio = std::max(result.worst_ratio, rest.worst_ratio);
    result.evaluation.add(rest.evaluation);
    result.stream_hash = fnv1a(rest.stream_hash, result.stream_hash);
    if (!rest.disturbed.empty()) result.disturbed = rest.disturbed;
    result.out_of_time = rest.out_of_time;
    result.counterexample = std::move(rest.counterexample);
    return result;
}

}  // namespace

std::vector<Extreme> scheduled(const Property& property, Level level,
                               const SearchOptions& options) {
    constexpr Index cases_for_all = 200;
    const std::vector<Extreme>& all = extremes();
    const Index size = Index(all.size());
    const Index share = size * options.cases / cases_for_all;
    const Index count = options.cases >= cases_for_all ? size : std::max<Index>(share, 1);
    // Properties and levels begin at different places, so that a short run, too, meets them all.
    const std::uint64_t begin = stream_seed(property, level, options) % std::uint64_t(size);
    std::vector<Extreme> chosen;
    for (Index n = 0; n < count; ++n) {
        chosen.push_back(all[std::size_t((Index(begin) + n) % size)]);
    }
    return chosen;
}

SearchResult search_extremes(const Property& property, Subject& subject, Level level,
                             const SearchOptions& options, SearchResult before) {
    SearchResult result = std::move(before);
    const FeatureSet allowed = subject.capabilities().features;
    Draw draw(SplitMix{stream_seed(property, level, options)});
    for (const Extreme& extreme : scheduled(property, level, options)) {
        const std::uint64_t seed = draw.bits();
        if (result.counterexample || result.out_of_time) break;
        if (!allowed.has_all(extreme.needs)) continue;
        if (Clock::now() >= options.deadline && result.coverage.cases > 0) {
            result.out_of_time = true;
            break;
        }
        Draw own(SplitMix{seed});
        const DrawnCase drawn = draw_extreme(own, level, allowed, property.focus, extreme);
        if (!try_case(result, property, subject, drawn, options)) break;
    }
    return result;
}

SearchResult search_with_extremes(const Property& property, Subject& subject, Level level,
                                  const SearchOptions& options) {
    // A few random cases find what is wrong with small ones, in small ones.
    constexpr Index first_most = 25;
    const Index scheduled_count = Index(scheduled(property, level, options).size());
    const Index random = std::max<Index>(options.cases - scheduled_count, 0);
    SearchOptions first = options;
    first.cases = std::min(random, first_most);
    SearchResult result =
        search_extremes(property, subject, level, options, search(property, subject, level, first));
    if (result.counterexample || result.out_of_time || random == first.cases) return result;
    SearchOptions rest = options;
    rest.cases = random - first.cases;
    rest.seed = fnv1a(options.seed, fnv_basis);  // another stream than the first
    const Index done = result.coverage.cases;
    if (options.progress) rest.progress = [&](Index n) { options.progress(done + n); };
    return joined(std::move(result), search(property, subject, level, rest));
}

}  // namespace kvcheck
