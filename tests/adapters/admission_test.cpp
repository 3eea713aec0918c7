// SPDX-License-Identifier: Apache-2.0
// What would fit, through the C interface and through the child protocol: a library that says it
// holds, and one that forgets what its rows hold is caught.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

TEST(Admission, OfALibraryAndOfAProgramIsJudged) {
    const TemporaryFolder folder;
    for (const std::string& door : {std::string(), serving}) {
        for (const auto& [name, code] :
             {std::pair("ADMITS", 0), std::pair("ADMITS_BY_CAPACITY", 1)}) {
            const Outcome run =
                kvcheck_with({"run", "--subject", door + plugin(name), "--property",
                              "admission_is_as_append", "--cases", "60", "--corpus", "none"},
                             folder.path());
            EXPECT_EQ(run.code, code) << door << run.out << run.err;
        }
    }
}

}  // namespace
}  // namespace kvcheck
