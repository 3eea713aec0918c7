// SPDX-License-Identifier: Apache-2.0
// Sines and exponentials by their series in plain double arithmetic, so that a table has the same
// bits wherever it is made. The table is an exact input; only its repeatability matters, its
// accuracy (about 1e-15) is a courtesy.
#include <cmath>

#include "properties/generators/values.hpp"

namespace kvcheck {
namespace {

/// e^x for moderate x: the series at x / 2^10, squared ten times.
double series_exp(double x) {
    constexpr int halvings = 10;
    const double small = std::ldexp(x, -halvings);
    double term = 1;
    double sum = 1;
    for (int n = 1; n <= 12; ++n) {
        term = term * small / n;
        sum += term;
    }
    for (int n = 0; n < halvings; ++n) sum = sum * sum;
    return sum;
}

/// sin x for 0 <= x below some thousands.
double series_sin(double x) {
    constexpr double two_pi = 6.283185307179586476925;
    x -= two_pi * std::floor(x / two_pi);
    double term = x;
    double sum = x;
    for (int n = 1; n <= 20; ++n) {
        term = -term * x * x / ((2.0 * n) * (2.0 * n + 1));
        sum += term;
    }
    return sum;
}

}  // namespace

std::vector<float> sinusoidal_table(Index positions, Index width) {
    constexpr double log_base = 9.210340371976182736072;  // log 10000
    constexpr double quarter_turn = 1.570796326794896619231;
    std::vector<float> table;
    for (Index position = 0; position < positions; ++position) {
        for (Index i = 0; i < width; ++i) {
            const double frequency = series_exp(-log_base * double(i - i % 2) / double(width));
            const double angle = double(position) * frequency;
            table.push_back(float(series_sin(i % 2 == 0 ? angle : angle + quarter_turn)));
        }
    }
    return table;
}

}  // namespace kvcheck
