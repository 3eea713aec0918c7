// SPDX-License-Identifier: Apache-2.0
#include "properties/generators/values.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace kvcheck {
namespace {

constexpr std::array<std::string_view, std::size_t(family_count)> family_names = {
    "uniform",     "bell", "small_integers", "decodable", "ties",       "dominant",
    "huge_scores", "wide", "subnormal",      "special",   "cancelling", "near_overflow"};

/// What a number is for; several families treat q, k and v differently.
enum class Role { query, key, value, x, parameter };

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
    explicit Source(const Recipe& recipe)
        : family_(recipe.family), draw_(SplitMix(recipe.seed)), variant_(draw_.below(4)) {}

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

    Family family_;
    Draw draw_;
    Index variant_;
};

void fill_projection(Projection& projection, Source& source) {
    for (float& number : projection.weight) number = source.number({Role::parameter});
    for (float& number : projection.bias) number = source.number({Role::parameter});
}

void fill_token(const Spec& spec, Token& token, Site site, Source& source, bool nonfinite) {
    const bool computed = spec.padded_query == PaddedQuery::computed;
    const auto fill = [&](Role role, Index begin, Index heads, Index width, bool seen) {
        site.role = role;
        for (site.head = 0; site.head < heads; ++site.head) {
            for (site.element = 0; site.element < width; ++site.element) {
                float& number = token.input[std::size_t(begin + site.head * width + site.element)];
                number = token.real || seen ? source.number(site) : source.padding(site, nonfinite);
            }
        }
    };
    if (spec.level == Level::layer) {
        fill(Role::x, 0, 1, spec.model_width, computed);
        return;
    }
    fill(Role::query, 0, spec.query_heads, spec.key_width, computed);
    fill(Role::key, spec.query_size(), spec.kv_heads, spec.key_width, false);
    fill(Role::value, spec.query_size() + spec.key_size(), spec.kv_heads, spec.value_width, false);
}

}  // namespace

std::string_view name_of(Family family) { return family_names[std::size_t(family)]; }

void fill_values(Case& value, const Recipe& recipe, bool nonfinite_padding) {
    Source source(recipe);
    Parameters& parameters = value.parameters;
    fill_projection(parameters.query, source);
    fill_projection(parameters.key, source);
    fill_projection(parameters.value, source);
    fill_projection(parameters.output, source);
    if (value.spec.position_signal == PositionSignal::sinusoidal) {
        parameters.position_table =
            sinusoidal_table(position_count(value.spec, parameters), value.spec.model_width);
    } else {
        for (float& number : parameters.position_table) number = source.number({Role::parameter});
    }
    std::vector<Index> lengths(std::size_t(value.spec.rows), 0);
    for (Command& command : value.program) {
        auto* append = std::get_if<Append>(&command);
        if (append == nullptr) {
            std::fill(lengths.begin(), lengths.end(), 0);
            continue;
        }
        for (std::size_t r = 0; r < append->rows.size(); ++r) {
            for (Token& token : append->rows[r]) {
                fill_token(value.spec, token, {Role::x, Index(r), lengths[r]++}, source,
                           nonfinite_padding);
            }
        }
    }
}

}  // namespace kvcheck
