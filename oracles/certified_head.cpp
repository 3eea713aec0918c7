// SPDX-License-Identifier: Apache-2.0
// One query of one head with a certificate (declared in certified.hpp). The numbers in parentheses
// are those of the equations of docs/error_bound.md, section 13.
#include <algorithm>
#include <cmath>

#include "oracles/certified.hpp"
#include "oracles/certified_panels.hpp"
#include "oracles/certified_rounding.hpp"
#include "oracles/certified_sums.hpp"

namespace kvcheck {

/// The scores of one query, and what the bound reads of its products.
struct Certified::Scores {
    std::vector<double> score;  // [keys], the sink among them
    std::vector<double> doubt;  // [keys] t_j
    std::size_t top = 0;        // J, of the largest score
    QueryFacts facts;           // all but the weights, the scores and their doubt

    void find_top() {
        const auto largest = std::max_element(score.begin(), score.end());
        top = std::size_t(largest - score.begin());
        facts.score = score;
        facts.score_doubt = 2 * *std::max_element(doubt.begin(), doubt.end());
    }
};

/// The weights of one query before they are divided by their sum, the top one being 1.
struct Certified::Weights {
    std::vector<double> weight;  // [keys] p_j
    std::vector<double> least;   // [keys]
    std::vector<double> most;    // [keys]
    double sum = 0;              // Z
    double sum_least = 0;
    double sum_most = 0;

    explicit Weights(const Scores& scores) {
        const double top = scores.score[scores.top];
        for (std::size_t j = 0; j < scores.score.size(); ++j) {
            if (j == scores.top) {
                add(1, 1, 1);
                continue;
            }
            const double gap = top - scores.score[j];
            // (14)
            const double tau =
                raised(scores.doubt[j] + scores.doubt[scores.top] + 4 * in_double::u * gap);
            const double p = std::exp(-gap);
            constexpr double small = 0.5;
            if (tau <= small) {
                const double up = 2 * tau + 2 * in_double::exp_rel;
                add(p, p * (1 - up), p * (1 + up) + in_double::exp_abs);
            } else {
                const double one = 2 * in_double::exp_rel;
                add(p, std::exp(-gap - tau) * (1 - one),
                    std::exp(-gap + tau) * (1 + one) + in_double::exp_abs);
            }
        }
        const double share = in_double::gamma(double(weight.size()) + 1);
        sum_least *= 1 - share;
        sum_most *= 1 + share;
    }

