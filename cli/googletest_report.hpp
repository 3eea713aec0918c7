// SPDX-License-Identifier: Apache-2.0
// Whether the report that GoogleTest was asked for is there. GoogleTest itself does not look.
#pragma once

#include <string>

namespace kvcheck {

/// What is wrong with the file of --gtest_output, in words that name it; empty where it is whole or
/// where none was asked for. To be called once, after GoogleTest has written it.
std::string trouble_of_report();

}  // namespace kvcheck
