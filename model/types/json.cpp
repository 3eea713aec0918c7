// SPDX-License-Identifier: Apache-2.0
// Reading, writing and refusing JSON (declared in json.hpp).
#include "model/types/json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

#include "model/types/error.hpp"
#include "model/types/ieee.hpp"

namespace kvcheck {
namespace {

/// What was found, short enough for one line.
std::string excerpt(const Json& value) {
    constexpr std::size_t length_max = 60;
    if (value.is_object()) return "an object with " + std::to_string(value.size()) + " members";
    if (value.is_array()) return "an array of " + std::to_string(value.size());
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (text.size() > length_max) text = text.substr(0, length_max) + "...";
    return text;
}

}  // namespace

void JsonPlace::fail(const std::string& expected) const {
    throw InputError(path_, excerpt(*value_), expected);
}

JsonPlace JsonPlace::member(std::string_view name) const {
    if (auto found = optional_member(name)) return *found;
    fail("an object with the member \"" + std::string(name) + "\"");
}

std::optional<JsonPlace> JsonPlace::optional_member(std::string_view name) const {
    if (!value_->is_object()) fail("an object");
    const auto found = value_->find(std::string(name));
    if (found == value_->end()) return std::nullopt;
    return JsonPlace(*found, path_ + "." + std::string(name));
}

void JsonPlace::only_members(const std::vector<std::string_view>& names) const {
    if (!value_->is_object()) fail("an object");
    for (const auto& [name, member] : value_->items()) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        std::string expected = "only the members";
        for (const std::string_view allowed : names) expected += " " + std::string(allowed);
        throw InputError(path_, "the member " + excerpt(Json(name)), expected);
    }
}

std::vector<JsonPlace> JsonPlace::elements() const {
    if (!value_->is_array()) fail("an array");
    std::vector<JsonPlace> places;
    places.reserve(value_->size());
    for (std::size_t i = 0; i < value_->size(); ++i) {
        places.emplace_back((*value_)[i], path_ + "[" + std::to_string(i) + "]");
    }
    return places;
}

std::string JsonPlace::string() const {
    if (!value_->is_string()) fail("a string");
    return value_->get<std::string>();
}

bool JsonPlace::boolean() const {
    if (!value_->is_boolean()) fail("true or false");
    return value_->get<bool>();
}

Index JsonPlace::integer(Index least, Index most) const {
    const std::string expected =
        "an integer from " + std::to_string(least) + " to " + std::to_string(most);
    if (!value_->is_number_integer()) fail(expected);
    const bool too_large =
        value_->is_number_unsigned() && value_->get<std::uint64_t>() > std::uint64_t(most);
    const Index value = value_->get<Index>();
    if (too_large || value < least || value > most) fail(expected);
    return value;
}

std::optional<float> JsonPlace::finite() const {
    if (*value_ == "-0") return -0.0F;
    if (!value_->is_number()) return std::nullopt;
    const auto value = value_->get<double>();
    const auto narrowed = float(value);
    if (!std::isfinite(value) || !std::isfinite(narrowed)) return std::nullopt;
    return narrowed;
}

float JsonPlace::number() const {
    if (*value_ == "nan") return std::numeric_limits<float>::quiet_NaN();
    if (*value_ == "inf") return std::numeric_limits<float>::infinity();
    if (*value_ == "-inf") return -std::numeric_limits<float>::infinity();
    const std::optional<float> value = finite();
    if (!value) {
        fail(
            "a float: a number of at most 3.4028235e38 in size, or one of "
            "\"nan\", \"inf\", \"-inf\", \"-0\"");
    }
    return *value;
}

float JsonPlace::finite_number() const {
    const std::optional<float> value = finite();
    if (!value) fail("a finite float: a number of at most 3.4028235e38 in size, or \"-0\"");
    return *value;
}

Json to_json(float value, Decimals decimals) {
    const std::string text = float_text(value);
    if (!std::isfinite(value) || text == "-0") return text;
    // The JSON library prints doubles; the double nearest to the float's own shortest decimal
    // prints as that decimal. Should narrowing it ever miss the float, the float itself is exact.
    const double decimal = std::strtod(text.c_str(), nullptr);
    const bool shortest = decimals == Decimals::shortest && float(decimal) == value;
    const double written = shortest ? decimal : double(value);
    if (written == std::floor(written) && std::fabs(written) < 1e15) return std::int64_t(written);
    return written;
}

