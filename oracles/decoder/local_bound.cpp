// SPDX-License-Identifier: Apache-2.0
// The bounds of single operations (declared in local_bound.hpp). The numbers in parentheses are
// those of docs/error_bound.md.
#include "oracles/decoder/local_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracles/rotation_bound.hpp"

namespace kvcheck {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// What a correct program forms on its way may be no finite number: nothing is compared.
bool overflows(const Rounding& rounding, double size) {
    constexpr double reserve = 1.01;
    return !(reserve * size < rounding.omega);
}

/// Sizes of x that the bound of a norm is made of.
struct Sizes {
    double mean = 0;       // of x, 0 with RMSNorm
    double mean_size = 0;  // of |x|
    double variance = 0;   // mean square of x - mean
};

Sizes sizes_of(const DecoderSpec& spec, const std::vector<double>& x) {
    const auto n = double(x.size());
    Sizes sizes;
    for (const double element : x) {
        sizes.mean += element / n;
        sizes.mean_size += std::fabs(element) / n;
    }
    if (spec.norm == Norm::rms) sizes.mean = 0;
    for (const double element : x) {
        sizes.variance += (element - sizes.mean) * (element - sizes.mean) / n;
    }
    return sizes;
}

/// Of x/2 (1 + f), where f is an error function or a tangent whose argument is off by what moves f
/// by at most `argument`.
double gelu_radius(const Rounding& rounding, double x, double f, double value, double argument) {
    // (24)
    const double inner = argument + rounding.tanh_abs + rounding.u * (1 + std::fabs(f));
    const double first = std::fabs(x) / 2 * inner * (1 + rounding.gamma(4));
    return first + rounding.gamma(3) * (std::fabs(value) + first) +
           rounding.eta * (4 + std::fabs(x));
}

}  // namespace

Radii norm_bound(const Rounding& rounding, const DecoderSpec& spec,
                 const NormParameters& parameters, const std::vector<double>& x) {
    const auto n = double(x.size());
    const double u = rounding.u;
    const double eta = rounding.eta;
    const Sizes sizes = sizes_of(spec, x);
    const double epsilon = spec.norm_epsilon;
    double largest = 0;
    for (const double element : x) largest = std::max(largest, std::fabs(element));
    // A sum of x, and of squares of x less its mean, which no element exceeds twofold.
    if (overflows(rounding, n * largest) || overflows(rounding, 4 * n * largest * largest)) {
        return Radii(x.size(), infinity);
    }
    const double sigma = std::sqrt(sizes.variance);
    // (21)
    const bool centres = spec.norm == Norm::layer;
    const double mean_error = centres ? rounding.gamma(n + 1) * sizes.mean_size + 2 * n * eta : 0;
    const double shaken = centres ? u * (sigma + mean_error) + 2 * eta : 0;
    const double sigma_most = std::hypot(sigma, mean_error) + shaken;
    const double sigma_least = std::max(0.0, sigma - shaken);
    const double roundings = rounding.gamma(n + 3);
    const double underflow = (2 * n + 4) * eta + 2 * eta * sizes.mean_size;
    const double most =
        std::sqrt((sigma_most * sigma_most + epsilon) * (1 + roundings) + underflow);
    const double least = std::sqrt(
        std::max(0.0, (sigma_least * sigma_least + epsilon) * (1 - roundings) - underflow));
    const double deviation = std::sqrt(sizes.variance + epsilon);
    // (22): the root, a quotient or a reciprocal and a product, the gain
    const double relative = compound(rounding.gamma(4), rounding.divide_rel);
    Radii radii;
    for (std::size_t d = 0; d < x.size(); ++d) {
        const double centred = std::fabs(x[d] - sizes.mean);
        const double gain = std::fabs(double(parameters.gain[d]));
        const double bias = centres ? std::fabs(double(parameters.bias[d])) : 0;
        const double centring = centres ? mean_error + u * (centred + mean_error) + 2 * eta : eta;
        const double spread =
            std::max(1 / least - 1 / deviation, 1 / deviation - 1 / most) * centred +
            centring / least;
        const double scaled = gain * centred / deviation;
        const double before_bias =
            gain * spread * (1 + relative) + relative * scaled + 4 * eta * (1 + gain + 1 / least);
        const double added = centres ? u * (scaled + bias + before_bias) + 2 * eta : 0;
        radii.push_back(enlarged(before_bias + added));
    }
    return radii;
}

Radii product_bound(const Rounding& rounding, const std::vector<float>& weight,
                    const std::vector<float>& bias, const std::vector<double>& x) {
    const std::size_t width = x.size();
    Radii radii;
    for (std::size_t row = 0; row < weight.size() / width; ++row) {
        DotFacts facts;
        facts.n = double(width);
        facts.has_bias = !bias.empty();
        if (facts.has_bias) facts.magnitude = std::fabs(double(bias[row]));
        for (std::size_t d = 0; d < width; ++d) {
            const double w = std::fabs(double(weight[row * width + d]));
            facts.magnitude += w * std::fabs(x[d]);
            facts.weight_sum += w;
            facts.input_sum += std::fabs(x[d]);
        }
        radii.push_back(overflows(rounding, facts.magnitude) ? infinity
                                                             : dot_radius(rounding, facts));
    }
    return radii;
}

Radii sum_bound(const Rounding& rounding, const std::vector<double>& sum) {
    Radii radii;
    for (const double element : sum) {
        const double radius = rounding.u * std::fabs(element) + 2 * rounding.eta;
        radii.push_back(overflows(rounding, std::fabs(element)) ? infinity : enlarged(radius));
    }
    return radii;
}

