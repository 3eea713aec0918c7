// SPDX-License-Identifier: Apache-2.0
// Plainer numbers. First many at once (everything, one kind, one token), then one by one. A
// number's rank orders them: 0, 1, -1, 2, 0.5, small integers, short decimals, the rest.
#include <array>
#include <cmath>
#include <cstdlib>

#include "model/types/arrays.hpp"
#include "model/types/ieee.hpp"
#include "model/walk.hpp"
#include "properties/search/shrink.hpp"

namespace kvcheck {
namespace {

using Shared = std::shared_ptr<const Case>;

constexpr std::array<float, 5> plain_numbers = {0.0F, 1.0F, -1.0F, 2.0F, 0.5F};

/// Numbers of a case that mean one thing: a parameter's array, or one array of one token.
struct Stretch {
    Role role;
    Index begin;
    Index end;
};

/// Calls `visit(stretch, numbers)`, parameters first.
template <class CaseType, class Visit>
void for_each_stretch(CaseType& test_case, const Visit& visit) {
    for (const ParameterArray& array : parameter_arrays()) {
        auto& numbers = array.in(test_case.parameters);
        visit(Stretch{Role::parameter, 0, Index(numbers.size())}, numbers);
    }
    for_each_token(test_case, [&](const TokenSite&, auto& token) {
        for_each_input(test_case.spec, [&](const TokenArray& array, Index begin, Index end) {
            visit(Stretch{array.role, begin, end}, token.input);
        });
    });
}

/// Replaces, in the stretches that are chosen, whatever is more complicated than `plain`.
using StretchChoice = std::function<bool(int number, const Stretch& stretch)>;
std::optional<Case> with_stretches(const Case& base, float plain, const StretchChoice& chosen) {
    Case plainer = base;
    bool changed = false;
    int number = 0;
    for_each_stretch(plainer, [&](const Stretch& stretch, std::vector<float>& numbers) {
        if (!chosen(number++, stretch)) return;
        for (Index i = stretch.begin; i < stretch.end; ++i) {
            float& x = numbers[std::size_t(i)];
            if (rank_of(plain) >= rank_of(x)) continue;
            x = plain;
            changed = true;
        }
    });
    if (!changed) return std::nullopt;
    return plainer;
}

std::vector<float> plainer_numbers(float x) {
    std::vector<float> plainer;
    const auto add = [&](float candidate) {
        if (rank_of(candidate) < rank_of(x)) plainer.push_back(candidate);
    };
    for (const float plain : plain_numbers) add(plain);
    if (!std::isfinite(x)) return plainer;
    add(std::trunc(x));
    for (const int digits : {1, 2, 3}) {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "%.*e", digits - 1, double(x));
        add(std::strtof(text.data(), nullptr));
    }
    return plainer;
}

std::optional<Case> with_number(const Case& base, int number, Index index, float plain) {
    Case plainer = base;
    int n = 0;
    for_each_stretch(plainer, [&](const Stretch& stretch, std::vector<float>& numbers) {
        if (n++ == number) numbers[std::size_t(stretch.begin + index)] = plain;
    });
    return plainer;
}

}  // namespace

int rank_of(float number) {
    for (std::size_t i = 0; i < plain_numbers.size(); ++i) {
        if (same_bits(number, plain_numbers[i])) return int(i);
    }
    constexpr int small = 16;
    if (std::trunc(number) == number && std::fabs(number) <= small && number != 0) {
        return 8 + 2 * int(std::fabs(number)) + (number < 0 ? 1 : 0);
    }
    constexpr int decimal = 64;
    if (!std::isfinite(number)) return decimal;
    return decimal + 1 + int(float_text(number).size());
}

void add_simpler_numbers(const Shared& base, std::vector<Candidate>& list) {
    int stretches = 0;
    for_each_stretch(*base, [&](const Stretch&, const auto&) { ++stretches; });
    const auto add = [&](float plain, const StretchChoice& chosen) {
        list.emplace_back([=] { return with_stretches(*base, plain, chosen); });
    };
    for (const float plain : {0.0F, 1.0F}) {
        add(plain, [](int, const Stretch&) { return true; });
        for (const TokenArray& array : input_arrays(base->spec.level)) {
            add(plain,
                [role = array.role](int, const Stretch& stretch) { return stretch.role == role; });
        }
        for (int chosen = 0; chosen < stretches; ++chosen) {
            add(plain, [=](int number, const Stretch&) { return number == chosen; });
        }
    }
    int number = 0;
    for_each_stretch(*base, [&](const Stretch& stretch, const std::vector<float>& numbers) {
        for (Index i = stretch.begin; i < stretch.end; ++i) {
            for (const float plain : plainer_numbers(numbers[std::size_t(i)])) {
                const int where = number;
                const Index index = i - stretch.begin;
                list.emplace_back([=] { return with_number(*base, where, index, plain); });
            }
        }
        ++number;
    });
}

}  // namespace kvcheck
