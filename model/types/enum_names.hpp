// SPDX-License-Identifier: Apache-2.0
// How the enumerations of the plain types are spelled in files, in the protocol and in reports:
// entry i of a table names the value i. A value without a name does not compile.
#pragma once

#include <array>
#include <string_view>

#include "model/types/spec.hpp"
#include "model/types/view.hpp"

namespace kvcheck {

template <class Enum>
struct EnumNames;

template <>
struct EnumNames<Level> {
    static constexpr std::array<std::string_view, 2> names = {"attention", "layer"};
    static_assert(names.size() == std::size_t(Level::layer) + 1);
};
template <>
struct EnumNames<PositionSignal> {
    static constexpr std::array<std::string_view, 3> names = {"none", "sinusoidal", "learned"};
    static_assert(names.size() == std::size_t(PositionSignal::learned) + 1);
};
template <>
struct EnumNames<Rotary> {
    static constexpr std::array<std::string_view, 3> names = {"none", "halves", "adjacent"};
    static_assert(names.size() == std::size_t(Rotary::adjacent) + 1);
};
template <>
struct EnumNames<PositionIds> {
    static constexpr std::array<std::string_view, 2> names = {"slot", "visible_count"};
    static_assert(names.size() == std::size_t(PositionIds::visible_count) + 1);
};
template <>
struct EnumNames<PaddedQuery> {
    static constexpr std::array<std::string_view, 2> names = {"unspecified", "computed"};
    static_assert(names.size() == std::size_t(PaddedQuery::computed) + 1);
};
template <>
struct EnumNames<DeadRow> {
    static constexpr std::array<std::string_view, 3> names = {"zeros", "nan", "unspecified"};
    static_assert(names.size() == std::size_t(DeadRow::unspecified) + 1);
};
template <>
struct EnumNames<Storage> {
    static constexpr std::array<std::string_view, 4> names = {"element", "bf16", "fp16", "int8"};
    static_assert(names.size() == std::size_t(Storage::int8) + 1);
};
template <>
struct EnumNames<ElementType> {
    static constexpr std::array<std::string_view, 2> names = {"f32", "f64"};
    static_assert(names.size() == std::size_t(ElementType::f64) + 1);
};

/// The spelling of an enumerator.
template <class Enum>
constexpr std::string_view name_of(Enum value) requires requires {
    EnumNames<Enum>::names;
}
{ return EnumNames<Enum>::names[std::size_t(value)]; }

}  // namespace kvcheck
