// SPDX-License-Identifier: Apache-2.0
// The figure (declared in work.hpp). Its constants are rounded measurements of the textbook
// subject; only ratios between them matter, and no verdict depends on them.
#include "oracles/work.hpp"

namespace kvcheck {
namespace {

thread_local Index done = 0;

/// Products that a key costs a query, over all heads; an exp counts as some of them.
Index products_a_pair(const Spec& spec) {
    constexpr Index exp = 6;
    return spec.query_heads * (exp + spec.key_width + spec.value_width);
}

/// Products of a token's projections; none at attention level.
Index products_a_token(const Spec& spec) {
    return spec.model_width *
           (spec.query_size() + spec.key_size() + spec.value_size() + spec.attended_size());
}

constexpr Index parts_of_an_exact_product = 32;
constexpr Index parts_of_a_certified_product = 2;

}  // namespace

Index Work::parts() { return done; }

void Work::add_call(const Spec& spec, Index tokens, Index pairs) {
    done += parts_of_a_step + pairs * products_a_pair(spec) + tokens * products_a_token(spec);
}

void Work::add_answer(const Spec& spec, Index keys, bool in_double) {
    done += keys * products_a_pair(spec) *
            (in_double ? parts_of_a_certified_product : parts_of_an_exact_product);
}

void Work::add_projections(const Spec& spec) {
    done += products_a_token(spec) * parts_of_an_exact_product;
}

void Work::add_case(Index tokens, Index numbers) {
    constexpr Index parts_of_a_token = 16;
    constexpr Index parts_of_a_number = 2;
    done += tokens * parts_of_a_token + numbers * parts_of_a_number;
}

void Work::add_ideas(Index count) {
    constexpr Index parts_of_an_idea = 32;
    done += count * parts_of_an_idea;
}

}  // namespace kvcheck
