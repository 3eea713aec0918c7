// SPDX-License-Identifier: Apache-2.0
// Other objects for the same process, each different from a case in one thing alone: what an
// implementation keeps under too few keys, or shares between objects that look alike, is then the
// wrong one for one of them.
#pragma once

#include <string_view>
#include <vector>

#include "model/case.hpp"

namespace kvcheck {

struct Companion {
    std::string_view differs_in;  // "contents", "validity", ...
    Case test_case;               // of as many commands as the original
};

/// The companions that a subject with these features can be given. Contents, validity, counts,
/// scale and parameters each alone; then a stranger that differs in as much as it may
/// (stranger_to).
std::vector<Companion> companions_of(const Case& test_case, FeatureSet features);

/// The same case with another scale, and nothing else. Nothing where the subject takes none.
std::vector<Case> with_other_scales(const Case& test_case, FeatureSet features);

}  // namespace kvcheck
