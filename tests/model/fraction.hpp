// SPDX-License-Identifier: Apache-2.0
// An exact scalar for hand-worked attention. Its exponential has base two and takes integers only,
// so that weights come out as fractions: attention asks no more of exp than that sums become
// products. Small numbers only; nothing guards against overflow.
#pragma once

#include <cmath>
#include <numeric>
#include <ostream>
#include <stdexcept>

#include "model/types/spec.hpp"

namespace kvcheck {

class Fraction {
public:
    explicit Fraction(int value) : Fraction(value, 1) {}
    explicit Fraction(float value) : Fraction(Index(value), 1) {
        if (float(num_) != value) throw std::invalid_argument("not an integer");
    }
    Fraction(Index num, Index den) : num_(num), den_(den) {
        const Index common = std::gcd(num, den) * (den < 0 ? -1 : 1);
        num_ /= common;
        den_ /= common;
    }

    Fraction& operator+=(Fraction b) {
        return *this = {num_ * b.den_ + b.num_ * den_, den_ * b.den_};
    }
    Fraction& operator/=(Fraction b) { return *this = {num_ * b.den_, den_ * b.num_}; }
    friend Fraction operator*(Fraction a, Fraction b) { return {a.num_ * b.num_, a.den_ * b.den_}; }
    friend Fraction operator/(Fraction a, Fraction b) { return a /= b; }
    friend Fraction operator+(Fraction a, Fraction b) { return a += b; }
    friend Fraction operator-(Fraction a, Fraction b) {
        return {a.num_ * b.den_ - b.num_ * a.den_, a.den_ * b.den_};
    }
    friend bool operator>(Fraction a, Fraction b) { return (a - b).num_ > 0; }
    bool operator==(const Fraction&) const = default;

    /// Two to the power of an integer that is not positive, as softmax needs it.
    friend Fraction exp(Fraction power) {
        if (power.den_ != 1 || power.num_ > 0) throw std::invalid_argument("no such power");
        return {1, Index{1} << -power.num_};
    }
    /// Of no fraction but zero a fraction.
    friend Fraction tanh(Fraction x) {
        if (x.num_ != 0) throw std::invalid_argument("no such tangent");
        return x;
    }
    friend std::ostream& operator<<(std::ostream& out, Fraction value) {
        return out << value.num_ << "/" << value.den_;
    }

private:
    Index num_;
    Index den_;
};

}  // namespace kvcheck
