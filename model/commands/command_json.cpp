// SPDX-License-Identifier: Apache-2.0
// Commands and tokens as text (declared in command_json.hpp). What lifecycle commands hold is
// written and read by model/types/lifecycle_json.hpp, which the child protocol uses, too.
#include "model/commands/command_json.hpp"

#include <nlohmann/json.hpp>

#include "model/types/arrays.hpp"
#include "model/types/assert.hpp"
#include "model/types/lifecycle_json.hpp"

namespace kvcheck {
namespace {

Json token_json(const Spec& spec, const Token& token) {
    Json json;
    json["real"] = token.real;
    if (token.back != 1) json["back"] = token.back;
    for_each_input(spec, [&](const TokenArray& array, Index begin, Index end) {
        json[std::string(array.name)] = nested_json(
            {token.input.begin() + begin, token.input.begin() + end}, token_extents(array, spec));
    });
    return json;
}

Token token_from_json(const Spec& spec, const JsonPlace& place) {
    Token token;
    token.real = place.member("real").boolean();
    if (const auto back = place.optional_member("back")) token.back = back->integer(1, extent_max);
    std::vector<std::string_view> names = {"real"};
    for (const TokenArray& array : input_arrays(spec.level)) names.push_back(array.name);
    names.push_back("back");
    place.only_members(names);
    for (const TokenArray& array : input_arrays(spec.level)) {
        const auto part = nested_from_json(place.member(array.name), token_extents(array, spec));
        token.input.insert(token.input.end(), part.begin(), part.end());
    }
    return token;
}

Json append_json(const Spec& spec, const Append& append) {
    Json json;
    json["rows"] = Json::array();
    for (const auto& row : append.rows) {
        Json tokens = Json::array();
        for (const Token& token : row) tokens.push_back(token_json(spec, token));
        json["rows"].push_back(std::move(tokens));
    }
    if (append.query_offset) json["query_offset"] = *append.query_offset;
    return json;
}

Append append_from_json(const Spec& spec, const JsonPlace& place, Index row_count) {
    place.only_members({"rows", "query_offset"});
    Append append;
    const JsonPlace rows = place.member("rows");
    if (Index(rows.elements().size()) != row_count) {
        rows.fail("an array of " + std::to_string(row_count) + ", the number of rows");
    }
    for (const JsonPlace& row : rows.elements()) {
        auto& tokens = append.rows.emplace_back();
        for (const JsonPlace& token : row.elements()) {
            tokens.push_back(token_from_json(spec, token));
        }
    }
    if (const auto offsets = place.optional_member("query_offset")) {
        append.query_offset.emplace();
        for (const JsonPlace& offset : offsets->elements()) {
            append.query_offset->push_back(offset.integer(0, extent_max));
        }
    }
    return append;
}

Publish publish_from_json(const JsonPlace& place, Index rows) {
    place.only_members({"row", "as"});
    return {place.member("row").integer(0, rows - 1), place.member("as").integer(0, extent_max)};
}

Reuse reuse_from_json(const JsonPlace& place, Index rows) {
    place.only_members({"row", "of", "slots"});
    return {place.member("row").integer(0, rows - 1), place.member("of").integer(0, extent_max),
            place.member("slots").integer(1, extent_max)};
}

}  // namespace

Json fields_json(const Command& command) {
    Json json = Json::object();
    std::visit(Overload{[](const Append&) { KVCHECK_ASSERT(false); }, [](const Reload&) {},
                        [&](const Publish& publish) {
                            const auto& [row, as] = publish;
                            json = {{"row", row}, {"as", as}};
                        },
                        [&](const Reuse& reuse) {
                            const auto& [row, of, slots] = reuse;
                            json = {{"row", row}, {"of", of}, {"slots", slots}};
                        },
                        [&](const auto& one) { json = to_json(Lifecycle(one)); }},
               command);
    return json;
}

Json to_json(const Spec& spec, const Command& command) {
    const auto* const append = std::get_if<Append>(&command);
    Json json;
    json[std::string(name_of(command))] =
        append != nullptr ? append_json(spec, *append) : fields_json(command);
    return json;
}

Command command_from_json(const Spec& spec, const JsonPlace& place, Index rows) {
    std::vector<std::string_view> names = {"append"};
    for (const std::string_view name : lifecycle_names()) names.push_back(name);
    names.insert(names.end(), {Reload::name, Publish::name, Reuse::name});
    place.only_members(names);
    if (place.value().size() != 1) {
        std::string expected;
        for (const std::string_view name : names) {
            expected += (expected.empty() ? "one command of " : ", ") + std::string(name);
        }
        place.fail(expected);
    }
    if (const auto body = place.optional_member("append"))
        return append_from_json(spec, *body, rows);
    if (const auto body = place.optional_member(Reload::name)) {
        body->only_members({});
        return Reload{};
    }
    if (const auto body = place.optional_member(Publish::name))
        return publish_from_json(*body, rows);
    if (const auto body = place.optional_member(Reuse::name)) return reuse_from_json(*body, rows);
    const std::string name = place.value().begin().key();
    const Lifecycle lifecycle = lifecycle_from_json(name, place.member(name), rows);
    return std::visit([](const auto& one) { return Command(one); }, lifecycle);
}

}  // namespace kvcheck
