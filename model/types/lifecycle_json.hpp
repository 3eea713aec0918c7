// SPDX-License-Identifier: Apache-2.0
// The text form of the commands that bring no token, one for case files and for the child protocol:
// the command's name, and an object with its fields.
#pragma once

#include "model/types/json.hpp"
#include "model/types/lifecycle.hpp"

namespace kvcheck {

/// All names, in the order of the variant.
std::vector<std::string_view> lifecycle_names();

/// The fields.
Json to_json(const Lifecycle& command);
/// The command of this name from its fields; `more` are members that belong to somebody else.
/// `rows` is how many there are before it; where it is not given, rows and slots may be any, as in
/// a command that is to be refused. Throws InputError. Needs: a name of lifecycle_names().
Lifecycle lifecycle_from_json(std::string_view name, const JsonPlace& fields,
                              std::optional<Index> rows,
                              const std::vector<std::string_view>& more = {});

}  // namespace kvcheck
