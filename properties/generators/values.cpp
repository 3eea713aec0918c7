// SPDX-License-Identifier: Apache-2.0
// Families of numbers (declared in values.hpp).
#include "properties/generators/values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/types/arrays.hpp"
#include "model/walk.hpp"
#include "oracles/sinusoid.hpp"
#include "properties/generators/rotary.hpp"
#include "properties/generators/storage.hpp"

namespace kvcheck {
namespace {

constexpr std::array<std::string_view, std::size_t(family_count)> family_names = {
    "uniform",    "bell",          "small_integers", "decodable", "ties",
    "dominant",   "huge_scores",   "wide",           "subnormal", "special",
    "cancelling", "near_overflow", "vast_scores"};

/// Where a number stands.
struct Site {
    Role role;
    Index row = 0;
    Index slot = 0;
    Index head = 0;
    Index element = 0;
};

float scaled(Index integer, int exponent) { return std::ldexp(float(integer), exponent); }

float draw_uniform(Draw& draw) { return scaled(draw.range(-(1 << 23), (1 << 23) - 1), -23); }

/// The sum of four uniforms, doubled where a few units are wanted.
float draw_bell(Draw& draw, int exponent) {
    Index sum = 0;
    for (int n = 0; n < 4; ++n) sum += draw.range(-(1 << 20), 1 << 20);
    return scaled(sum, exponent - 20);
}

float draw_wide(Draw& draw, int exponent_most) {
    const Index mantissa = draw.range(1 << 22, 1 << 23);
    const Index exponent = draw.range(-exponent_most, exponent_most);
    const Index sign = draw.below(2);
    return scaled(sign == 0 ? mantissa : -mantissa, int(exponent) - 23);
}

float draw_special(Draw& draw) {
    static const std::vector<float> specials = {
        0.0F,      -0.0F,      1.0F,          -1.0F,          2.0F,           0.5F,
        -0.5F,     3.0F,       0x1.000002p0F, 0x1.fffffep-1F, 0x1p-24F,       0x1p-126F,
        0x1p-149F, -0x1p-130F, 0x1p10F,       -0x1p10F,       0x1.555556p-2F, 100.0F};
    return draw.pick(specials);
}

/// Numbers of one family; a fresh one for every case.
class Source {
public:
    Source(const Recipe& recipe, const Spec& spec)
        : family_(recipe.family), draw_(SplitMix(recipe.seed)), variant_(draw_.below(4)) {
        if (family_ == Family::vast_scores) draw_score_exponent(recipe, spec);
    }

    float number(const Site& site) {
        if (site.role == Role::parameter) return parameter();
        const bool is_value = site.role == Role::value || site.role == Role::x;
        switch (family_) {
            case Family::uniform:
                return draw_uniform(draw_);
            case Family::bell:
                return draw_bell(draw_, 0);
            case Family::small_integers:
                return float(draw_.range(-3, 3));
            case Family::decodable:
                return decodable(site, is_value);
            case Family::ties:
                return ties(site);
            case Family::dominant:
                return dominant(site);
            case Family::huge_scores:
                return is_value ? draw_bell(draw_, 0) : draw_bell(draw_, 6);
            case Family::wide:
                return draw_wide(draw_, is_value ? 20 : 6);
            case Family::subnormal:
                return subnormal(site.role);
            case Family::special:
                return draw_special(draw_);
            case Family::cancelling:
                return cancelling(site, is_value);
            case Family::near_overflow:
                return is_value && site.role == Role::value ? scaled(draw_.range(-127, 127), 113)
                                                            : draw_bell(draw_, 0);
            case Family::vast_scores:
                return vast(site.role);
        }
        return 0;
    }

    /// Contents of a padded token: zero, of the family, large, or (where nobody may see it) not
    /// finite.
    float padding(const Site& site, bool nonfinite) {
        switch (draw_.below(nonfinite ? 4 : 3)) {
            case 0:
                return 0;
            case 1:
                return number(site);
            case 2:
                return draw_wide(draw_, 30);
            default: {
                static const std::vector<float> poisons = {std::numeric_limits<float>::quiet_NaN(),
                                                           std::numeric_limits<float>::infinity(),
                                                           -std::numeric_limits<float>::infinity()};
                return draw_.pick(poisons);
            }
        }
    }

    /// Of one head: powers of two as they are usual, others, and negative ones.
    float slope() {
        static const std::vector<float> slopes = {0.5F, 0.25F,       0.0625F, 0.00390625F, 1.0F,
                                                  2.0F, 0.70710677F, 0.1F,    -0.5F,       0.0F};
        return draw_.pick(slopes);
    }
    /// Far below the scores, among them, above them; or all zero, for which some have a name.
    void draw_sinks(std::vector<float>& sinks) {
        static const std::vector<float> telling = {0.0F,   1.0F,    -1.0F,    3.5F,
                                                   100.0F, -100.0F, -10000.0F};
        if (sinks.empty()) return;
        const bool all_zero = draw_.percent(15);
        for (float& sink : sinks) {
            const float usual = draw_bell(draw_, 0);
            const float other = draw_.pick(telling);
            const bool is_usual = draw_.percent(50);
            sink = all_zero ? 0 : is_usual ? usual : other;
        }
    }

private:
    float parameter() { return variant_ == 0 ? float(draw_.range(-2, 2)) : draw_bell(draw_, -1); }

