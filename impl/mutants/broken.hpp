// SPDX-License-Identifier: Apache-2.0
// What the tables of mutants are written with.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "impl/plain/plain.hpp"

namespace kvcheck {

/// The textbook subject with other rules.
template <class Rules>
std::unique_ptr<Subject> broken(std::string name) {
    return make_plain<float>(std::move(name), std::make_shared<Rules>());
}

/// Random cases that a default run draws of each property, at each level.
constexpr Index default_cases = 200;

}  // namespace kvcheck
