// SPDX-License-Identifier: Apache-2.0
// Each command's fields as text (declared in lifecycle_json.hpp): an overload to write and one to
// read for every alternative. They bind the fields, so that a forgotten one does not compile.
#include "model/types/lifecycle_json.hpp"

#include <nlohmann/json.hpp>

#include "model/types/assert.hpp"

namespace kvcheck {
namespace {

/// Fields are read by a command's own overload; this one checks that nothing else is there.
class Fields {
public:
    Fields(const JsonPlace& place, Index rows, const std::vector<std::string_view>& more)
        : place_(place), rows_(rows), more_(more) {}

    void only(std::vector<std::string_view> names) const {
        names.insert(names.end(), more_.begin(), more_.end());
        place_.only_members(names);
    }
    std::optional<Index> optional_row(std::string_view name) const {
        const auto member = place_.optional_member(name);
        if (!member) return std::nullopt;
        return member->integer(0, rows_ - 1);
    }

private:
    const JsonPlace& place_;
    Index rows_;
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

Lifecycle lifecycle_from_json(std::string_view name, const JsonPlace& fields, Index rows,
                              const std::vector<std::string_view>& more) {
    return read_named(name, Fields(fields, rows, more), static_cast<const Lifecycle*>(nullptr));
}

}  // namespace kvcheck
