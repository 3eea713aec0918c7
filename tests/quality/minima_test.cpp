// SPDX-License-Identifier: Apache-2.0
// Every planted fault shrinks to a size that is known, and known to be the least, on at least 95 of
// 100 seeds. Where several sizes stand beside a fault, none of them is larger than another in every
// respect, and which one is reached depends on where the search began.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "impl/mutants/catalogue.hpp"
#include "impl/mutants/commands.hpp"
#include "impl/mutants/memory.hpp"
#include "impl/mutants/paths.hpp"
#include "impl/mutants/prefixes.hpp"
#include "impl/mutants/saving.hpp"
#include "impl/mutants/trees.hpp"
#include "properties/catalogue.hpp"
#include "properties/search/search.hpp"
#include "tests/properties/faults.hpp"

namespace kvcheck {
namespace {

constexpr std::uint64_t seeds_a_fault = 10;

struct Minimum {
    const char* fault;
    std::vector<CaseSize> least;  // rows, query heads, tokens, commands
};

const std::vector<Minimum>& minima() {
    static const std::vector<Minimum> list = {
        {"DoubledOutput", {{1, 1, 1, 1}}},
        {"ChunkLocalMask", {{1, 1, 2, 1}}},
        {"SeesNext", {{1, 1, 2, 1}}},
        {"ZeroTimesNan", {{1, 1, 2, 1}}},
        {"ReadsBeyondCounts", {{2, 1, 2, 1}}},
        {"MixesRows", {{2, 1, 1, 1}}},
        {"CountsOneTooMany", {{1, 1, 3, 1}}},
        {"EarlierEntriesChange", {{1, 1, 2, 2}}},
        // A program of one empty call, and what it may not be followed by.
        {"IgnoresOffsets", {{1, 1, 0, 1}}},
        {"ChecksFirstOffsetOnly", {{2, 1, 0, 1}}},
        {"ForgetsOnRefusedOffset", {{1, 1, 1, 1}}},
        {"IgnoresTypes", {{1, 1, 0, 1}}},
        {"IgnoresTheTypeOfValue", {{1, 1, 0, 1}}},
        {"IgnoresTheTokensOfValue", {{1, 1, 0, 1}}},
        {"BelievesTheLastCount", {{1, 1, 0, 1}}},
        {"CutsOffsetsTo32Bits", {{1, 1, 0, 1}}},
        {"HasTheScaleOfTheLastSession", {{1, 1, 1, 1}}},
        // Strides differ where there are two of something.
        {"TakesTheStridesOfKeyForValue", {{2, 1, 1, 1}, {1, 2, 1, 1}, {1, 1, 2, 1}}},
        {"AssumesPacked", {{2, 1, 1, 1}, {1, 2, 1, 1}, {1, 1, 2, 1}}},
        {"AssumesThatHeadsDiffer", {{1, 2, 2, 1}}},
        {"AssumesAlignedArrays", {{1, 1, 1, 1}}},
        {"LetsADecoderOverrun", {{1, 1, 1, 1}}},
        {"MindsAResetOfNothing", {{1, 1, 1, 2}}},
        {"IgnoresValueWidth", {{1, 1, 0, 1}}},
        {"ClampsCounts", {{1, 1, 0, 1}}},
        {"ForgetsOnRefusedCall", {{1, 1, 1, 1}}},
        {"ScaledWeights", {{1, 1, 1, 1}}},
        {"WeightOfTheFuture", {{1, 1, 2, 1}}},
        {"ScaledWeightsDoNotSumToOne", {{1, 1, 1, 1}}},
        {"StoresNarrowed", {{1, 1, 1, 1}}},
        {"OneForDeadRows", {{1, 1, 1, 1}}},
        {"KeepsMemoryOverReset", {{1, 1, 1, 1}}},
        {"Drifts", {{1, 1, 1, 1}}},
        {"ForgetsLastRow", {{1, 1, 1, 1}}},
        {"WritesPastTheEnd", {{1, 1, 1, 1}}},
        {"ChangesAnInput", {{1, 1, 1, 1}}},
    };
    return list;
}

/// How often a subject was caught and how often the case then was among the least.
struct Tally {
    int caught = 0;
    int least = 0;

