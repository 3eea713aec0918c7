// SPDX-License-Identifier: Apache-2.0
// Drawing it (declared in storage.hpp).
#include "properties/generators/storage.hpp"

#include <bit>
#include <cmath>

#include "model/types/arrays.hpp"
#include "model/walk.hpp"
#include "properties/generators/calls.hpp"

namespace kvcheck {
namespace {

/// From here on the sum of equal weights stands still in a format: 2^digits and one.
Index standstill(Storage storage) { return storage == Storage::bf16 ? 257 : 2049; }

/// A long row in few calls, in the place of what was drawn.
void make_long(Draw& draw, FeatureSet allowed, Case& test_case) {
    Spec& spec = test_case.spec;
    const Index more = draw.pick(std::vector<Index>{0, 0, 43});
    const Index width = draw.range(1, 2);
    const bool in_one_call = draw.percent(50);
    const Index length = standstill(spec.storage) + (spec.storage == Storage::bf16 ? more : 0);
    const Storage storage = spec.storage;
    const DeadRow dead_row = spec.dead_row;
    spec = {};
    spec.storage = storage;
    spec.dead_row = dead_row;
    spec.key_width = spec.value_width = width;
    spec.capacity = length;
    test_case.program.clear();
    const bool warm = allowed.has(Feature::warm_chunks) && !in_one_call;
    const std::vector<Index> ends = {0, warm ? length / 2 : length - 1, length};
    append_calls(test_case, {RowSlots(std::size_t(length), true)}, {ends}, false);
    test_case.parameters = zero_parameters(spec, length);
}

/// What a case's numbers are like.
enum class ValueKind { plain, ties, small, scaled };

class Fitter {
public:
    Fitter(const Spec& spec, std::uint64_t seed)
        : spec_(spec),
          draw_(SplitMix(seed)),
          kind_(ValueKind(draw_.below(4))),
          outlier_(draw_.below(std::max(spec.key_width, spec.value_width))),
          exponent_(int(draw_.range(-20, 10))) {}

    bool is_half() const { return spec_.storage == Storage::fp16; }
    bool is_int8() const { return spec_.storage == Storage::int8; }

    float number(Role role, Index element, float x) {
        if (!std::isfinite(x)) return x;
        switch (kind_) {
            case ValueKind::plain:
                break;
            case ValueKind::ties:
                x = is_int8() ? near_half(element) : near_tie(x);
                break;
            case ValueKind::small:
                // Keys stay as they are in half of the rows, so that scores still tell them apart.
                if (role == Role::value || draw_.percent(50)) x = is_int8() ? small() : subnormal();
                break;
            case ValueKind::scaled:
                if (std::fabs(x) >= std::ldexp(1.0F, 60)) break;  // products are near overflow
                if (element == outlier_) x = std::ldexp(x, 6);
                if (role == Role::value) x = std::ldexp(x, exponent_);
                break;
        }
        return fitting(x);
    }

    /// An element of a layer's input: small enough for its projections, or as small as to make them
    /// subnormal halves.
    float input(float x) const {
        if (!std::isfinite(x) || !is_half()) return x;
        constexpr int most = 6;
        if (std::fabs(x) >= std::ldexp(1.0F, most)) x = with_exponent(x, most);
        return kind_ == ValueKind::small ? std::ldexp(x, -20) : x;
    }

private:
    static float with_exponent(float x, int exponent) {
        int own = 0;
        return std::ldexp(std::frexp(x, &own), exponent);
    }

    float fitting(float x) const {
        if (std::fabs(x) < overflow_of(spec_.storage)) return x;
        return with_exponent(x, is_half() ? 15 : 127);
    }

    /// The digits that are lost become a half, or a little more or less.
    float near_tie(float x) {
        const Index beside = draw_.range(-1, 1);
        const int lost = is_half() ? 13 : 16;
        const auto bits = std::bit_cast<std::uint32_t>(fitting(x));
        const std::uint32_t kept = bits >> unsigned(lost) << unsigned(lost);
        const std::uint32_t half = std::uint32_t{1} << unsigned(lost - 1);
        return std::bit_cast<float>(kept + half + std::uint32_t(beside));
    }

    /// Up to a few times the smallest normal number of the format, with digits beyond its last.
    float subnormal() {
        const Index integer = draw_.range(-4095, 4095);
        return std::ldexp(float(integer), is_half() ? -26 : -136);
    }

    /// 127 units in the first element and in the others half an integer of them, or a little more
    /// or less.
    float near_half(Index element) {
        const Index half = 2 * draw_.range(-127, 126) + 1;
        const Index beside = draw_.range(-1, 1);
        if (element == 0) return std::ldexp(127.0F, exponent_);
        return std::ldexp(float((half << 16U) + beside), exponent_ - 17);
    }

    /// Numbers whose scale is still a normal one.
    float small() {
        const Index integer = draw_.range(-4095, 4095);
        return std::ldexp(float(integer), -110);
    }

    const Spec& spec_;
    Draw draw_;
    ValueKind kind_;
    Index outlier_;
    int exponent_;  // of values
};

}  // namespace

void draw_storage(Draw& draw, FeatureSet allowed, bool may_be_long, Case& test_case) {
    if (!allowed.has_any({Feature::bf16_storage, Feature::fp16_storage, Feature::int8_storage}))
        return;
    const Index chance = draw.below(100);
    const bool is_long = draw.percent(2);
    Storage storage = Storage::element;
    if (chance < 6 && allowed.has(Feature::bf16_storage)) storage = Storage::bf16;
    if (chance >= 6 && chance < 14 && allowed.has(Feature::fp16_storage)) storage = Storage::fp16;
    if (chance >= 14 && chance < 20 && allowed.has(Feature::int8_storage)) storage = Storage::int8;
    // Turned keys that are integers times a scale are no case for a shift.
    const bool is_turned = test_case.spec.rotary != Rotary::none;
    if (storage == Storage::int8 && is_turned && holds_a_shift(test_case))
        storage = Storage::element;
    test_case.spec.storage = storage;
    const bool is_attention = test_case.spec.level == Level::attention;
    const bool stands_still = storage == Storage::bf16 || storage == Storage::fp16;
    if (is_long && may_be_long && stands_still && is_attention) make_long(draw, allowed, test_case);
}

void fit_storage(Case& test_case, std::uint64_t seed) {
    const Spec& spec = test_case.spec;
    if (spec.storage == Storage::element) return;
    constexpr std::uint64_t apart = 0xd1b54a32d192ed03U;  // from the numbers of the family
    Fitter fitter(spec, seed ^ apart);
    const bool is_long = longest_row(test_case) >= standstill(Storage::bf16);
    for_each_token(test_case, [&](const TokenSite&, Token& token) {
        for_each_input(spec, [&](const TokenArray& array, Index begin, Index end) {
            const Index width = extent_of(array.axis, spec).width;
            for (Index i = begin; i < end; ++i) {
                float& x = token.input[std::size_t(i)];
                if (array.role == Role::x)
                    x = fitter.input(x);
                else if (array.role != Role::query)
                    x = fitter.number(array.role, (i - begin) % width, x);
                else if (is_long && std::isfinite(x))
                    x = 0;  // equal scores
            }
        });
    });
}

}  // namespace kvcheck