Radii activation_bound(const Rounding& rounding, const DecoderSpec& spec,
                       const std::vector<double>& gate, const std::vector<double>& up) {
    Radii radii;
    for (std::size_t i = 0; i < up.size(); ++i) {
        const double x = up[i];
        double radius = 0;
        if (spec.activation == Activation::swiglu) {
            // (25)
            const double g = gate[i];
            const double value = std::fabs(g / (1 + std::exp(-g)) * x);
            const double relative =
                compound(compound(rounding.exp_rel / (1 - rounding.exp_rel), rounding.divide_rel),
                         rounding.gamma(4));
            radius =
                relative * value +
                4 * (rounding.exp_abs * (1 + std::fabs(g)) + rounding.eta) * (1 + std::fabs(x)) +
                4 * rounding.eta * (1 + std::fabs(g));
            if (overflows(rounding, std::fabs(g)) || overflows(rounding, value)) radius = infinity;
        } else if (spec.activation == Activation::gelu_exact) {
            const double f = std::erf(x / std::sqrt(2.0));
            constexpr double slope = 0.5;  // sup |t| erf'(t) = 0.484
            radius = gelu_radius(rounding, x, f, x / 2 * (1 + f), slope * rounding.gamma(3));
        } else {
            const double pi = 4 * std::atan(1.0);
            const double f = std::tanh(std::sqrt(2 / pi) * (x + 0.044715 * x * x * x));
            constexpr double slope = 0.5;  // sup |t| / cosh^2 t = 0.448
            radius = gelu_radius(rounding, x, f, x / 2 * (1 + f), slope * rounding.gamma(8));
        }
        radii.push_back(enlarged(radius));
    }
    return radii;
}

Radii turning_bound(const DecoderArithmetic& arithmetic, const Rounding& rounding,
                    const DecoderSpec& spec, const DecoderParameters& parameters, Index id,
                    const std::vector<double>& heads) {
    const Index width = spec.attention.turned_width();
    Radii radii(heads.size(), 0);
    if (width == 0) return radii;
    const float* const row = parameters.attention.rotary_table.data() + id * width;
    std::vector<double> sizes;
    sizes.reserve(heads.size());
    for (const double x : heads) sizes.push_back(std::fabs(x));
    radii = rotation_bound(rounding, spec.attention, row, sizes, radii).radius;
    if (arithmetic.angle_roundings == 0) return radii;
    // (23): no angle is larger than the id, and sines and cosines are rounded twice
    const double table = rounding.u * (arithmetic.angle_roundings * double(id) + 4);
    const auto key_width = std::size_t(spec.attention.key_width);
    for (std::size_t head = 0; head < heads.size(); head += key_width) {
        double largest = 0;
        for (std::size_t d = 0; d < key_width; ++d) {
            largest = std::max(largest, std::fabs(heads[head + d]));
        }
        for (Index d = 0; d < width; ++d) {
            radii[head + std::size_t(d)] += enlarged(2 * table * largest);
        }
    }
    return radii;
}

Radii attention_bound(const Rounding& rounding, const DecoderSpec& spec,
                      const DecoderParameters& parameters, Index kv_head, const HeadFacts& facts) {
    const Spec& attention = spec.attention;
    const auto key_width = std::size_t(attention.key_width);
    const auto value_width = std::size_t(attention.value_width);
    Radii radii(value_width, 0);
    if (facts.key.empty()) return radii;  // exactly zero
    QueryFacts of_query;
    of_query.slots = facts.slots;
    of_query.key_width = double(key_width);
    of_query.scale = std::fabs(attention.scale ? double(*attention.scale)
                                               : 1 / std::sqrt(double(attention.key_width)));
    of_query.softcap = attention.softcap.value_or(0);
    for (std::size_t d = 0; d < key_width; ++d) {
        of_query.query_sum += std::fabs(facts.query[d]) + facts.query_radius[d];
    }
    for (std::size_t n = 0; n < facts.key.size(); ++n) {
        double product = 0;
        double key_sum = 0;
        double radius = 0;
        for (std::size_t d = 0; d < key_width; ++d) {
            const double k = std::fabs((*facts.key[n])[std::size_t(kv_head) * key_width + d]);
            product += (std::fabs(facts.query[d]) + facts.query_radius[d]) * k;
            key_sum += k;
            radius += facts.query_radius[d] * k;
        }
        of_query.product_sum.push_back(product);
        of_query.key_sum.push_back(key_sum);
        of_query.product_radius.push_back(radius);
        of_query.score.push_back(facts.score[n]);
        of_query.weight.push_back(facts.weight[n]);
        if (attention.slopes) {
            of_query.bias.push_back(
                bias_reach(attention, parameters.attention, facts.head, facts.query_id));
        }
    }
    if (attention.sinks) {
        const double sink = parameters.attention.sinks[std::size_t(facts.head)];
        of_query.has_sink = true;
        of_query.product_sum.push_back(0);
        of_query.key_sum.push_back(0);
        of_query.product_radius.push_back(0);
        of_query.score.push_back(sink);
        of_query.weight.push_back(facts.sink_weight);
        if (of_query.bias.empty()) of_query.bias.assign(facts.key.size(), 0);
        of_query.bias.push_back(std::fabs(sink));
    }
    const QueryBound bound(rounding, of_query);
    for (std::size_t d = 0; d < value_width; ++d) {
        ValueFacts of_value;
        of_value.output = facts.output[d];
        const auto add = [&](double value) {
            of_value.value.push_back(value);
            of_value.deviation.push_back(std::fabs(value - facts.output[d]));
            of_value.radius.push_back(0);
        };
        for (const auto* value : facts.value) {
            add((*value)[std::size_t(kv_head) * value_width + d]);
        }
        if (attention.sinks) add(0);
        radii[d] =
            bound.in_domain() ? bound.output(of_value) : std::numeric_limits<double>::infinity();
    }
    return radii;
}

}  // namespace kvcheck
