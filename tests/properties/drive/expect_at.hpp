// SPDX-License-Identifier: Apache-2.0
// Compares two places member by member, so that a difference is told by its name.
#pragma once

#include <gtest/gtest.h>

#include "oracles/verdict.hpp"

namespace kvcheck {

inline void expect_at(const Place& seen, const Place& right) {
    EXPECT_EQ(seen.command, right.command);
    EXPECT_EQ(seen.row, right.row);
    EXPECT_EQ(seen.slot, right.slot);
    EXPECT_EQ(seen.position_id, right.position_id);
    EXPECT_EQ(seen.head, right.head);
    EXPECT_EQ(seen.element, right.element);
    EXPECT_EQ(seen.key, right.key);
}

}  // namespace kvcheck
