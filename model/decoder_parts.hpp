// SPDX-License-Identifier: Apache-2.0
// What a decoder has besides attention and projections, over any scalar type: two norms and three
// activations (clause 14 of docs/contract.md). A scalar needs + - * /, sqrt, exp, tanh and erf.
#pragma once

#include <cmath>
#include <vector>

#include "model/types/decoder_spec.hpp"

namespace kvcheck {

/// What a norm divides by, and what it subtracts first; of RMSNorm nothing is subtracted.
template <class Scalar>
struct Moments {
    Scalar mean;
    Scalar deviation;  // sqrt(variance + eps), or sqrt(mean of squares + eps)
};

template <class Scalar>
Moments<Scalar> moments(const DecoderSpec& spec, const std::vector<Scalar>& x) {
    using std::sqrt;
    const Scalar width(double(x.size()));
    Scalar mean(0);
    if (spec.norm == Norm::layer) {
        for (const Scalar& element : x) mean += element;
        mean /= width;
    }
    Scalar squares(0);
    for (const Scalar& element : x) squares += (element - mean) * (element - mean);
    const Scalar variance = squares / width + Scalar(spec.norm_epsilon);
    return {mean, sqrt(variance)};
}

template <class Scalar>
std::vector<Scalar> normalised(const DecoderSpec& spec, const NormParameters& parameters,
                               const std::vector<Scalar>& x) {
    const Moments<Scalar> of_x = moments(spec, x);
    std::vector<Scalar> y;
    for (std::size_t d = 0; d < x.size(); ++d) {
        Scalar element = (x[d] - of_x.mean) / of_x.deviation * Scalar(parameters.gain[d]);
        if (spec.norm == Norm::layer) element += Scalar(parameters.bias[d]);
        y.push_back(element);
    }
    return y;
}

/// erf, which some number types lack: those specialise it.
template <class Scalar>
struct ErrorFunction {
    static Scalar of(const Scalar& x) {
        using std::erf;
        return erf(x);
    }
};

/// x/2 (1 + erf(x / sqrt 2))
template <class Scalar>
Scalar gelu_exact(const Scalar& x) {
    using std::sqrt;
    const Scalar argument = x / sqrt(Scalar(2));
    return x / Scalar(2) * (Scalar(1) + ErrorFunction<Scalar>::of(argument));
}

/// sqrt(2/pi) (x + 0.044715 x^3), the argument of the tanh of the approximation.
template <class Scalar>
Scalar gelu_argument(const Scalar& x) {
    using std::atan;
    using std::sqrt;
    const Scalar pi = Scalar(4) * atan(Scalar(1));
    const Scalar cubic = Scalar(44715) / Scalar(1000000) * x * x * x;
    return sqrt(Scalar(Scalar(2) / pi)) * (x + cubic);
}

template <class Scalar>
Scalar gelu_tanh(const Scalar& x) {
    using std::tanh;
    return x / Scalar(2) * (Scalar(1) + tanh(gelu_argument(x)));
}

/// x / (1 + e^-x)
template <class Scalar>
Scalar silu(const Scalar& x) {
    using std::exp;
    return x / (Scalar(1) + exp(Scalar(-x)));
}

/// Of the up projection and, with SwiGLU, the gate.
template <class Scalar>
std::vector<Scalar> activated(const DecoderSpec& spec, const std::vector<Scalar>& gate,
                              const std::vector<Scalar>& up) {
    std::vector<Scalar> out;
    for (std::size_t i = 0; i < up.size(); ++i) {
        switch (spec.activation) {
            case Activation::gelu_exact:
                out.push_back(gelu_exact(up[i]));
                break;
            case Activation::gelu_tanh:
                out.push_back(gelu_tanh(up[i]));
                break;
            case Activation::swiglu:
                out.push_back(silu(gate[i]) * up[i]);
                break;
        }
    }
    return out;
}

}  // namespace kvcheck