    float decodable(const Site& site, bool is_value) {
        if (!is_value) return float(draw_.range(-2, 2));
        return float(((site.row + 1) * 32 + site.slot) * 8 + site.head) + scaled(site.element, -5);
    }

    float ties(const Site& site) {
        if (site.role != Role::key) return draw_bell(draw_, 0);
        return site.slot % 2 == 0 ? scaled(site.element + 1, -2) : scaled(2 - site.element, -1);
    }

    float dominant(const Site& site) {
        if (site.role == Role::query) return scaled(draw_.range(1, 8), -2);
        if (site.role == Role::key && site.slot % 4 == variant_)
            return scaled(draw_.range(8, 64), 0);
        return draw_bell(draw_, -1);
    }

    float subnormal(Role role) {
        if (role == Role::value || role == Role::x) return scaled(draw_.range(-4096, 4096), -149);
        // Products of query and key that underflow, or a tiny one against a large one.
        if (variant_ % 2 == 0) return scaled(draw_.range(-255, 255), -70);
        return scaled(draw_.range(-255, 255), role == Role::query ? -140 : 120);
    }

    float cancelling(const Site& site, bool is_value) {
        const Index sign = (is_value ? site.slot : site.element) % 2 == 0 ? 1 : -1;
        const float large = float(sign) * 1024.0F;
        if (site.role == Role::query) return 32.0F;
        return large + draw_bell(draw_, 0);
    }

    /// A score is a sum of Dk products times the scale; the largest must stay below overflow.
    void draw_score_exponent(const Recipe& recipe, const Spec& spec) {
        constexpr int exponent_least = 30;
        constexpr int exponent_most = 121;  // of q * k, each of which may be half a power larger
        int reserve = 0;
        const double scale = std::max(1.0F, std::fabs(spec.scale.value_or(1.0F)));
        while (std::ldexp(1.0, reserve) < double(spec.key_width) * scale) ++reserve;
        const int most = exponent_most - reserve;
        const Index drawn = draw_.range(exponent_least, most);
        const Index more = draw_.below(8);
        score_exponent_ = int(drawn);
        if (recipe.score_exponent == 0) return;
        score_exponent_ = std::min(recipe.score_exponent + int(more), most);
        variant_ = 0;
    }

    /// Scores all negative, all positive, or of any sign.
    float vast(Role role) {
        if (role == Role::value) return draw_bell(draw_, 0);
        const Index mantissa = draw_.range(1 << 22, (1 << 22) + (1 << 21));
        const Index other_sign = draw_.below(2);
        const int half = score_exponent_ / 2;
        if (role == Role::key) {
            const bool negative = variant_ < 2 || (variant_ == 3 && other_sign == 0);
            return scaled(negative ? -mantissa : mantissa, score_exponent_ - half - 22);
        }
        const bool negative = role == Role::x && other_sign == 0;
        return scaled(negative ? -mantissa : mantissa, half - 22);
    }

    Family family_;
    Draw draw_;
    Index variant_;
    int score_exponent_ = 0;
};

void fill_token(const Spec& spec, Token& token, Site site, Source& source, bool nonfinite) {
    const bool computed = spec.padded_query == PaddedQuery::computed;
    for_each_input(spec, [&](const TokenArray& array, Index begin, Index) {
        site.role = array.role;
        const bool asks = array.role == Role::query || array.role == Role::x;
        const bool seen = token.real || (asks && computed);
        const AxisExtent extent = extent_of(array.axis, spec);
        for (site.head = 0; site.head < extent.heads; ++site.head) {
            for (site.element = 0; site.element < extent.width; ++site.element) {
                float& number =
                    token.input[std::size_t(begin + site.head * extent.width + site.element)];
                number = seen ? source.number(site) : source.padding(site, nonfinite);
            }
        }
    });
}

}  // namespace

std::string_view name_of(Family family) { return family_names[std::size_t(family)]; }

void fill_values(Case& test_case, const Recipe& recipe, bool nonfinite_padding) {
    const Spec& spec = test_case.spec;
    Source source(recipe, spec);
    Parameters& parameters = test_case.parameters;
    for (const ParameterArray& array : parameter_arrays()) {
        const bool is_table = &array.in(parameters) == &parameters.position_table;
        if (is_table && spec.position_signal == PositionSignal::sinusoidal) {
            parameters.position_table =
                sinusoidal_table(position_count(spec, parameters), spec.model_width);
            continue;
        }
        if (&array.in(parameters) == &parameters.rotary_table && array.exists(spec)) {
            constexpr std::uint64_t apart = 0x9e3779b97f4a7c15U;  // from the numbers of the family
            Draw draw(SplitMix(recipe.seed ^ apart));
            const Index positions = position_count(spec, parameters);
            parameters.rotary_table = holds_a_shift(test_case)
                                          ? draw_quarter_turns(draw, positions, spec.turned_width())
                                          : draw_rotary_table(draw, positions, spec.turned_width());
            continue;
        }
        std::vector<float>& numbers = array.in(parameters);
        if (&numbers == &parameters.slopes) {
            for (float& slope : numbers) slope = source.slope();
        } else if (&numbers == &parameters.sinks) {
            source.draw_sinks(numbers);
        } else {
            for (float& number : numbers) number = source.number({Role::parameter});
        }
    }
    for_each_token(test_case, [&](const TokenSite& site, Token& token) {
        fill_token(spec, token, {Role::x, site.row, site.slot}, source, nonfinite_padding);
    });
    fit_storage(test_case, recipe.seed);
}

}  // namespace kvcheck
