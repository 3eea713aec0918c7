// SPDX-License-Identifier: Apache-2.0
// Queries without keys through the C interface, and through the child protocol: a library that
// answers them holds, and one that appends them is caught.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

TEST(Asks, OfALibraryAndOfAProgramAreJudged) {
    const TemporaryFolder folder;
    for (const std::string& door : {std::string(), serving}) {
        for (const auto& [name, code] : {std::pair("ASKS", 0), std::pair("ASKS_STORED", 1)}) {
            const Outcome run =
                kvcheck_with({"run", "--subject", door + plugin(name), "--property",
                              "asks_see_every_key", "--cases", "60", "--corpus", "none"},
                             folder.path());
            EXPECT_EQ(run.code, code) << door << run.out << run.err;
        }
    }
}

}  // namespace
}  // namespace kvcheck
