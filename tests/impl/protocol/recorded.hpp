// SPDX-License-Identifier: Apache-2.0
// One conversation of every kind of request, and the right answers to it: what tests of damaged
// answers damage.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "impl/subject.hpp"

namespace kvcheck {

/// What `plain` answers to hello and to the requests of drive_once(), in order, lines with their
/// end. `frames`: asked by frames where there is one for it.
std::vector<std::string> recorded_answers(bool frames);

using Seen = std::map<Status::Kind, Index>;

/// Every call of the record, whatever became of the one before. `seen` counts how they ended.
void drive_once(Subject& subject, Seen& seen);

}  // namespace kvcheck
