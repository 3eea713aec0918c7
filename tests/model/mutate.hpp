// SPDX-License-Identifier: Apache-2.0
// Damaged case files: texts with bytes, numbers and chunks changed, and documents with values
// changed, which reach further into the reader. A pure function of the stream.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/types/json.hpp"
#include "properties/generators/draw.hpp"

namespace kvcheck {

class Damage {
public:
    /// Of these texts, which are parsed once.
    explicit Damage(std::vector<std::string> texts);
    /// One of them, damaged in one to four places.
    std::string damaged(Draw& draw) const;

private:
    std::vector<std::string> texts_;
    std::vector<Json> parsed_;  // the same
};

}  // namespace kvcheck