    /// (15)
    double uncertain(std::size_t j) const {
        return std::max(most[j] - weight[j], weight[j] - least[j]);
    }

private:
    void add(double p, double low, double high) {
        // Below the normal numbers a product is no lower bound.
        const double lower = low > std::numeric_limits<double>::min() ? low : 0;
        weight.push_back(p);
        least.push_back(lower);
        most.push_back(high);
        sum += p;
        sum_least += lower;
        sum_most += high;
    }
};

Certified::Scores Certified::scores(const std::vector<Key>& keys, const Ball& query,
                                    Index head) const {
    const auto width = std::size_t(spec_.key_width);
    const std::size_t q = std::size_t(head) * width;
    const auto kv_head = std::size_t(rules_.kv_head(spec_, head));
    const std::size_t k = kv_head * width;  // in a key that is not exact
    Scores scores;
    QueryFacts& facts = scores.facts;
    facts.key_width = double(width);
    facts.scale = std::fabs(scale_);
    facts.softcap = spec_.softcap.value_or(0);
    for (std::size_t d = 0; d < width; ++d) {
        facts.query_sum += least_size(query, q + d) + query.radius_at(q + d);
    }
    const double roundings = in_double::gamma(double(width) + 6);
    for (const Key& seen : keys) {
        DotSums dot;
        double in_doubt = 0;
        double product = 0;
        double radius = 0;
        if (query.is_exact() && seen.read == nullptr) {
            dot = dot_sums(query.value.data() + q, seen.key, width);
            product = dot.size;
        } else {
            for (std::size_t d = 0; d < width; ++d) {
                const bool exact = seen.read == nullptr;
                const double k_value = exact ? double(seen.key[d]) : seen.read->key.value[k + d];
                const double k_doubt = exact ? 0 : seen.read->key.doubt_at(k + d);
                const double k_radius = exact ? 0 : seen.read->key.radius_at(k + d);
                const double k_least = std::max(std::fabs(k_value) - k_doubt, 0.0);
                const double q_value = query.value[q + d];
                const double q_doubt = query.doubt_at(q + d);
                const double q_radius = query.radius_at(q + d);
                const double q_least = least_size(query, q + d);
                dot.sum += q_value * k_value;
                dot.size += std::fabs(q_value * k_value);
                product += (q_least + q_radius) * (k_least + k_radius);
                radius += q_least * k_radius + k_least * q_radius + q_radius * k_radius;
                in_doubt +=
                    std::fabs(q_value) * k_doubt + std::fabs(k_value) * q_doubt + q_doubt * k_doubt;
            }
        }
        double score = dot.sum * scale_;
        // (13)
        double doubt = raised(facts.scale * (roundings * dot.size + in_doubt) +
                              in_double::eta * (facts.key_width + 4) * std::max(1.0, facts.scale));
        if (facts.softcap > 0) {
            // (13')
            score = facts.softcap * std::tanh(score / facts.softcap);
            doubt = raised(std::min(doubt, 2 * facts.softcap) +
                           facts.softcap * (in_double::tanh_abs + in_double::gamma(2)) +
                           4 * in_double::eta * std::max(1.0, facts.softcap));
        }
        facts.product_sum.push_back(product);
        facts.key_sum.push_back(seen.key_sum);
        facts.product_radius.push_back(radius);
        scores.score.push_back(score);
        scores.doubt.push_back(doubt);
    }
    return scores;
}

void Certified::add_biases(const std::vector<const Read*>& row,
                           const std::vector<std::size_t>& visible, Index head,
                           Scores& scores) const {
    const Node& query = *row.back()->node;
    const double reach = bias_reach(spec_, parameters_, head, rules_.position_id(spec_, query));
    for (std::size_t j = 0; j < visible.size(); ++j) {
        const Node& key = *row[visible[j]]->node;
        // A float times a distance is exact in double.
        scores.score[j] += rules_.bias(spec_, parameters_, head, query, key);
        // (13'')
        scores.doubt[j] = raised(scores.doubt[j] + in_double::u * std::fabs(scores.score[j]));
        scores.facts.bias.push_back(reach);
    }
}

void Certified::add_sink(Index head, Scores& scores) const {
    const double score = parameters_.sinks[std::size_t(head)];
    QueryFacts& facts = scores.facts;
    facts.has_sink = true;
    facts.product_sum.push_back(0);
    facts.key_sum.push_back(0);
    facts.product_radius.push_back(0);
    facts.bias.resize(scores.score.size());
    facts.bias.push_back(std::fabs(score));
    scores.score.push_back(score);
    scores.doubt.push_back(0);
}

void Certified::bound_outputs(const QueryBound& bound, const Weights& weights,
                              const std::vector<Key>& keys, Index head, Ball& attended,
                              Domain& domain) const {
    const auto width = std::size_t(spec_.value_width);
    const auto v = std::size_t(rules_.kv_head(spec_, head)) * width;
    std::vector<double> output(width);
    for (std::size_t j = 0; j < keys.size(); ++j) {
        if (keys[j].read == nullptr) {
            add_weighted(weights.weight[j], keys[j].value, width, output.data());
            continue;
        }
        const double* const value = keys[j].read->value.value.data() + v;
        for (std::size_t d = 0; d < width; ++d) output[d] += weights.weight[j] * value[d];
    }
    for (double& o : output) o /= weights.sum;

    HeadSums sums(width);
    double perturb_total = 0;
    for (std::size_t j = 0; j < keys.size(); ++j) {
        const KeyShare share{bound.terms()[j], weights.weight[j], weights.uncertain(j)};
        perturb_total += share.terms.perturb;
        if (keys[j].read == nullptr) {
            sums.add(share, keys[j].value, output.data());
            continue;
        }
        const Ball& value = keys[j].read->value;
        for (std::size_t d = 0; d < width; ++d) {
            sums.add(share, d, value.value[v + d], value.radius_at(v + d), value.doubt_at(v + d),
                     output[d]);
        }
    }
    const std::size_t count = weights.weight.size();
    if (count > keys.size()) {
        const KeyShare sink{bound.terms().back(), weights.weight.back(),
                            weights.uncertain(count - 1)};
        perturb_total += sink.terms.perturb;
        const std::vector<float> nothing(width);
        sums.add(sink, nothing.data(), output.data());
    }
    const double n = double(count);
    // The only key's weight is 1, exactly.
    const double roundings = count > 1 ? 2 * in_double::gamma(n + 4) : 0;
    const double underflow = count > 1 ? n * in_double::exp_abs : 0;
    for (std::size_t d = 0; d < width; ++d) {
        // (16)
        const double doubt = raised(
            (sums.uncertain(d) + roundings * sums.magnitude(d) + underflow) / weights.sum_least +
            sums.doubt_max(d));
        // A deviation from the exact output is at least one from this one, less both doubts.
        ElementSums element = sums.element(d);
        const double less = raised(doubt + sums.doubt_max(d));
        element.perturbed = std::max(element.perturbed - less * perturb_total, 0.0);
        element.hull = std::max(element.hull - less, 0.0);
        element.deviation_total = std::max(element.deviation_total - less * n, 0.0);
        domain.expect_below(bound.numerator_size(element), rounding_.omega);
        const double least = std::max(std::fabs(output[d]) - doubt, 0.0);
        attended.value.push_back(output[d]);
        attended.radius.push_back(lowered(bound.output(least, element)));
        attended.doubt.push_back(doubt);
        domain.clear = domain.clear && std::isfinite(output[d]) && std::isfinite(doubt);
    }
}

void Certified::answer_head(const std::vector<const Read*>& row,
                            const std::vector<std::size_t>& visible, const Node& asking,
                            const Ball& query, Index head, bool wants_weights, TokenTruth& truth,
                            Ball& attended, Domain& domain) const {
    if (wants_weights) truth.weights.emplace_back(row.size());
    if (visible.empty()) {
        truth.weight_sum.push_back({0, 0, 0});
        truth.score_size.push_back(0);
        // No key, no value: exactly zero where there is a sink.
        const std::size_t width = spec_.sinks ? std::size_t(spec_.value_width) : 0;
        for (auto* part : {&attended.value, &attended.radius, &attended.doubt}) {
            part->insert(part->end(), width, 0);
        }
        return;
    }
    const auto kv_head = std::size_t(rules_.kv_head(spec_, head));
    std::vector<Key> keys;
    keys.reserve(visible.size());
    for (const std::size_t slot : visible) keys.push_back(panels_->seen(kv_head, slot));
    Scores scores = this->scores(keys, query, head);
    if (spec_.slopes) add_biases(row, visible, head, scores);
    if (spec_.sinks) add_sink(head, scores);
    scores.find_top();
    domain.clear = domain.clear && std::isfinite(scores.facts.score_doubt) &&
                   double(keys.size()) + scores.facts.key_width < in_double::terms_max;
    const Weights weights(scores);
    QueryFacts& facts = scores.facts;
    facts.slots = double(asking.slot + 1);
    for (std::size_t j = 0; j < weights.weight.size(); ++j) {
        facts.weight.push_back(weights.least[j] / weights.sum_most * (1 - 4 * in_double::u));
        facts.weight_most.push_back(
            std::min(weights.most[j] / weights.sum_least * (1 + 4 * in_double::u), 1.0));
    }
    const QueryBound bound(rounding_, facts);
    domain.inside = domain.inside && bound.in_domain();
    domain.clear = domain.clear && bound.is_clear();
    if (!domain.clear) return;
    double largest = 0;
    for (const double score : scores.score) largest = std::max(largest, std::fabs(score));
    truth.score_size.push_back(largest);
    if (wants_weights) answer_weights(bound, facts, weights, visible, truth, domain);
    bound_outputs(bound, weights, keys, head, attended, domain);
}

void Certified::answer_weights(const QueryBound& bound, const QueryFacts& facts,
                               const Weights& weights, const std::vector<std::size_t>& visible,
                               TokenTruth& truth, Domain& domain) const {
    const WeightBounds bounds = bound.weights();
    const double n = double(visible.size());
    constexpr double negligible = 0x1p-900;
    double relative = 0;  // of a weight that is not negligible, epsilon
    for (std::size_t j = 0; j < facts.weight.size(); ++j) {
        if (facts.weight_most[j] < negligible) continue;
        relative = std::max(relative, facts.weight_most[j] / facts.weight[j] - 1);
    }
    relative = raised(relative + n * 8 * in_double::u);
    constexpr double relative_max = 0x1p-20;
    if (!(relative <= relative_max)) {
        domain.clear = false;
        return;
    }
    double bound_total = 0;
    const auto answer_of = [&](std::size_t j) -> Answer {
        const double weight = weights.weight[j] / weights.sum;
        const double most = facts.weight_most[j];
        const double least = facts.weight[j];
        const double doubt = raised(std::max(most - weight, weight - least) + in_double::exp_abs);
        // (17)
        const double lost = 16 * relative * (most + bounds.each[j]);
        bound_total += bounds.each[j];
        return {weight, 0, lowered(std::max(bounds.each[j] - lost, 0.0)), doubt};
    };
    for (std::size_t j = 0; j < visible.size(); ++j) {
        truth.weights.back()[visible[j]] = answer_of(j);
    }
    double sum_bound = bounds.sum;
    Answer sum{1, 0, 0, 0};
    if (facts.has_sink) {
        const Answer sink = answer_of(visible.size());
        sum = {1 - sink.hi, 0, 0, raised(sink.doubt + in_double::u)};
        sum_bound += sink.bound;
    }
    const double lost = 16 * relative * (1 + bound_total);
    sum.bound = lowered(std::max(sum_bound - lost, 0.0));
    truth.weight_sum.push_back(sum);
}

}  // namespace kvcheck
