// SPDX-License-Identifier: Apache-2.0
#include "properties/search/shrink.hpp"

#include <algorithm>

namespace kvcheck {

std::vector<Candidate> simpler_cases(const std::shared_ptr<const Case>& value) {
    std::vector<Candidate> list;
    add_simpler_programs(value, list);
    add_simpler_shapes(value, list);
    add_simpler_specs(value, list);
    add_simpler_numbers(value, list);
    return list;
}

void repair_offsets(Case& value) {
    std::vector<Index> lengths(std::size_t(value.spec.rows), 0);
    for (Command& command : value.program) {
        auto* append = std::get_if<Append>(&command);
        if (append == nullptr) {
            std::fill(lengths.begin(), lengths.end(), 0);
            continue;
        }
        if (append->query_offset) append->query_offset = lengths;
        for (std::size_t r = 0; r < lengths.size(); ++r)
            lengths[r] += Index(append->rows[r].size());
    }
}

}  // namespace kvcheck
