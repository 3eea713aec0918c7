// SPDX-License-Identifier: Apache-2.0
// What is looked at before GoogleTest looks (declared in googletest_flags.hpp): it ends the program
// where it dislikes something, and prints its help for a flag that it does not know.
#include "cli/googletest_flags.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "cli/did_you_mean.hpp"
#include "cli/save_folder.hpp"
#include "model/types/error.hpp"
#include "model/types/shown.hpp"

namespace kvcheck {
namespace {

const std::string prefix = "--gtest_";

struct Request {
    std::string place;  // "--gtest_repeat" or "GTEST_REPEAT"
    std::string value;
};

/// What a flag was asked to be, by the last argument that names it, or else by its variable.
std::optional<Request> request_of(const std::string& name, const std::vector<std::string>& flags) {
    const std::string flag = prefix + name;
    for (auto one = flags.rbegin(); one != flags.rend(); ++one) {
        if (*one == flag) return Request{flag, "1"};
        if (one->rfind(flag + "=", 0) == 0) return Request{flag, one->substr(flag.size() + 1)};
    }
    std::string variable = "GTEST_" + name;
    std::transform(variable.begin(), variable.end(), variable.begin(),
                   [](unsigned char c) { return char(std::toupper(c)); });
    const char* const value = std::getenv(variable.c_str());
    if (value == nullptr) return std::nullopt;
    return Request{variable, value};
}

std::optional<long> integer_in(const std::string& text) {
    long number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end) return std::nullopt;
    return number;
}

[[noreturn]] void refuse(const Request& request, const std::string& expected) {
    throw InputError(request.place, "\"" + request.value + "\"", expected);
}

/// Whether GoogleTest reads a request as no: a flag that begins with 0 or f, a variable that is 0.
bool is_off(const Request& request) {
    const std::string& value = request.value;
    if (request.place.rfind(prefix, 0) != 0) return value == "0";
    return !value.empty() && (value[0] == '0' || value[0] == 'f' || value[0] == 'F');
}

/// Flags that are handed on as they are.
const std::vector<std::string>& harmless() {
    static const std::vector<std::string> names = {"help",
                                                   "filter",
                                                   "output",
                                                   "list_tests",
                                                   "fail_fast",
                                                   "shuffle",
                                                   "color",
                                                   "brief",
                                                   "print_time",
                                                   "print_utf8",
                                                   "random_seed",
                                                   "repeat",
                                                   "stack_trace_depth",
                                                   "catch_exceptions",
                                                   "also_run_disabled_tests",
                                                   "recreate_environments_when_repeating"};
    return names;
}

/// Of those, the ones that mean nothing without a value.
const std::vector<std::string>& with_values() {
    static const std::vector<std::string> names = {"filter", "output",      "color",
                                                   "repeat", "random_seed", "stack_trace_depth"};
    return names;
}

/// Texts, for which there is no way to say no.
bool is_text(const std::string& name) {
    return name == "stream_result_to" || name == "flagfile" || name == "death_test_style" ||
           name == "internal_run_death_test";
}

/// Flags that would end a run, or take its report elsewhere, whatever it finds.
const std::vector<std::string>& never() {
    static const std::vector<std::string> names = {
        "throw_on_failure",        "break_on_failure",
        "stream_result_to",        "flagfile",
        "death_test_style",        "death_test_use_fork",
        "internal_run_death_test", "install_failure_signal_handler"};
    return names;
}

void require_known(const std::vector<std::string>& flags) {
    std::vector<std::string> names;
    for (const auto* const list : {&harmless(), &never()}) {
        names.insert(names.end(), list->begin(), list->end());
    }
    for (const std::string& flag : flags) {
        const std::string name = flag.substr(0, flag.find('=')).substr(prefix.size());
        const auto& wanting = with_values();
        const bool wants = std::find(wanting.begin(), wanting.end(), name) != wanting.end();
        if (wants && flag.find('=') == std::string::npos)
            throw InputError("command line", shown(flag), shown(flag) + "=VALUE");
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        throw InputError("command line", shown(flag),
                         "a flag that GoogleTest knows" + did_you_mean(name, names));
    }
}

void require_honourable(const std::vector<std::string>& flags) {
    for (const std::string& name : never()) {
        const auto asked = request_of(name, flags);
        const bool is_flag = asked && asked->place.rfind(prefix, 0) == 0;
        const bool says_no =
            asked && (is_text(name) ? !is_flag && asked->value.empty() : is_off(*asked));
        if (asked && !says_no)
            refuse(*asked, "no such request: what a run finds is in its exit code");
    }
    const auto output = request_of("output", flags);
    const auto format = output ? output->value.substr(0, output->value.find(':')) : std::string();
    if (output && !output->value.empty() && output->value.back() == ':')
        refuse(*output, "xml, json, xml:FILE or json:FILE");
    if (!format.empty() && format != "xml" && format != "json")
        refuse(*output, "xml, json, xml:FILE or json:FILE");
    const auto repeat = request_of("repeat", flags);
    if (repeat && integer_in(repeat->value) != 1)
        refuse(*repeat, "1: a seed draws the same cases each time");
    for (const char* const name : {"random_seed", "stack_trace_depth"}) {
        constexpr long most = 99999;
        const auto asked = request_of(name, flags);
        if (!asked) continue;
        const auto number = integer_in(asked->value);
        if (!number || *number < 0 || *number > most) refuse(*asked, "an integer from 0 to 99999");
    }
}

/// Both or neither; and a place for the file by which a runner learns that shards are understood.
void require_shards() {
    const char* const total = std::getenv("GTEST_TOTAL_SHARDS");
    const char* const index = std::getenv("GTEST_SHARD_INDEX");
    if (total == nullptr && index == nullptr) return;
    const Request shards{"GTEST_TOTAL_SHARDS", total != nullptr ? total : "nothing"};
    const Request place{"GTEST_SHARD_INDEX", index != nullptr ? index : "nothing"};
    constexpr long most = 1000000;
    const auto count = integer_in(shards.value);
    if (!count || *count < 1 || *count > most) refuse(shards, "a number of shards from 1");
    const auto number = integer_in(place.value);
    if (!number || *number < 0 || *number >= *count)
        refuse(place, "a shard from 0 to " + std::to_string(*count - 1));
}

/// A file that GoogleTest writes, and ends the program where it cannot.
void require_room(const std::string& place, const std::filesystem::path& path) {
    std::error_code error;
    std::string objection;
    constexpr std::size_t name_max = 200;  // GoogleTest may add a number to it
    if (path.filename().string().size() > name_max)
        objection = "its name is too long";
    else if (std::filesystem::is_directory(path, error) && path.has_filename())
        objection = "a folder is in its place";
    else if (path.has_filename() && std::filesystem::exists(path, error))
        objection = access(path.c_str(), W_OK) == 0 ? "" : "it cannot be written to";
    else
        objection = objection_to_folder(path.has_parent_path() ? path.parent_path() : ".");
    if (objection.empty()) return;
    throw InputError(place, shown(path.string()) + ": " + objection,
                     "a place that can be written to");
}

void require_room_for_report() {
    const std::string output = GTEST_FLAG_GET(output);
    if (output.empty()) return;
    const std::size_t colon = std::min(output.find(':'), output.size());
    const std::string format = output.substr(0, colon);
    const std::string path = colon < output.size() ? output.substr(colon + 1) : "";
    require_room("--gtest_output", path.empty() ? "test_detail." + format : path);
}

}  // namespace

