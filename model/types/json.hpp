// SPDX-License-Identifier: Apache-2.0
// The JSON form of the plain types, shared by case files and by whatever speaks to another process.
// Floats are the shortest decimals that read back as the same float; what JSON has no number for is
// a string: "nan", "inf", "-inf", "-0". Every reader throws InputError with the path of the
// trouble, and reads nothing it does not check: unknown members are errors, sizes are compared with
// the text at hand before anything is allocated. docs/case_file.md describes the result. The JSON
// library is only declared here; whoever builds or takes apart a value includes it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/types/parameters.hpp"
#include "model/types/spec.hpp"

namespace kvcheck {

using Json = nlohmann::ordered_json;

/// A JSON value together with its path, for messages.
class JsonPlace {
public:
    JsonPlace(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

    const Json& value() const { return *value_; }
    const std::string& path() const { return path_; }

    [[noreturn]] void fail(const std::string& expected) const;

    /// The member `name`; throws where this is no object or has no such member.
    JsonPlace member(std::string_view name) const;
    std::optional<JsonPlace> optional_member(std::string_view name) const;
    /// Throws where the object has a member that is not in `names`.
    void only_members(const std::vector<std::string_view>& names) const;
    /// The elements; throws where this is no array.
    std::vector<JsonPlace> elements() const;

    std::string string() const;
    bool boolean() const;
    Index integer(Index least, Index most) const;
    float number() const;
    /// Likewise where NaN and infinity mean nothing.
    float finite_number() const;

private:
    std::optional<float> finite() const;

    const Json* value_;
    std::string path_;
};

/// How a float is spelled. Both read back as the same float; only the exact one also reads as the
/// same number in a language whose numbers are doubles.
enum class Decimals { shortest, exact };

Json to_json(float value, Decimals decimals = Decimals::shortest);
Json to_json(const Spec& spec, Decimals decimals = Decimals::shortest);
Json to_json(const Spec& spec, const Parameters& parameters,
             Decimals decimals = Decimals::shortest);
Spec spec_from_json(const JsonPlace& place);
Parameters parameters_from_json(const Spec& spec, const JsonPlace& place);

/// Row-major numbers as nested arrays of the given extents, and back.
Json nested_json(const std::vector<float>& values, const std::vector<Index>& extents,
                 Decimals decimals = Decimals::shortest);
using ReadNumber = float (JsonPlace::*)() const;
std::vector<float> nested_from_json(const JsonPlace& place, const std::vector<Index>& extents,
                                    ReadNumber read_number = &JsonPlace::number);

/// Parses text; throws InputError naming `place` and the offset of the first error.
Json parse_json(const std::string& text, const std::string& place);

/// The text a person can read: short values on one line, long ones broken.
std::string readable_text(const Json& value);

}  // namespace kvcheck
