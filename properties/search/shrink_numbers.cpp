// SPDX-License-Identifier: Apache-2.0
// Plainer numbers. First many at once (everything, one kind, neighbouring arrays), so that long
// rows have round numbers in few tries, then one by one. A number's rank orders them: 0, 1, -1, 2,
// 0.5, small integers, short decimals, the rest.
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
struct Array {
    Role role;
    Index begin;
    Index end;
};

/// Calls `visit(array, numbers)`, parameters first.
template <class CaseType, class Visit>
void for_each_array(CaseType& test_case, const Visit& visit) {
    for (const ParameterArray& array : parameter_arrays()) {
        // A plainer table has no quarter turns, which a shift needs.
        if (array.name == "rotary_table" && holds_a_shift(test_case)) continue;
        auto& numbers = array.in(test_case.parameters);
        visit(Array{Role::parameter, 0, Index(numbers.size())}, numbers);
    }
    for_each_token(test_case, [&](const TokenSite&, auto& token) {
        for_each_input(test_case.spec, [&](const TokenArray& array, Index begin, Index end) {
            visit(Array{array.role, begin, end}, token.input);
        });
    });
}

/// A number to `digits` decimal digits.
float rounded(float x, int digits) {
    if (!std::isfinite(x)) return x;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*e", digits - 1, double(x));
    return std::strtof(text.data(), nullptr);
}

/// A way of making a number plainer, and the ways in the order in which they are tried.
using Way = float (*)(float);
constexpr std::array<Way, 9> ways = {
    [](float) { return 0.0F; },
    [](float) { return 1.0F; },
    [](float) { return -1.0F; },
    [](float) { return 2.0F; },
    [](float) { return 0.5F; },
    [](float x) { return std::isfinite(x) ? std::trunc(x) : x; },
    [](float x) { return rounded(x, 1); },
    [](float x) { return rounded(x, 2); },
    [](float x) { return rounded(x, 3); },
};
/// Those that make sense of many numbers at once.
constexpr std::array<std::size_t, 5> ways_of_groups = {0, 1, 5, 6, 7};

/// Makes every number plainer, where it can, in the arrays that are chosen.
using ArrayChoice = std::function<bool(Index number, const Array& array)>;
std::optional<Case> with_arrays(const Case& base, Way way, const ArrayChoice& chosen) {
    Case plainer = base;
    bool changed = false;
    Index number = 0;
    for_each_array(plainer, [&](const Array& array, std::vector<float>& numbers) {
        if (!chosen(number++, array)) return;
        for (Index i = array.begin; i < array.end; ++i) {
            float& x = numbers[std::size_t(i)];
            const float plain = way(x);
            if (rank_of(plain) >= rank_of(x)) continue;
            x = plain;
            changed = true;
        }
    });
    if (!changed) return std::nullopt;
    return plainer;
}

std::optional<Case> with_number(const Case& base, Index number, Index index, float plain) {
    Case plainer = base;
    Index n = 0;
    for_each_array(plainer, [&](const Array& array, std::vector<float>& numbers) {
        if (n++ == number) numbers[std::size_t(array.begin + index)] = plain;
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

Case with_fresh_numbers(const Case& base) {
    constexpr std::array<float, 7> fresh = {1.0F, -1.0F, 2.0F, 0.5F, 3.0F, -2.0F, 0.25F};
    Case result = base;
    std::size_t n = 0;
    for_each_array(result, [&](const Array& array, std::vector<float>& numbers) {
        for (Index i = array.begin; i < array.end; ++i, n += 3) {
            float& x = numbers[std::size_t(i)];
            if (std::isfinite(x)) x = fresh[n % fresh.size()];
        }
    });
    return result;
}

std::vector<Candidate> plainer_groups(const Shared& base) {
    Index arrays = 0;
    for_each_array(*base, [&](const Array&, const auto&) { ++arrays; });
    Candidates list;
    const auto add = [&](Way way, const ArrayChoice& chosen) {
        list.add([=] { return with_arrays(*base, way, chosen); });
    };
    for (const std::size_t way : ways_of_groups) {
        list.begin_pass();
        add(ways[way], [](Index, const Array&) { return true; });
        for (const TokenArray& array : input_arrays(base->spec.level)) {
            add(ways[way],
                [role = array.role](Index, const Array& one) { return one.role == role; });
        }
        add(ways[way], [](Index, const Array& one) { return one.role == Role::parameter; });
    }
    // Neighbours, from halves down to single arrays.
    for (Index size = (arrays + 1) / 2;; size = (size + 1) / 2) {
        list.begin_pass();
        for (Index begin = 0; begin < arrays; begin += size) {
            list.mark(begin);
            for (const std::size_t way : ways_of_groups) {
                add(ways[way],
                    [=](Index n, const Array&) { return n >= begin && n < begin + size; });
            }
        }
        if (size <= 1) break;
    }
    return list.take();
}

std::vector<Candidate> plainer_numbers(const Shared& base) {
    Candidates list;
    Index number = 0;
    for_each_array(*base, [&](const Array& array, const std::vector<float>& numbers) {
        for (Index i = array.begin; i < array.end; ++i) {
            const float x = numbers[std::size_t(i)];
            const Index index = i - array.begin;
            for (std::size_t way = 0; way < ways.size(); ++way) {
                const float plain = ways[way](x);
                if (rank_of(plain) >= rank_of(x)) continue;
                list.mark(number, index, Index(way));
                list.add([=] { return std::optional(with_number(*base, number, index, plain)); });
            }
        }
        ++number;
    });
    return list.take();
}

}  // namespace kvcheck