bool start_googletest(const std::vector<std::string>& flags) {
    std::error_code gone;
    const std::filesystem::path here = std::filesystem::current_path(gone);
    if (gone) throw InputError("working folder", gone.message(), "a folder that is there");
    require_known(flags);
    require_honourable(flags);
    require_shards();
    for (const char* const name : {"GTEST_SHARD_STATUS_FILE", "TEST_PREMATURE_EXIT_FILE"}) {
        const char* const file = std::getenv(name);
        if (file == nullptr) continue;
        const std::filesystem::path folder = std::filesystem::path(file).parent_path();
        std::error_code error;  // GoogleTest makes no folder for it
        const bool has_folder = folder.empty() || std::filesystem::is_directory(folder, error);
        if (*file == 0 || !has_folder) throw InputError(name, shown(file), "a file in a folder");
        require_room(name, file);
    }
    std::vector<std::string> words = {"kvcheck"};
    words.insert(words.end(), flags.begin(), flags.end());
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    int count = int(arguments.size());
    arguments.push_back(nullptr);
    testing::InitGoogleTest(&count, arguments.data());
    const bool helped = std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
        return flag == prefix + "help";
    });
    if (helped) return true;
    if (count > 1) throw InputError("command line", arguments[1], "a flag that GoogleTest knows");
    require_room_for_report();
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    return false;
}

}  // namespace kvcheck
