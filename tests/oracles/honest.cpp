// SPDX-License-Identifier: Apache-2.0
#include "tests/oracles/honest.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace kvcheck {
namespace {

template <class Scalar>
using Terms = std::function<Scalar(std::size_t)>;

template <class Scalar>
using Sum = Scalar (*)(std::size_t count, const Terms<Scalar>& a, const Terms<Scalar>& b);

template <class Scalar>
Scalar forward(std::size_t count, const Terms<Scalar>& a, const Terms<Scalar>& b) {
    Scalar sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += a(i) * b(i);
    return sum;
}

template <class Scalar>
Scalar reversed(std::size_t count, const Terms<Scalar>& a, const Terms<Scalar>& b) {
    Scalar sum = 0;
    for (std::size_t i = count; i-- > 0;) sum += a(i) * b(i);
    return sum;
}

template <class Scalar>
Scalar fused(std::size_t count, const Terms<Scalar>& a, const Terms<Scalar>& b) {
    Scalar sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum = std::fma(a(i), b(i), sum);
    return sum;
}

template <class Scalar>
Scalar pairwise(std::size_t count, const Terms<Scalar>& a, const Terms<Scalar>& b) {
    if (count == 0) return 0;
    if (count == 1) return a(0) * b(0);
    const std::size_t half = count / 2;
    const auto shifted = [half](const Terms<Scalar>& terms) {
        return Terms<Scalar>([&terms, half](std::size_t i) { return terms(i + half); });
    };
    return pairwise(half, a, b) + pairwise(count - half, shifted(a), shifted(b));
}

template <class Scalar>
Scalar lanes(std::size_t count, const Terms<Scalar>& a, const Terms<Scalar>& b) {
    Scalar sums[8] = {};
    for (std::size_t i = 0; i < count; ++i) sums[i % 8] += a(i) * b(i);
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) +
           ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

template <class Scalar>
Scalar one(std::size_t) {
    return 1;
}

template <class Scalar>
Scalar scale_of(const QuerySample& sample) {
    return sample.scale ? Scalar(*sample.scale)
                        : Scalar(1) / std::sqrt(Scalar(sample.query.size()));
}

template <class Scalar>
std::vector<Scalar> scores_of(const QuerySample& sample, Sum<Scalar> sum) {
    std::vector<Scalar> scores;
    for (const auto& key : sample.keys) {
        scores.push_back(sum(
                             key.size(), [&](std::size_t d) { return Scalar(sample.query[d]); },
                             [&](std::size_t d) { return Scalar(key[d]); }) *
                         scale_of<Scalar>(sample));
    }
    return scores;
}

/// The textbook: all scores, their maximum, all weights, one division a weight or at the end.
template <class Scalar, Sum<Scalar> sum, bool divide_first>
std::vector<double> two_pass(const QuerySample& sample) {
    std::vector<Scalar> weights = scores_of<Scalar>(sample, sum);
    const Scalar largest = *std::max_element(weights.begin(), weights.end());
    for (Scalar& weight : weights) weight = std::exp(weight - largest);
    const auto weight_at = [&](std::size_t j) { return weights[j]; };
    const Scalar total = sum(weights.size(), weight_at, one<Scalar>);
    if (divide_first) {
        const Scalar inverse = 1 / total;
        for (Scalar& weight : weights) weight *= inverse;
    }
    std::vector<double> output;
    for (std::size_t d = 0; d < sample.values[0].size(); ++d) {
        const Scalar value = sum(weights.size(), weight_at,
                                 [&](std::size_t j) { return Scalar(sample.values[j][d]); });
        output.push_back(divide_first ? value : value / total);
    }
    return output;
}

/// Part of a softmax: its reference, its sum and its unnormalised output.
struct Partial {
    float largest = 0;
    float sum = 0;
    std::vector<float> output;
};

/// One pass with a running maximum (Milakov and Gimelshein 2018), `block` keys at a time.
Partial online(const QuerySample& sample, const std::vector<float>& scores, std::size_t begin,
               std::size_t end, std::size_t block) {
    Partial part{scores[begin], 0, std::vector<float>(sample.values[0].size(), 0.0F)};
    for (std::size_t from = begin; from < end; from += block) {
        const std::size_t to = std::min(end, from + block);
        const float largest =
            std::max(part.largest, *std::max_element(scores.begin() + std::ptrdiff_t(from),
                                                     scores.begin() + std::ptrdiff_t(to)));
        const float rescale = std::exp(part.largest - largest);
        part.largest = largest;
        part.sum *= rescale;
        for (float& x : part.output) x *= rescale;
        for (std::size_t j = from; j < to; ++j) {
            const float weight = std::exp(scores[j] - largest);
            part.sum += weight;
            for (std::size_t d = 0; d < part.output.size(); ++d) {
                part.output[d] += weight * sample.values[j][d];
            }
        }
    }
    return part;
}

template <std::size_t block>
std::vector<double> blocked(const QuerySample& sample) {
    const auto scores = scores_of<float>(sample, forward<float>);
    const Partial part = online(sample, scores, 0, scores.size(), block);
    std::vector<double> output;
    for (const float x : part.output) output.push_back(x / part.sum);
    return output;
}

/// Base two, with the scale folded into one fused multiply-add (Dao 2023).
std::vector<double> folded(const QuerySample& sample) {
    QuerySample unscaled = sample;
    unscaled.scale = 1.0F;
    const auto scores = scores_of<float>(unscaled, lanes<float>);
    const float factor = scale_of<float>(sample) * 1.44269504F;
    const float largest = factor >= 0 ? *std::max_element(scores.begin(), scores.end())
                                      : *std::min_element(scores.begin(), scores.end());
    const float shift = largest * factor;
    float sum = 0;
    std::vector<float> output(sample.values[0].size(), 0.0F);
    for (std::size_t j = 0; j < scores.size(); ++j) {
        const float weight = std::exp2(std::fma(scores[j], factor, -shift));
        sum += weight;
        for (std::size_t d = 0; d < output.size(); ++d) output[d] += weight * sample.values[j][d];
    }
    std::vector<double> result;
    for (const float x : output) result.push_back(x * (1 / sum));
    return result;
}

/// Three parts over the keys, merged by their log-sum-exps; with or without a last division.
template <bool divide>
std::vector<double> split(const QuerySample& sample) {
    constexpr std::size_t parts = 3;
    const auto scores = scores_of<float>(sample, forward<float>);
    std::vector<Partial> partials;
    std::vector<float> log_sums;
    for (std::size_t p = 0; p < parts; ++p) {
        const std::size_t begin = scores.size() * p / parts;
        const std::size_t end = scores.size() * (p + 1) / parts;
        if (begin == end) continue;
        partials.push_back(online(sample, scores, begin, end, 8));
        Partial& part = partials.back();
        for (float& x : part.output) x /= part.sum;
        log_sums.push_back(part.largest + std::log(part.sum));
    }
    const float largest = *std::max_element(log_sums.begin(), log_sums.end());
    float total = 0;
    for (const float log_sum : log_sums) total += std::exp(log_sum - largest);
    const float log_total = largest + std::log(total);
    std::vector<double> output;
    for (std::size_t d = 0; d < sample.values[0].size(); ++d) {
        float sum = 0;
        for (std::size_t p = 0; p < partials.size(); ++p) {
            const float weight = std::exp(log_sums[p] - (divide ? largest : log_total));
            sum += weight * partials[p].output[d];
        }
        output.push_back(divide ? sum / total : sum);
    }
    return output;
}

}  // namespace

