// SPDX-License-Identifier: Apache-2.0
#include "model/case_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/types/error.hpp"
#include "model/types/json.hpp"

namespace kvcheck {
namespace {

constexpr const char* format_name = "kvcheck case";
constexpr Index format_version = 1;

Json token_json(const Spec& spec, const Token& token) {
    Json json;
    json["real"] = token.real;
    if (spec.level == Level::layer) {
        json["x"] = nested_json(token.input, {spec.model_width});
        return json;
    }
    const auto query_end = token.input.begin() + spec.query_size();
    const auto key_end = query_end + spec.key_size();
    json["q"] = nested_json({token.input.begin(), query_end}, {spec.query_heads, spec.key_width});
    json["k"] = nested_json({query_end, key_end}, {spec.kv_heads, spec.key_width});
    json["v"] = nested_json({key_end, token.input.end()}, {spec.kv_heads, spec.value_width});
    return json;
}

Token token_from_json(const Spec& spec, const JsonPlace& place) {
    Token token;
    token.real = place.member("real").boolean();
    if (spec.level == Level::layer) {
        place.only_members({"real", "x"});
        token.input = nested_from_json(place.member("x"), {spec.model_width});
        return token;
    }
    place.only_members({"real", "q", "k", "v"});
    const auto read = [&](std::string_view name, Index heads, Index width) {
        const std::vector<float> part = nested_from_json(place.member(name), {heads, width});
        token.input.insert(token.input.end(), part.begin(), part.end());
    };
    read("q", spec.query_heads, spec.key_width);
    read("k", spec.kv_heads, spec.key_width);
    read("v", spec.kv_heads, spec.value_width);
    return token;
}

Json command_json(const Spec& spec, const Command& command) {
    Json json;
    const auto* append = std::get_if<Append>(&command);
    if (append == nullptr) {
        json["reset"] = Json::object();
        return json;
    }
    Json rows = Json::array();
    for (const auto& row : append->rows) {
        Json tokens = Json::array();
        for (const Token& token : row) tokens.push_back(token_json(spec, token));
        rows.push_back(std::move(tokens));
    }
    json["append"]["rows"] = std::move(rows);
    if (append->query_offset) json["append"]["query_offset"] = *append->query_offset;
    return json;
}

Command command_from_json(const Spec& spec, const JsonPlace& place) {
    place.only_members({"append", "reset"});
    if (place.value().size() != 1) place.fail("one command: append or reset");
    if (const auto reset = place.optional_member("reset")) {
        reset->only_members({});
        return Reset{};
    }
    const JsonPlace body = place.member("append");
    body.only_members({"rows", "query_offset"});
    Append append;
    const JsonPlace rows = body.member("rows");
    if (Index(rows.elements().size()) != spec.rows) {
        rows.fail("an array of " + std::to_string(spec.rows) + ", as the spec says");
    }
    for (const JsonPlace& row : rows.elements()) {
        auto& tokens = append.rows.emplace_back();
        for (const JsonPlace& token : row.elements())
            tokens.push_back(token_from_json(spec, token));
    }
    if (const auto offsets = body.optional_member("query_offset")) {
        append.query_offset.emplace();
        for (const JsonPlace& offset : offsets->elements()) {
            append.query_offset->push_back(offset.integer(0, extent_max));
        }
    }
    return append;
}

Finding finding_from_json(const JsonPlace& place) {
    place.only_members({"property", "subject", "kind", "what", "seed"});
    return {place.member("property").string(), place.member("subject").string(),
            place.member("kind").string(), place.member("what").string(),
            place.member("seed").string()};
}

}  // namespace

std::string to_text(const CaseFile& file) {
    Json json;
    json["format"] = format_name;
    json["version"] = format_version;
    Json& finding = json["finding"];
    finding["property"] = file.finding.property;
    finding["subject"] = file.finding.subject;
    finding["kind"] = file.finding.kind;
    finding["what"] = file.finding.what;
    finding["seed"] = file.finding.seed;
    json["spec"] = to_json(file.value.spec);
    json["parameters"] = to_json(file.value.spec, file.value.parameters);
    json["program"] = Json::array();
    for (const Command& command : file.value.program) {
        json["program"].push_back(command_json(file.value.spec, command));
    }
    return readable_text(json);
}

CaseFile case_file_from_text(const std::string& text, const std::string& place) {
    const Json json = parse_json(text, place);
    const JsonPlace root(json, place);
    const JsonPlace format = root.member("format");
    if (format.value() != format_name) format.fail(Json(format_name).dump());
    const JsonPlace version = root.member("version");
    if (!version.value().is_number_integer() || version.value() != format_version) {
        version.fail("version " + std::to_string(format_version) +
                     ", the newest that this program reads");
    }
    root.only_members({"format", "version", "finding", "spec", "parameters", "program"});
    CaseFile file;
    if (const auto finding = root.optional_member("finding")) {
        file.finding = finding_from_json(*finding);
    }
    file.value.spec = spec_from_json(root.member("spec"));
    file.value.parameters = parameters_from_json(file.value.spec, root.member("parameters"));
    for (const JsonPlace& command : root.member("program").elements()) {
        file.value.program.push_back(command_from_json(file.value.spec, command));
    }
    validate(file.value, place + ".");
    return file;
}

std::string read_text_file(const std::string& path) {
    constexpr std::uintmax_t size_max = std::uintmax_t{64} << 20;
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) throw InputError(path, "nothing", "a readable file");
    if (!std::filesystem::is_regular_file(status)) {
        throw InputError(path, "something that is not a regular file", "a readable file");
    }
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error || size > size_max) {
        throw InputError(path, std::to_string(size) + " bytes",
                         "at most " + std::to_string(size_max));
    }
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream) throw InputError(path, "a file that cannot be read", "a readable file");
    return text.str();
}

CaseFile read_case_file(const std::string& path) {
    return case_file_from_text(read_text_file(path), path);
}

std::uint64_t hash_of(const Case& value) {
    // FNV-1a over the canonical text, so that what is hashed is what is saved.
    std::uint64_t hash = 14695981039346656037U;
    for (const char c : to_text({value, {}})) {
        hash = (hash ^ std::uint8_t(c)) * 1099511628211U;
    }
    return hash;
}

}  // namespace kvcheck
