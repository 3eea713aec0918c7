// SPDX-License-Identifier: Apache-2.0
// The parts of shrinking in their order (declared in shrink.hpp).
#include "properties/search/shrink.hpp"

namespace kvcheck {

std::vector<Candidate> simpler_cases(const std::shared_ptr<const Case>& base) {
    std::vector<Candidate> list;
    add_simpler_programs(base, list);
    add_simpler_shapes(base, list);
    add_simpler_specs(base, list);
    add_simpler_numbers(base, list);
    return list;
}

}  // namespace kvcheck
