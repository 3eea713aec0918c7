// SPDX-License-Identifier: Apache-2.0
// The arrays of a case as lists: what a token brings and yields at a level, and what parameters
// exist. Files, children, guarded memory, admission, generators and shrinkers walk these lists; the
// mathematics (oracles, subjects) goes on naming its arrays itself, on purpose.
#pragma once

#include <string_view>
#include <vector>

#include "model/types/parameters.hpp"
#include "model/types/spec.hpp"
#include "model/types/view.hpp"

namespace kvcheck {

/// A dimension along which numbers lie: [heads][width] flattened.
enum class Axis {
    query,     // [H][Dk]
    key,       // [Hkv][Dk]
    value,     // [Hkv][Dv]
    attended,  // [H][Dv]
    model,     // [1][D]
    heads,     // [H][1]
    turned,    // [1][w], of the rotary table
};

struct AxisExtent {
    Index heads = 1;
    Index width = 0;
    Index size() const { return heads * width; }
};
AxisExtent extent_of(Axis axis, const Spec& spec);

/// What a number is for.
enum class Role { query, key, value, x, output, parameter };
constexpr std::size_t call_role_count = std::size_t(Role::output) + 1;  // roles of a call's arrays
/// In words, for people: "query".
std::string_view name_of(Role role);

/// One array that a token brings or yields.
struct TokenArray {
    std::string_view name;  // in files and in the protocol: "q"
    Role role;
    Axis axis;
};

/// What a token brings, in the order in which Token::input holds it.
const std::vector<TokenArray>& input_arrays(Level level);
/// What it yields: o[H][Dv] or y[D].
const TokenArray& output_array(Level level);
/// Both: the arrays of a call.
const std::vector<TokenArray>& call_arrays(Level level);

/// Calls visit(array, begin, end): where each array of a token lies in Token::input.
template <class Visit>
void for_each_input(const Spec& spec, const Visit& visit) {
    Index begin = 0;
    for (const TokenArray& array : input_arrays(spec.level)) {
        const Index end = begin + extent_of(array.axis, spec).size();
        visit(array, begin, end);
        begin = end;
    }
}

/// The shape of an array in a call for `tokens`: [rows][tokens][heads][width], or
/// [rows][tokens][width] along the model axis.
Shape call_shape(const TokenArray& array, const Spec& spec, Index tokens);

/// The extents of an array of one token: [heads][width] or [width].
std::vector<Index> token_extents(const TokenArray& array, const Spec& spec);

/// One array of the parameters.
struct ParameterArray {
    std::string_view name;   // of the member of Parameters, and in files: "query"
    std::string_view part;   // "weight" or "bias"; empty where the member is the array itself
    std::vector<Axis> axes;  // [out][in], [out], or [in] below any number of rows
    bool any_rows = false;   // the first dimension is what the array has
    bool (*exists)(const Spec& spec);
    std::vector<float>& (*of)(Parameters& parameters);

    std::vector<float>& in(Parameters& parameters) const { return of(parameters); }
    const std::vector<float>& in(const Parameters& parameters) const {
        return of(const_cast<Parameters&>(parameters));
    }
    /// "query.weight"
    std::string path() const;
    /// Its extents; `rows` where the first is free.
    std::vector<Index> extents(const Spec& spec, Index rows) const;
};

/// All of them, in the order in which values are drawn; those that a spec lacks are empty.
const std::vector<ParameterArray>& parameter_arrays();

}  // namespace kvcheck
