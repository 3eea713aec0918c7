// SPDX-License-Identifier: Apache-2.0
// The key of a prefix (clause 11) as members of a request, and back.
#pragma once

#include <string>
#include <vector>

#include "model/types/json.hpp"
#include "model/types/prefix_key.hpp"

namespace kvcheck {

/// The members of a request about a row and a key.
Json prefix_body(const Json& session, Index row, const PrefixKey& key);

/// A key that was read.
struct ServedKey {
    std::vector<Index> labels;
    std::vector<std::uint8_t> real;
    std::string revision;

    PrefixKey view() const { return {labels, real, revision}; }
};

/// Throws InputError.
ServedKey key_of_body(const JsonPlace& body);

}  // namespace kvcheck