const std::vector<HonestVariant>& honest_variants() {
    static const NumericProfile generic;
    // What a two-pass kernel with a correctly rounded division may declare.
    static const NumericProfile strict = [] {
        NumericProfile profile;
        profile.exp_ulps = 1;
        profile.divide_ulps = 0.5;
        profile.scale_roundings = 3;
        profile.difference_roundings = 1;
        profile.shift_roundings = 0;
        profile.rescale_block = 0;
        profile.merge_levels = 0;
        return profile;
    }();
    static const std::vector<HonestVariant> variants = {
        {"naive", generic, two_pass<float, forward<float>, false>},
        {"naive, strict profile", strict, two_pass<float, forward<float>, false>},
        {"reversed", generic, two_pass<float, reversed<float>, false>},
        {"pairwise", generic, two_pass<float, pairwise<float>, false>},
        {"fused multiply-add", generic, two_pass<float, fused<float>, false>},
        {"eight lanes, divided first", generic, two_pass<float, lanes<float>, true>},
        {"online, blocks of 1", generic, blocked<1>},
        {"online, blocks of 16", generic, blocked<16>},
        {"base two, folded scale", generic, folded},
        {"split, divided merge", generic, split<true>},
        {"split, merge without division", generic, split<false>},
        {"double", profile_of_digits(53), two_pass<double, forward<double>, false>},
        {"double, pairwise", profile_of_digits(53), two_pass<double, pairwise<double>, true>},
    };
    return variants;
}

}  // namespace kvcheck
