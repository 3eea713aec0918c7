// SPDX-License-Identifier: Apache-2.0
// Derivatives (declared in derivatives.hpp).
#include "oracles/decoder/derivatives.hpp"

#include <cmath>

#include "model/decoder_parts.hpp"
#include "model/rotary.hpp"

namespace kvcheck {

Columns through_norm(const DecoderSpec& spec, const NormParameters& parameters,
                     const std::vector<double>& x, const Columns& by_normed) {
    // y_i = g_i c_i / s: dy_i/dx_j = g_i / s (delta_ij - [centred] 1/n - c_i c_j / (n s^2))
    const Moments<double> of_x = moments(spec, x);
    const std::size_t results = by_normed.results();
    const auto n = double(x.size());
    std::vector<double> mean(results, 0);
    std::vector<double> along(results, 0);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double gain = parameters.gain[i];
        const double centred = (x[i] - of_x.mean) / of_x.deviation;
        for (std::size_t r = 0; r < results; ++r) {
            const double weighted = gain * by_normed.row(i)[r] / n;
            if (spec.norm == Norm::layer) mean[r] += weighted;
            along[r] += weighted * centred;
        }
    }
    Columns by_x(x.size(), results);
    for (std::size_t j = 0; j < x.size(); ++j) {
        const double gain = parameters.gain[j];
        const double centred = (x[j] - of_x.mean) / of_x.deviation;
        for (std::size_t r = 0; r < results; ++r) {
            by_x.row(j)[r] =
                (gain * by_normed.row(j)[r] - mean[r] - centred * along[r]) / of_x.deviation;
        }
    }
    return by_x;
}

ActivationSlopes activation_slopes(const DecoderSpec& spec, const std::vector<double>& gate,
                                   const std::vector<double>& up) {
    ActivationSlopes slopes;
    const double pi = 4 * std::atan(1.0);
    for (std::size_t i = 0; i < up.size(); ++i) {
        const double x = up[i];
        if (spec.activation == Activation::swiglu) {
            const double g = gate[i];
            const double sigmoid = 1 / (1 + std::exp(-g));
            slopes.gate.push_back(x * sigmoid * (1 + g * (1 - sigmoid)));
            slopes.up.push_back(g * sigmoid);
        } else if (spec.activation == Activation::gelu_exact) {
            slopes.up.push_back((1 + std::erf(x / std::sqrt(2.0))) / 2 +
                                x * std::exp(-x * x / 2) / std::sqrt(2 * pi));
        } else {
            const double tangent = std::tanh(gelu_argument(x));
            const double inner = std::sqrt(2 / pi) * (1 + 3 * 0.044715 * x * x);
            slopes.up.push_back((1 + tangent) / 2 + x / 2 * (1 - tangent * tangent) * inner);
        }
    }
    return slopes;
}

void turn_back(const DecoderSpec& spec, const DecoderParameters& parameters, Index id,
               Columns& heads) {
    const Spec& attention = spec.attention;
    const float* const row =
        parameters.attention.rotary_table.data() + id * attention.turned_width();
    const auto width = std::size_t(attention.key_width);
    for (std::size_t head = 0; head < heads.elements(); head += width) {
        for (Index i = 0; i < attention.turned_width() / 2; ++i) {
            const RotaryPair pair = rotary_pair(attention, i);
            const double cosine = row[pair.cosine];
            const double sine = row[pair.sine];
            double* const a = heads.row(head + std::size_t(pair.first));
            double* const b = heads.row(head + std::size_t(pair.second));
            for (std::size_t r = 0; r < heads.results(); ++r) {
                const double by_a = a[r] * cosine + b[r] * sine;
                b[r] = b[r] * cosine - a[r] * sine;
                a[r] = by_a;
            }
        }
    }
}

HeadFacts head_facts(const DecoderSpec& spec, const std::vector<ReadToken<double>>& tokens,
                     const Attended<double>& seen, Index head, Index query_id,
                     const std::vector<double>& query, const Radii& query_radius) {
    const auto begin = std::size_t(head * spec.attention.key_width);
    const auto end = begin + std::size_t(spec.attention.key_width);
    HeadFacts facts;
    facts.head = head;
    facts.slots = double(tokens.size());
    facts.query.assign(query.begin() + std::ptrdiff_t(begin), query.begin() + std::ptrdiff_t(end));
    facts.query_radius.assign(query_radius.begin() + std::ptrdiff_t(begin),
                              query_radius.begin() + std::ptrdiff_t(end));
    for (const std::size_t key : seen.keys) {
        facts.key.push_back(tokens[key].key);
        facts.value.push_back(tokens[key].value);
    }
    facts.score = seen.scores;
    facts.weight = seen.weights;
    facts.sink_weight = seen.sink.value_or(0);
    facts.output = seen.output;
    facts.query_id = query_id;
    return facts;
}

double with_second_order(double radius) { return enlarged(radius * (1 + std::ldexp(1.0, -6))); }

}  // namespace kvcheck