Json nested_json(const std::vector<float>& values, const std::vector<Index>& extents,
                 Decimals decimals) {
    Index offset = 0;
    const auto build = [&](const auto& self, std::size_t dimension) -> Json {
        if (dimension == extents.size()) return to_json(values[std::size_t(offset++)], decimals);
        Json array = Json::array();
        for (Index i = 0; i < extents[dimension]; ++i) array.push_back(self(self, dimension + 1));
        return array;
    };
    return build(build, 0);
}

std::vector<float> nested_from_json(const JsonPlace& place, const std::vector<Index>& extents,
                                    ReadNumber read_number) {
    std::vector<float> values;
    const auto read = [&](const auto& self, const JsonPlace& at, std::size_t dimension) -> void {
        if (dimension == extents.size()) {
            values.push_back((at.*read_number)());
            return;
        }
        const std::vector<JsonPlace> elements = at.elements();
        if (Index(elements.size()) != extents[dimension]) {
            at.fail("an array of " + std::to_string(extents[dimension]) + ", as the spec says");
        }
        for (const JsonPlace& element : elements) self(self, element, dimension + 1);
    };
    read(read, place, 0);
    return values;
}

namespace {

/// Deeper nesting than any of our documents has would cost the library's recursion its stack.
bool is_too_deep(const std::string& text) {
    constexpr int depth_max = 64;
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            if (++depth > depth_max) return true;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

/// A callback of the parser: refuses an object with two members of one name, of which the library
/// would keep the last.
class OnlyOnce {
public:
    explicit OnlyOnce(std::string place) : place_(std::move(place)) {}

    bool operator()(int, Json::parse_event_t event, Json& value) {
        using Event = Json::parse_event_t;
        if (event == Event::object_start) names_.emplace_back();
        if (event == Event::object_end) names_.pop_back();
        if (event == Event::key && !names_.back().insert(value.get<std::string>()).second) {
            throw InputError(place_, "the member " + excerpt(value) + " twice in one object",
                             "it once");
        }
        return true;
    }

private:
    std::string place_;
    std::vector<std::set<std::string>> names_;
};

}  // namespace

Json parse_json(const std::string& text, const std::string& place) {
    if (is_too_deep(text)) {
        throw InputError(place, "brackets nested more than 64 deep", "a JSON document of ours");
    }
    const std::size_t nul = text.find('\0');  // where the library would stop reading
    if (nul != std::string::npos) {
        throw InputError(place, "text that stops being JSON at byte " + std::to_string(nul + 1),
                         "a JSON document");
    }
    try {
        return Json::parse(text, OnlyOnce{place});
    } catch (const Json::parse_error& error) {
        throw InputError(place, "text that stops being JSON at byte " + std::to_string(error.byte),
                         "a JSON document");
    } catch (const Json::exception& error) {  // a number that no double holds
        throw InputError(place, error.what(), "a JSON document");
    }
}

std::string readable_text(const Json& value) {
    constexpr std::size_t line_max = 100;
    const auto print = [](const auto& self, const Json& node, std::size_t indent) -> std::string {
        std::string inline_text = node.dump(-1, ' ', true, Json::error_handler_t::replace);
        if (!node.is_structured() || indent + inline_text.size() <= line_max) return inline_text;
        const std::string margin(indent + 1, ' ');
        std::string text;
        for (const auto& [name, member] : node.items()) {
            if (!text.empty()) text += ",\n";
            text += margin;
            if (node.is_object())
                text += Json(name).dump(-1, ' ', true, Json::error_handler_t::replace) + ": ";
            text += self(self, member, indent + 1);
        }
        const bool object = node.is_object();
        return (object ? "{\n" : "[\n") + text + "\n" + std::string(indent, ' ') +
               (object ? "}" : "]");
    };
    return print(print, value, 0) + "\n";
}

}  // namespace kvcheck
