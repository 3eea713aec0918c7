// SPDX-License-Identifier: Apache-2.0
#include "tests/oracles/adversary.hpp"

#include <algorithm>

#include "oracles/error_bound.hpp"
#include "oracles/number.hpp"

namespace kvcheck {
namespace {

/// What the adversary attacks: one query, the keys and values it sees, one element of the output.
struct Target {
    std::vector<Number> query;
    std::vector<std::vector<Number>> keys;
    std::vector<Number> values;  // element d of each
    Number scale;
    double slots;
};

/// x moved by `count` roundings in the direction of `up`.
Number moved(const Number& x, double u, double count, bool up) {
    const bool grow = (x > 0) == up;
    return x * Number(pow(Number(1 + (grow ? u : -u)), Number(count)));
}

Number play(const Target& target, const Rounding& rounding, const Number& exact, bool up) {
    const NumericProfile& profile = rounding.profile;
    const double n = double(target.keys.size());
    const double merges = n > 1 ? profile.merge_levels : 0;
    const double rescales = rounding.rescales(n, target.slots);
    std::vector<Number> scores;
    std::vector<bool> raise;
    Number largest = 0;  // in size
    for (std::size_t j = 0; j < target.keys.size(); ++j) {
        raise.push_back((target.values[j] > exact) == up);
        Number computed = 0;
        Number score = 0;
        for (std::size_t d = 0; d < target.query.size(); ++d) {
            const Number product = Number(target.query[d] * target.keys[j][d] * target.scale);
            score += product;
            computed += moved(product, rounding.u,
                              double(target.query.size()) + profile.scale_roundings, raise[j]);
        }
        scores.push_back(computed);
        largest = std::max(largest, Number(abs(score)));
    }
    const Number top = *std::max_element(scores.begin(), scores.end());
    const Number log_n = log(Number(n));
    Number numerator = 0;
    Number denominator = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) {
        const Number sign = raise[j] ? 1 : -1;
        Number exponent =
            moved(Number(scores[j] - top), rounding.u, profile.difference_roundings, raise[j]);
        exponent += sign * profile.shift_roundings * rounding.u *
                    Number(largest + (merges > 0 ? log_n : Number(0)));
        exponent += sign * merges * rounding.log_rel * log_n;
        Number weight = exp(exponent);
        weight *= Number(pow(Number(1 + sign * rounding.exp_rel), Number(rescales + 1)));
        const bool term_up = (target.values[j] > 0) == up;
        Number term = weight * target.values[j];
        term = moved(term, rounding.u, n + rescales + 2 * merges, up);
        term = moved(term, rounding.divide_rel, 1 + merges, up);
        if (profile.merge_without_division && merges > 0) {
            const Number gap = top - scores[j];
            const Number factor =
                merges * (2 * rounding.exp_rel + rounding.log_rel * log_n +
                          2 * profile.difference_roundings * rounding.u * Number(gap + log_n) +
                          profile.shift_roundings * rounding.u * Number(largest + log_n));
            term *= Number(exp(Number(term_up ? factor : Number(-factor))));
        }
        numerator += term;
        denominator += moved(weight, rounding.u, n - 1 + rescales + merges, (exact > 0) != up);
    }
    return Number(numerator / denominator);
}

}  // namespace

double adversary_ratio(const Spec& spec, const NumericProfile& profile,
                       const std::vector<Token>& tokens, std::size_t slot, Index head, Index d,
                       const Answer& answer) {
    Target target;
    target.slots = double(slot + 1);
    target.scale = spec.scale ? Number(*spec.scale) : Number(1 / sqrt(Number(spec.key_width)));
    const auto part = [&](const Token& token, Index begin, Index size) {
        std::vector<Number> numbers;
        for (Index i = begin; i < begin + size; ++i)
            numbers.emplace_back(token.input[std::size_t(i)]);
        return numbers;
    };
    target.query = part(tokens[slot], head * spec.key_width, spec.key_width);
    for (std::size_t key = 0; key <= slot; ++key) {
        if (!tokens[key].real) continue;
        target.keys.push_back(part(tokens[key], spec.query_size(), spec.key_width));
        target.values.push_back(part(tokens[key], spec.query_size() + spec.key_size() + d, 1)[0]);
    }
    const Number exact = Number(answer.hi) + Number(answer.lo);
    double worst = 0;
    for (const bool up : {false, true}) {
        const Number reached = play(target, Rounding(profile), exact, up);
        worst = std::max(worst, static_cast<double>(Number(abs(Number(reached - exact)))));
    }
    return worst == 0 ? 0 : worst / answer.bound;
}

}  // namespace kvcheck
