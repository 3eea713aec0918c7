// SPDX-License-Identifier: Apache-2.0
// The schedule, and the search along it (declared in extreme_cases.hpp).
#include "properties/extreme_cases.hpp"

#include <algorithm>

#include "model/case_hash.hpp"
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
    result.stream_hash = stream_hash(result.stream_hash, drawn.test_case);
    const auto judge = [&] {
        if (options.before) options.before(property, drawn.test_case);
        return check(property, subject, drawn.test_case,
                     evaluation_of_case(options, options.first + result.coverage.cases));
    };
    const Verdict first = judge();
    const Verdict verdict = looked_at_twice(first, judge);
    result.evaluation.add(verdict.evaluation);
    if (first.is_kill() && !verdict.is_failure()) result.disturbed = verdict.words;
    if (options.progress) options.progress(result.coverage.cases);
    if (verdict.is_failure()) {
        if (options.shrinks)
            result.counterexample = shrink(property, subject, drawn.test_case, verdict, options);
        else
            result.counterexample = Counterexample{drawn.test_case, verdict};
        result.counterexample->found_at = result.coverage.cases;
        return false;
    }
    ++(verdict.kind == Verdict::Kind::passed ? result.passed : result.powerless);
    if (verdict.kind == Verdict::Kind::skipped) result.lacking = verdict.words;
    result.worst_ratio = std::max(result.worst_ratio, verdict.worst_ratio);
    return true;
}

/// Where the parts of a search lie: random cases, scheduled ones, random ones of another stream.
struct SearchParts {
    Index first = 0;
    Index scheduled = 0;
    Index rest = 0;
};

SearchParts parts_of(const Property& property, Level level, const SearchOptions& options) {
    // A few random cases find what is wrong with small ones, in small ones.
    constexpr Index first_most = 25;
    SearchParts parts;
    parts.scheduled = Index(scheduled(property, level, options).size());
    const Index random = std::max<Index>(options.cases - parts.scheduled, 0);
    parts.first = std::min(random, first_most);
    parts.rest = random - parts.first;
    return parts;
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
                             const SearchOptions& options, SearchResult before, Index begin,
                             Index end) {
    SearchResult result = std::move(before);
    const FeatureSet allowed = subject.capabilities().features;
    Draw draw(SplitMix{stream_seed(property, level, options)});
    Index number = 0;
    for (const Extreme& extreme : scheduled(property, level, options)) {
        const std::uint64_t seed = draw.bits();
        const bool is_asked_for = number >= begin && number < end;
        ++number;
        if (result.counterexample || result.out_of_time) break;
        if (!is_asked_for || !allowed.has_all(extreme.needs)) continue;
        if (Clock::now() >= options.deadline && (options.first > 0 || result.coverage.cases > 0)) {
            result.out_of_time = true;
            break;
        }
        Draw own(SplitMix{seed});
        const DrawnCase drawn = draw_extreme(own, level, allowed, property.focus, extreme);
        if (!try_case(result, property, subject, drawn, options)) break;
    }
    return result;
}

Index places_of(const Property& property, Level level, const SearchOptions& options) {
    const SearchParts parts = parts_of(property, level, options);
    return parts.first + parts.scheduled + parts.rest;
}

SearchResult search_with_extremes(const Property& property, Subject& subject, Level level,
                                  const SearchOptions& options, Index end) {
    const SearchParts parts = parts_of(property, level, options);
    const Index begin = options.first;
    SearchResult result;
    // Random cases from `place` on, as far as they lie between `begin` and `end`.
    const auto search_random = [&](Index place, Index count, std::uint64_t seed) {
        SearchOptions part = options;
        part.first = std::max(begin - place, Index{0});
        part.cases = std::min(end - place, count);
        part.seed = seed;
        if (part.first >= part.cases || result.counterexample || result.out_of_time) return;
        const Index done = result.coverage.cases;
        if (options.progress) part.progress = [&](Index n) { options.progress(done + n); };
        result = joined(std::move(result), search(property, subject, level, part));
    };
    search_random(0, parts.first, options.seed);
    result = search_extremes(property, subject, level, options, std::move(result),
                             begin - parts.first, end - parts.first);
    search_random(parts.first + parts.scheduled, parts.rest,
                  fnv1a(options.seed, fnv_basis));  // another stream than the first
    return result;
}

}  // namespace kvcheck
