// SPDX-License-Identifier: Apache-2.0
// Arrays, claims and capabilities as JSON (declared in wire.hpp).
#include "impl/protocol/wire.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "impl/protocol/frame.hpp"
#include "model/types/enum_names.hpp"
#include "model/types/error.hpp"
#include "model/types/shown.hpp"

namespace kvcheck {
namespace {

Json number_json(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    if (value == 0 && std::signbit(value)) return "-0";
    return value;
}

double number_of(const JsonPlace& place) {
    const Json& value = place.value();
    if (value.is_number()) return value.get<double>();
    if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (value == "inf") return std::numeric_limits<double>::infinity();
    if (value == "-inf") return -std::numeric_limits<double>::infinity();
    if (value == "-0") return -0.0;
    place.fail("a number, or one of \"nan\", \"inf\", \"-inf\", \"-0\", or null");
}

ElementType element_from_wire(const JsonPlace& place) {
    const std::string text = place.string();
    if (text == "f32") return ElementType::f32;
    if (text != "f64") place.fail("\"f32\" or \"f64\"");
    return ElementType::f64;
}

bool follows_from_the_element(const ProfileField& field) { return field.name == "digits"; }

void read_field(const JsonPlace& place, double& field) { field = number_of(place); }
void read_field(const JsonPlace& place, bool& field) { field = place.boolean(); }
void read_field(const JsonPlace& place, int& field) { field = int(place.integer(0, extent_max)); }

/// Element `offset`. A wrong call's view may claim a type that its memory is not aligned for.
template <class Scalar>
Scalar load(const std::byte* data, Index offset) {
    Scalar value;
    std::memcpy(&value, data + offset * Index(sizeof value), sizeof value);
    return value;
}
template <class Scalar>
void store(std::byte* data, Index offset, Scalar value) {
    std::memcpy(data + offset * Index(sizeof value), &value, sizeof value);
}

}  // namespace

Json wire_json(const InputView& view) {
    const auto build = [&](const auto& self, int dimension, Index offset) -> Json {
        if (dimension == view.shape.rank) {
            if (view.type == ElementType::f64) return number_json(load<double>(view.data, offset));
            return to_json(load<float>(view.data, offset), Decimals::exact);
        }
        const auto d = std::size_t(dimension);
        Json array = Json::array();
        for (Index i = 0; i < view.shape.extent[d]; ++i) {
            array.push_back(self(self, dimension + 1, offset + i * view.stride[d]));
        }
        return array;
    };
    return build(build, 0, 0);
}

void read_wire(const JsonPlace& place, const OutputView& view) {
    const auto read = [&](const auto& self, const JsonPlace& at, int dimension,
                          Index offset) -> void {
        if (dimension == view.shape.rank) {
            if (at.value().is_null()) return;
            const double number = number_of(at);
            if (view.type == ElementType::f64)
                store(view.data, offset, number);
            else
                store(view.data, offset, float(number));
            return;
        }
        if (at.value().is_null()) return;
        const auto d = std::size_t(dimension);
        const auto elements = at.elements();
        if (Index(elements.size()) != view.shape.extent[d]) {
            at.fail("an array of " + std::to_string(view.shape.extent[d]));
        }
        for (Index i = 0; i < view.shape.extent[d]; ++i) {
            self(self, elements[std::size_t(i)], dimension + 1, offset + i * view.stride[d]);
        }
    };
    read(read, place, 0, 0);
}

Json wire_json(const ViewClaim& claim) {
    Json shape = Json::array();
    Json stride = Json::array();
    for (std::size_t i = 0; i < std::size_t(claim.shape.rank); ++i) {
        shape.push_back(claim.shape.extent[i]);
        stride.push_back(claim.placement.stride[i]);
    }
    return {{"element", name_of(claim.type)},
            {"shape", shape},
            {"stride", stride},
            {"offset", claim.placement.offset}};
}

const char* ViewClaim::too_much() const {
    Index span = 1;
    Index elements = 1;  // also where they share their memory, or an extent of zero hides them
    for (std::size_t i = 0; i < std::size_t(shape.rank); ++i) {
        const Index stride = placement.stride[i];
        if (stride > 0 && shape.extent[i] + 1 > span_max / stride) return "less memory";
        span += (shape.extent[i] + 1) * stride;
        elements = std::min(elements, span_max + 1) * std::max<Index>(1, shape.extent[i]);
    }
    if (span > span_max) return "less memory";
    if (elements > span_max) return "fewer elements";
    return nullptr;
}

ViewClaim claim_from_wire(const JsonPlace& place) {
    place.only_members({"element", "shape", "stride", "offset"});
    ViewClaim claim;
    claim.type = element_from_wire(place.member("element"));
    claim.placement.offset = place.member("offset").integer(0, ViewClaim::offset_max);
    const auto extents = place.member("shape").elements();
    const auto strides = place.member("stride").elements();
    if (extents.size() > claim.shape.extent.size() || strides.size() != extents.size()) {
        place.fail("at most four extents and as many strides");
    }
    claim.shape.rank = int(extents.size());
    for (std::size_t i = 0; i < extents.size(); ++i) {
        claim.shape.extent[i] = extents[i].integer(0, ViewClaim::span_max);
        claim.placement.stride[i] = strides[i].integer(0, ViewClaim::span_max);
    }
    if (const char* const less = claim.too_much()) place.fail(less);
    return claim;
}

Json wire_json(const Capabilities& capabilities, const Manners& manners) {
    Json json;
    json["protocol"] = 1;
    json["name"] = capabilities.name;
    json["version"] = capabilities.version;
    json["features"] = list_of_features(capabilities.features);
    json["element"] = name_of(capabilities.element);
    if (manners.has_memory) json["memory"] = true;
    if (manners.takes_frames) json["frames"] = frame_version;
    for_each_field(capabilities.profile, [&](const ProfileField& field, const auto& value) {
        if (follows_from_the_element(field)) return;
        json["profile"][std::string(field.name)] = value;
    });
    return json;
}

Capabilities capabilities_from_wire(const JsonPlace& place) {
    place.only_members(
        {"protocol", "name", "version", "features", "element", "memory", "frames", "profile"});
    const JsonPlace protocol = place.member("protocol");
    if (!protocol.value().is_number_integer() || protocol.value() != 1)
        protocol.fail("1, the protocol that this program speaks");
    Capabilities capabilities;
    capabilities.name = shown(place.member("name").string());
    if (const auto version = place.optional_member("version"))
        capabilities.version = shown(version->string());
    std::vector<std::string> words;
    for (const JsonPlace& name : place.member("features").elements()) {
        words.push_back(name.string());
    }
    capabilities.features = features_of_list(words, [&](const std::string& word) {
        for (const JsonPlace& name : place.member("features").elements()) {
            if (name.string() == word) name.fail("a feature that `kvcheck list` shows");
        }
    });
    if (const std::string both = contradiction_in(capabilities.features); !both.empty())
        throw InputError(place.member("features").path(), both, "one of them");
    if (const auto element = place.optional_member("element")) {
        capabilities.element = element_from_wire(*element);
    }
    capabilities.profile = profile_of_digits(capabilities.element == ElementType::f32 ? 24 : 53);
    if (const auto profile = place.optional_member("profile")) {
        std::vector<std::string_view> known;
        for_each_field(capabilities.profile, [&](const ProfileField& field, const auto&) {
            if (!follows_from_the_element(field)) known.push_back(field.name);
        });
        profile->only_members(known);
        for_each_field(capabilities.profile, [&](const ProfileField& field, auto& value) {
            if (follows_from_the_element(field)) return;
            if (const auto member = profile->optional_member(field.name)) {
                read_field(*member, value);
            }
        });
        validate(capabilities.profile, profile->path());
    }
    return capabilities;
}

Manners manners_from_wire(const JsonPlace& place) {
    Manners manners;
    if (const auto memory = place.optional_member("memory")) manners.has_memory = memory->boolean();
    if (const auto frames = place.optional_member("frames")) {
        // A later version is none that this program speaks; lines are.
        constexpr Index any = std::numeric_limits<Index>::max();
        manners.takes_frames = frames->integer(1, any) == frame_version;
    }
    return manners;
}

}  // namespace kvcheck
