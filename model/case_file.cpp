// SPDX-License-Identifier: Apache-2.0
// Case files: their frame, and reading them from disk (declared in case_file.hpp). Commands stand
// in commands/command_json.cpp.
#include "model/case_file.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "model/commands/command_json.hpp"
#include "model/types/error.hpp"
#include "model/types/json.hpp"

namespace kvcheck {
namespace {

constexpr const char* format_name = "kvcheck case";
constexpr Index format_version = 1;

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
    json["spec"] = to_json(file.test_case.spec);
    json["parameters"] = to_json(file.test_case.spec, file.test_case.parameters);
    json["program"] = Json::array();
    for (const Command& command : file.test_case.program) {
        json["program"].push_back(to_json(file.test_case.spec, command));
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
    file.test_case.spec = spec_from_json(root.member("spec"));
    file.test_case.parameters =
        parameters_from_json(file.test_case.spec, root.member("parameters"));
    Index rows = file.test_case.spec.rows;
    for (const JsonPlace& command : root.member("program").elements()) {
        file.test_case.program.push_back(command_from_json(file.test_case.spec, command, rows));
        rows = rows_after(file.test_case.program.back(), rows);
    }
    validate(file.test_case, place + ".");
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

}  // namespace kvcheck
