// SPDX-License-Identifier: Apache-2.0
// Tokens and rows (declared in certified.hpp); a head of a query stands in certified_head.cpp. The
// numbers in parentheses are those of the equations of docs/error_bound.md.
#include "oracles/certified.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracles/certified_panels.hpp"
#include "oracles/certified_rounding.hpp"

namespace kvcheck {
namespace {

/// What partial sums may exceed the exact magnitude by before they overflow, as in the reference.
constexpr double overflow_reserve = 1.01;

Certified::Ball exact(const std::vector<float>& values, Index begin, Index size) {
    const auto first = values.begin() + begin;
    return {std::vector<double>(first, first + size), {}, {}};
}

std::vector<Answer> answers(const Certified::Ball& ball) {
    std::vector<Answer> list;
    list.reserve(ball.value.size());
    for (std::size_t i = 0; i < ball.value.size(); ++i) {
        list.push_back({ball.value[i], 0, ball.radius_at(i), ball.doubt_at(i)});
    }
    return list;
}

bool is_finite(const Certified::Ball& ball) {
    const auto finite = [](double number) { return std::isfinite(number); };
    return std::all_of(ball.value.begin(), ball.value.end(), finite) &&
           std::all_of(ball.radius.begin(), ball.radius.end(), finite) &&
           std::all_of(ball.doubt.begin(), ball.doubt.end(), finite);
}

bool asks(const Spec& spec, const Token& token) {
    return token.real || spec.padded_query == PaddedQuery::computed;
}

}  // namespace

void Certified::Domain::expect_below(double size, double limit) {
    inside = inside && size < limit;
    clear = clear && std::isfinite(size) && !is_close_below(size, limit);
}

Certified::Certified(const Spec& spec, const Parameters& parameters, const NumericProfile& profile)
    : spec_(spec),
      parameters_(parameters),
      rounding_(profile),
      scale_(spec.scale ? double(*spec.scale) : 1 / std::sqrt(double(spec.key_width))),
      panels_(std::make_unique<Panels>(spec)) {}

Certified::~Certified() = default;

Certified::Read Certified::read(const Node& node) const {
    const Token& token = node.token;
    Read read;
    read.node = &node;
    if (!asks(spec_, token)) return read;
    if (spec_.level == Level::attention) {
        if (!token.real) return read;
        const Index key = spec_.query_size();
        read.key = exact(token.input, key, spec_.key_size());
        read.value = exact(token.input, key + spec_.key_size(), spec_.value_size());
        for (Ball* const ball : {&read.key, &read.value}) {
            for (double& number : ball->value) number = nearest_stored(spec_.storage, number);
        }
        read.domain.clear = is_finite(read.key) && is_finite(read.value);
        sum_keys(read);
        return read;
    }
    const Ball x = with_position(exact(token.input, 0, spec_.model_width), node, read.domain);
    read.query = projected(parameters_.query, x, read.domain);
    if (!token.real) return read;
    read.key = projected(parameters_.key, x, read.domain);
    read.value = projected(parameters_.value, x, read.domain);
    sum_keys(read);
    return read;
}

void Certified::sum_keys(Read& read) const {
    read.key_sums.assign(std::size_t(spec_.kv_heads), 0);
    for (std::size_t i = 0; i < read.key.value.size(); ++i) {
        read.key_sums[i / std::size_t(spec_.key_width)] +=
            least_size(read.key, i) + read.key.radius_at(i);
    }
}

StoredTruth Certified::stored(const Read& read) {
    return {answers(read.key), answers(read.value), {}, read.domain.inside};
}

void Certified::adopt_key(const std::vector<double>& key, Read& read) const {
    read.key = {key, {}, {}};
    sum_keys(read);
}

void Certified::adopt_value(const std::vector<double>& value, Read& read) const {
    read.value = {value, {}, {}};
}

Certified::Ball Certified::with_position(Ball x, const Node& node, Domain& domain) const {
    if (spec_.position_signal == PositionSignal::none) return x;
    const double table_error = spec_.position_signal == PositionSignal::sinusoidal
                                   ? rounding_.profile.position_table_error
                                   : 0;
    const auto row = std::size_t(rules_.position_id(spec_, node)) * x.value.size();
    for (std::size_t d = 0; d < x.value.size(); ++d) {
        x.value[d] += double(parameters_.position_table[row + d]);
        x.doubt.push_back(raised(in_double::u * std::fabs(x.value[d])));
        const double reach = std::max(std::fabs(x.value[d]) - x.doubt[d], 0.0) + table_error;
        x.radius.push_back(
            lowered(enlarged(table_error + rounding_.u * reach + 2 * rounding_.eta)));
        domain.expect_below(overflow_reserve * reach, rounding_.omega);
    }
    return x;
}

Certified::Ball Certified::projected(const Projection& projection, const Ball& in,
                                     Domain& domain) const {
    Ball out;
    const std::size_t width = in.value.size();
    const bool has_bias = !projection.bias.empty();
    for (std::size_t i = 0; i < projection.weight.size() / width; ++i) {
        const double bias = has_bias ? double(projection.bias[i]) : 0;
        double sum = bias;
        double size = std::fabs(bias);  // sum_d |w_d x_d|, plus |bias|
        double doubt = 0;               // sum_d |w_d| times the doubt of x_d
        double terms = 0;               // products that are not exactly zero
        DotFacts facts;
        facts.n = double(width);
        facts.has_bias = has_bias;
        facts.magnitude = std::fabs(bias);
        for (std::size_t d = 0; d < width; ++d) {
            const double weight = double(projection.weight[i * width + d]);
            const double w = std::fabs(weight);
            const double least = least_size(in, d) + in.radius_at(d);
            sum += weight * in.value[d];
            size += w * std::fabs(in.value[d]);
            terms += w != 0 && in.value[d] != 0 ? 1 : 0;
            doubt += w * in.doubt_at(d);
            facts.spread += w * in.radius_at(d);
            facts.magnitude += w * least;
            facts.weight_sum += w;
            facts.input_sum += least;
        }
        domain.expect_below(overflow_reserve * facts.magnitude, rounding_.omega);
        out.value.push_back(sum);
        out.radius.push_back(lowered(dot_radius(rounding_, facts)));
        // (12)
        const double roundings = terms + (has_bias ? 1 : 0);
        const double rounded = in_double::gamma(roundings) * size + in_double::eta * roundings;
        out.doubt.push_back(raised(doubt + (terms > 0 ? rounded : 0)));
    }
    domain.clear = domain.clear && is_finite(out);
    return out;
}

std::optional<TokenTruth> Certified::answer(const std::vector<const Read*>& row, const Node& asking,
                                            bool weights) {
    const Read& own = *row.back();
    const Token& token = asking.token;
    std::vector<std::size_t> visible;
    Domain domain = own.domain;
    for (std::size_t n = 0; n < row.size(); ++n) {
        if (!rules_.sees(spec_, asking, *row[n]->node)) continue;
        visible.push_back(n);
        domain.add(row[n]->domain);
    }
    TokenTruth truth;
    truth.certified = true;
    const bool wanted = asks(spec_, token);
    const bool dead = visible.empty() && !spec_.sinks;
    truth.standing = {wanted, dead};
    if (dead) {
        truth.standing.compared = wanted && spec_.dead_row != DeadRow::unspecified;
    }
    if (!wanted) return truth;
    const Ball query =
        spec_.level == Level::layer ? own.query : exact(token.input, 0, spec_.query_size());
    domain.clear = domain.clear && is_finite(query);
    panels_->follow(row);
    Ball attended;
    for (Index head = 0; domain.clear && head < spec_.query_heads; ++head) {
        answer_head(row, visible, asking, query, head, weights, truth, attended, domain);
    }
    if (!domain.clear) return std::nullopt;
    if (dead) {
        attended = {std::vector<double>(std::size_t(spec_.attended_size()), 0), {}, {}};
        if (spec_.dead_row == DeadRow::nan) {
            truth.in_domain = domain.inside;
            truth.output.assign(std::size_t(spec_.output_size()),
                                {std::numeric_limits<double>::quiet_NaN(), 0, 0});
            return truth;
        }
    }
    if (domain.inside && spec_.level == Level::layer) {
        attended = projected(parameters_.output, attended, domain);
    }
    if (!domain.clear) return std::nullopt;
    truth.in_domain = domain.inside;
    if (domain.inside) truth.output = answers(attended);
    return truth;
}

}  // namespace kvcheck
