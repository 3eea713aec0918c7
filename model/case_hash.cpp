// SPDX-License-Identifier: Apache-2.0
// One walk over the values of a case (declared in case_hash.hpp). Fields come from the tables of
// records, arrays and commands that also make files, or from structured bindings: what is added to
// a case is hashed, or does not compile.
#include "model/case_hash.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "model/commands/command_json.hpp"
#include "model/types/arrays.hpp"
#include "model/types/hash.hpp"
#include "model/types/spec_fields.hpp"

namespace kvcheck {
namespace {

static_assert(std::numeric_limits<float>::is_iec559, "the bits of a float are those of IEEE 754");

/// Takes values one after the other. Of each list its length comes first, so that no two cases are
/// the same row of words.
class Words {
public:
    void add(std::uint64_t word) { hash_ = mixed(word, hash_); }
    void add(Index number) { add(std::uint64_t(number)); }
    void add(bool flag) { add(std::uint64_t(flag ? 1 : 0)); }
    void add(float number) {
        const float one = std::isnan(number) ? std::numeric_limits<float>::quiet_NaN() : number;
        add(std::uint64_t(std::bit_cast<std::uint32_t>(one)));
    }
    template <class Enum>
    void add(Enum value) requires std::is_enum_v<Enum> {
        add(std::uint64_t(value));
    }
    template <class Value>
    void add(const std::optional<Value>& value) {
        add(value.has_value());
        if (value) add(*value);
    }
    template <class Value>
    void add(const std::vector<Value>& values) {
        add(std::uint64_t(values.size()));
        for (const Value& value : values) add(value);
    }
    void add(const std::string_view& text) {
        add(std::uint64_t(text.size()));
        add(fnv1a(text));
    }
    void add(const Token& token) {
        const auto& [real, input, back] = token;
        add(Index(real ? 1 : 0) + 2 * (back - 1));
        add(input);
    }
    void add(const Append& append) {
        const auto& [rows, query_offset] = append;
        add(rows);
        add(query_offset);
    }
    void add(const Command& command) {
        add(name_of(command));
        const auto* const append = std::get_if<Append>(&command);
        if (append != nullptr) return add(*append);
        // They are few and small, and their text has the only list of their fields; of a reload its
        // name is all there is.
        if (!std::holds_alternative<Reload>(command)) add(fields_json(command).dump());
    }
    void add(const Spec& spec) {
        for_each_field(spec, [this](const SpecField&, const auto& value) { add(value); });
    }
    void add(const Parameters& parameters) {
        for (const ParameterArray& array : parameter_arrays()) add(array.in(parameters));
    }

    std::uint64_t hash() const { return hash_; }

private:
    std::uint64_t hash_ = fnv_basis;
};

}  // namespace

std::uint64_t hash_of(const Case& test_case) {
    const auto& [spec, parameters, program] = test_case;
    Words words;
    words.add(spec);
    words.add(parameters);
    words.add(program);
    return words.hash();
}

std::uint64_t stream_hash(std::uint64_t before, const Case& next) {
    return mixed(hash_of(next), before);
}

}  // namespace kvcheck
