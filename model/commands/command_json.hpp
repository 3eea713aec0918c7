// SPDX-License-Identifier: Apache-2.0
// The text form of a command in a case file: an object whose one member is the command's name.
#pragma once

#include "model/command.hpp"
#include "model/types/json.hpp"

namespace kvcheck {

Json to_json(const Spec& spec, const Command& command);
/// What a command that brings no token holds beside its name.
Json fields_json(const Command& command);
/// The command for a batch that has `rows` rows when it comes. Throws InputError.
Command command_from_json(const Spec& spec, const JsonPlace& place, Index rows);

}  // namespace kvcheck
