// SPDX-License-Identifier: Apache-2.0
// No honest arithmetic exceeds the bound, over a million output elements and every family of
// values. That the bound is not merely large is the business of bound_is_sharp_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "oracles/truth.hpp"
#include "tests/oracles/honest.hpp"
#include "tests/oracles/row_truth.hpp"
#include "tests/oracles/samples.hpp"

namespace kvcheck {
namespace {

struct Tally {
    long elements = 0;
    long violations = 0;
    double worst = 0;
};

long elements_wanted() {
    const char* const given = std::getenv("KVCHECK_BOUND_ELEMENTS");
    return given != nullptr ? std::atol(given) : 1000000;
}

QuerySample query_at(const RowSample& sample, std::size_t slot, Index head) {
    const Spec& spec = sample.spec;
    const auto part = [&](const Token& token, Index begin, Index size) {
        return std::vector<float>(token.input.begin() + begin, token.input.begin() + begin + size);
    };
    QuerySample query;
    query.scale = spec.scale;
    query.query = part(sample.tokens[slot], head * spec.key_width, spec.key_width);
    for (std::size_t key = 0; key <= slot; ++key) {
        if (!sample.tokens[key].real) continue;
        query.keys.push_back(part(sample.tokens[key], spec.query_size(), spec.key_width));
        query.values.push_back(
            part(sample.tokens[key], spec.query_size() + spec.key_size(), spec.value_width));
    }
    return query;
}

TEST(Bound, HoldsForEveryHonestArithmetic) {
    std::map<std::string, Tally> tallies;
    long outside = 0;
    const long wanted = elements_wanted();
    long compared = 0;
    for (std::uint64_t n = 0; compared < wanted; ++n) {
        const RowSample sample = row_sample(n, 64, 32);
        std::map<int, std::unique_ptr<Oracle>> oracles;  // by variant, few profiles differ
        for (std::size_t v = 0; v < honest_variants().size(); ++v) {
            const HonestVariant& variant = honest_variants()[v];
            int profile = int(v);
            for (std::size_t w = v; w-- > 0;) {
                if (honest_variants()[w].profile == variant.profile) profile = int(w);
            }
            auto& oracle = oracles[profile];
            if (!oracle)
                oracle = std::make_unique<Oracle>(sample.spec, Parameters{}, variant.profile);
            const std::vector<TokenTruth> truth = row_truth(*oracle, sample.tokens);
            Tally& tally = tallies[variant.name];
            for (std::size_t slot = 0; slot < sample.tokens.size(); ++slot) {
                const TokenTruth& token = truth[slot];
                if (!token.standing.compared || token.standing.dead) continue;
                if (!token.in_domain) {
                    ++outside;
                    continue;
                }
                for (Index head = 0; head < sample.spec.query_heads; ++head) {
                    const auto output = variant.output(query_at(sample, slot, head));
                    for (std::size_t d = 0; d < output.size(); ++d) {
                        const Answer& answer =
                            token.output[std::size_t(head * sample.spec.value_width) + d];
                        const Deviation deviation =
                            deviation_of(output[d], answer, variant.profile.digits);
                        ++tally.elements;
                        tally.violations += deviation.within() ? 0 : 1;
                        tally.worst = std::max(tally.worst, deviation.ratio);
                        EXPECT_TRUE(deviation.within())
                            << variant.name << ", sample " << n << " (" << name_of(sample.family)
                            << "), slot " << slot << ", element " << d << ": ratio "
                            << deviation.ratio;
                    }
                }
            }
        }
        compared = tallies.begin()->second.elements;
        for (const auto& [name, tally] : tallies) compared = std::min(compared, tally.elements);
    }
    for (const auto& [name, tally] : tallies) {
        fmt::print("  {:<32} {:>8} elements, {} violations, worst {:.3f} of the bound\n", name,
                   tally.elements, tally.violations, tally.worst);
        EXPECT_GE(tally.elements, wanted);
    }
    fmt::print("  {} tokens outside the domain\n", outside);
}

}  // namespace
}  // namespace kvcheck