    void add(const Property& property, Subject& subject, Level level, std::uint64_t seed,
             const std::vector<CaseSize>& sizes, std::string_view name) {
        SearchOptions options;
        options.seed = seed;
        options.cases = 100;
        const SearchResult result = search(property, subject, level, options);
        if (!result.counterexample) return;
        ++caught;
        const CaseSize size = size_of(result.counterexample->test_case);
        if (std::find(sizes.begin(), sizes.end(), size) != sizes.end())
            ++least;
        else
            fmt::print("  {}, seed {}: {} rows, {} heads, {} tokens, {} commands\n", name, seed,
                       size.rows, size.query_heads, size.tokens, size.commands);
    }
};

TEST(Minima, AreReachedByPlantedFaultsOn95Of100Seeds) {
    Tally tally;
    for (const Minimum& minimum : minima()) {
        const auto fault = std::find_if(faults().begin(), faults().end(), [&](const Fault& one) {
            return std::string_view(one.name) == minimum.fault;
        });
        ASSERT_NE(fault, faults().end()) << minimum.fault;
        for (std::uint64_t seed = 0; seed < seeds_a_fault; ++seed) {
            const auto subject = tampered(fault->make());
            tally.add(*property_named(fault->property), *subject, Level::attention, seed,
                      minimum.least, fault->name);
        }
    }
    EXPECT_GE(tally.caught * 100, int(seeds_a_fault * minima().size()) * 95);
    EXPECT_GE(tally.least * 100, tally.caught * 95);
    fmt::print("  at a least size on {} of {}\n", tally.least, tally.caught);
}

bool is_one_of(const std::vector<MutantEntry>& list, const MutantEntry& entry) {
    return std::any_of(list.begin(), list.end(), [&](const MutantEntry& one) {
        return one.subject.name == entry.subject.name;
    });
}

/// The least case of a mutant and a later token, which is replaced; in a tree it may be one of the
/// branches that the case has anyway.
std::vector<CaseSize> with_a_later_token(const MutantEntry& entry) {
    const Index before_it = is_one_of(mutants_of_trees(), entry) ? 0 : 1;
    std::vector<CaseSize> sizes;
    for (const Index tokens : {entry.minimum.tokens, entry.beside_a_sink}) {
        if (tokens == 0) continue;
        for (const Index commands : {1, 2}) {
            for (Index later = before_it; later <= 1; ++later)
                sizes.push_back({1, entry.minimum.query_heads, tokens + later, commands});
        }
    }
    return sizes;
}

/// No later token changes what these do, or it changes which path they take.
bool is_of_commands_or_paths(const MutantEntry& entry) {
    const auto tables = {mutants_of_commands(), mutants_of_saving(), mutants_of_prefixes(),
                         mutants_of_memory(), mutants_of_paths()};
    return std::any_of(tables.begin(), tables.end(),
                       [&](const auto& table) { return is_one_of(table, entry); });
}

TEST(Minima, OfFutureIsInvisibleAreOneTokenMoreForEveryMutantOfTheRules) {
    Tally tally;
    for (const MutantEntry& entry : mutants()) {
        const bool shows_in_outputs = entry.caught_by == "outputs_match_the_oracle" ||
                                      entry.caught_by == "padding_is_invisible";
        if (!shows_in_outputs || is_of_commands_or_paths(entry)) continue;
        const auto mutant = entry.subject.make("mutant");
        for (const Level level : {Level::attention, Level::layer}) {
            for (std::uint64_t seed = 0; seed < seeds_a_fault / 4; ++seed) {
                tally.add(*property_named("future_is_invisible"), *mutant, level, seed,
                          with_a_later_token(entry), entry.subject.name);
            }
        }
    }
    EXPECT_GT(tally.caught, 0);
    EXPECT_GE(tally.least * 100, tally.caught * 95);
    fmt::print("  at a least size on {} of {}\n", tally.least, tally.caught);
}

}  // namespace
}  // namespace kvcheck
