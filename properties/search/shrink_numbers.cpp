// SPDX-License-Identifier: Apache-2.0
// Plainer numbers. First many at once (everything, one kind, one token), then one by one. A
// number's rank orders them: 0, 1, -1, 2, 0.5, small integers, short decimals, the rest.
#include <array>
#include <cmath>
#include <cstdlib>

#include "model/types/ieee.hpp"
#include "properties/search/shrink.hpp"

namespace kvcheck {
namespace {

using Shared = std::shared_ptr<const Case>;

constexpr std::array<float, 5> plain_numbers = {0.0F, 1.0F, -1.0F, 2.0F, 0.5F};

/// Calls `visit(vector, begin, end)` for every stretch of numbers in a case that means one thing.
template <class CaseType, class Visit>
void for_each_stretch(CaseType& value, const Visit& visit) {
    const Spec& spec = value.spec;
    for (auto* projection : {&value.parameters.query, &value.parameters.key,
                             &value.parameters.value, &value.parameters.output}) {
        visit(projection->weight, 0, Index(projection->weight.size()));
        visit(projection->bias, 0, Index(projection->bias.size()));
    }
    visit(value.parameters.position_table, 0, Index(value.parameters.position_table.size()));
    for (auto& command : value.program) {
        auto* append = std::get_if<Append>(&command);
        if (append == nullptr) continue;
        for (auto& row : append->rows) {
            for (auto& token : row) {
                if (spec.level == Level::layer) {
                    visit(token.input, 0, spec.model_width);
                    continue;
                }
                const Index key = spec.query_size();
                const Index values = key + spec.key_size();
                visit(token.input, 0, key);
                visit(token.input, key, values);
                visit(token.input, values, spec.input_size());
            }
        }
    }
}

/// Replaces, in the stretches that `chosen` numbers, whatever is more complicated than `plain`.
std::optional<Case> with_stretches(const Case& value, float plain,
                                   const std::function<bool(int)>& chosen) {
    Case plainer = value;
    bool changed = false;
    int number = 0;
    for_each_stretch(plainer, [&](std::vector<float>& numbers, Index begin, Index end) {
        if (!chosen(number++)) return;
        for (Index i = begin; i < end; ++i) {
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

std::optional<Case> with_number(const Case& value, int stretch, Index index, float plain) {
    Case plainer = value;
    int number = 0;
    for_each_stretch(plainer, [&](std::vector<float>& numbers, Index begin, Index) {
        if (number++ == stretch) numbers[std::size_t(begin + index)] = plain;
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

void add_simpler_numbers(const Shared& value, std::vector<Candidate>& list) {
    int stretches = 0;
    for_each_stretch(*value, [&](const auto&, Index, Index) { ++stretches; });
    // Parameters come first: eight stretches of projections and one of the table.
    constexpr int parameter_stretches = 9;
    const int parts = value->spec.level == Level::layer ? 1 : 3;
    const auto add = [&](float plain, const std::function<bool(int)>& chosen) {
        list.emplace_back([=] { return with_stretches(*value, plain, chosen); });
    };
    for (const float plain : {0.0F, 1.0F}) {
        add(plain, [](int) { return true; });
        for (int part = 0; part < parts; ++part) {
            add(plain, [=](int n) {
                return n >= parameter_stretches && (n - parameter_stretches) % parts == part;
            });
        }
        for (int stretch = 0; stretch < stretches; ++stretch) {
            add(plain, [=](int n) { return n == stretch; });
        }
    }
    int stretch = 0;
    for_each_stretch(*value, [&](const std::vector<float>& numbers, Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            for (const float plain : plainer_numbers(numbers[std::size_t(i)])) {
                const int where = stretch;
                const Index index = i - begin;
                list.emplace_back([=] { return with_number(*value, where, index, plain); });
            }
        }
        ++stretch;
    });
}

}  // namespace kvcheck
