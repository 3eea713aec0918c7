// SPDX-License-Identifier: Apache-2.0
// Each command's fields as text (declared in lifecycle_json.hpp): an overload to write and one to
// read for every alternative. They bind the fields, so that a forgotten one does not compile.
#include "model/types/lifecycle_json.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "model/types/assert.hpp"

namespace kvcheck {
namespace {

/// Fields are read by a command's own overload; this one checks that nothing else is there.
class Fields {
public:
    Fields(const JsonPlace& place, std::optional<Index> rows,
           const std::vector<std::string_view>& more)
        : place_(place), rows_(rows), more_(more) {}

    void only(std::vector<std::string_view> names) const {
        names.insert(names.end(), more_.begin(), more_.end());
        place_.only_members(names);
    }
    Index row(std::string_view name) const { return row_at(place_.member(name)); }
    std::optional<Index> optional_row(std::string_view name) const {
        const auto member = place_.optional_member(name);
        return member ? std::optional(row_at(*member)) : std::nullopt;
    }
    std::vector<Index> rows(std::string_view name) const {
        std::vector<Index> list;
        for (const JsonPlace& element : place_.member(name).elements()) {
            list.push_back(row_at(element));
        }
        return list;
    }
    Index slots(std::string_view name) const { return number(place_.member(name), extent_max); }

private:
    Index row_at(const JsonPlace& place) const { return number(place, rows_.value_or(0) - 1); }
    Index number(const JsonPlace& place, Index most) const {
        using Limits = std::numeric_limits<Index>;
        return rows_ ? place.integer(0, most) : place.integer(Limits::min(), Limits::max());
    }

    const JsonPlace& place_;
    std::optional<Index> rows_;
    const std::vector<std::string_view>& more_;
};

void write(Json& json, const Reset& reset) {
    const auto& [row] = reset;
    if (row) json["row"] = *row;
}

void read(const Fields& fields, Reset& reset) {
    auto& [row] = reset;
    fields.only({"row"});
    row = fields.optional_row("row");
}

void write(Json& json, const Truncate& truncate) {
    const auto& [length, row] = truncate;
    json["length"] = length;
    if (row) json["row"] = *row;
}

void read(const Fields& fields, Truncate& truncate) {
    auto& [length, row] = truncate;
    fields.only({"length", "row"});
    length = fields.slots("length");
    row = fields.optional_row("row");
}

void write(Json& json, const Reorder& reorder) {
    const auto& [sources] = reorder;
    json["sources"] = sources;
}

void read(const Fields& fields, Reorder& reorder) {
    auto& [sources] = reorder;
    fields.only({"sources"});
    sources = fields.rows("sources");
}

void write(Json& json, const Fork& fork) {
    const auto& [row] = fork;
    json["row"] = row;
}

void read(const Fields& fields, Fork& fork) {
    auto& [row] = fork;
    fields.only({"row"});
    row = fields.row("row");
}

void write(Json& json, const Finish& finish) {
    const auto& [row] = finish;
    json["row"] = row;
}

void read(const Fields& fields, Finish& finish) {
    auto& [row] = finish;
    fields.only({"row"});
    row = fields.row("row");
}

void write(Json& json, const Evict& evict) {
    const auto& [row, begin, end] = evict;
    json["row"] = row;
    json["begin"] = begin;
    json["end"] = end;
}

void read(const Fields& fields, Evict& evict) {
    auto& [row, begin, end] = evict;
    fields.only({"row", "begin", "end"});
    row = fields.row("row");
    begin = fields.slots("begin");
    end = fields.slots("end");
}

void write(Json& json, const Shift& shift) {
    const auto& [row, by] = shift;
    json["row"] = row;
    json["by"] = by;
}

void read(const Fields& fields, Shift& shift) {
    auto& [row, by] = shift;
    fields.only({"row", "by"});
    row = fields.row("row");
    by = fields.slots("by");
}

template <class... Commands>
std::vector<std::string_view> names_of(const std::variant<Commands...>*) {
    return {Commands::name...};
}

template <class... Commands>
Lifecycle read_named(std::string_view name, const Fields& fields,
                     const std::variant<Commands...>*) {
    std::optional<Lifecycle> found;
    const auto try_one = [&](auto command) {
        if (command.name != name) return;
        read(fields, command);
        found = command;
    };
    (try_one(Commands{}), ...);
    KVCHECK_ASSERT(found.has_value());
    return *found;
}

}  // namespace

std::vector<std::string_view> lifecycle_names() {
    return names_of(static_cast<const Lifecycle*>(nullptr));
}

Json to_json(const Lifecycle& command) {
    Json json = Json::object();
    std::visit([&](const auto& one) { write(json, one); }, command);
    return json;
}

Lifecycle lifecycle_from_json(std::string_view name, const JsonPlace& fields,
                              std::optional<Index> rows,
                              const std::vector<std::string_view>& more) {
    return read_named(name, Fields(fields, rows, more), static_cast<const Lifecycle*>(nullptr));
}

}  // namespace kvcheck
