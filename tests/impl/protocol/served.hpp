// SPDX-License-Identifier: Apache-2.0
// The serving end in this process: requests go in as lines, answers come back as JSON. Standard
// output belongs to the protocol meanwhile.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "impl/subject.hpp"
#include "model/types/json.hpp"

namespace kvcheck {

/// One answer a request, in order; requests are lines without their end, or frames, and so are
/// answers.
std::vector<std::string> served_messages(Subject& subject,
                                         const std::vector<std::string>& messages);

/// The same of lines only.
std::vector<Json> served(Subject& subject, const std::vector<std::string>& requests);

/// An open request for attention with heads of width one.
std::string open_request(Index rows, Index capacity);

/// An append to session `session` of tokens [rows][tokens] with q = 0, whose keys and values are
/// these numbers; every token is real and counts.
std::string append_request(Index session, const std::vector<std::vector<int>>& values);

/// The same as JSON, to be changed.
Json append_body(Index session, const std::vector<std::vector<int>>& values);

}  // namespace kvcheck
