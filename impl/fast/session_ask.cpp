// SPDX-License-Identifier: Apache-2.0
// Queries without keys (clause 15). They stand behind the row's last slot, where they see all of
// it: slots that nobody appended are not seen in any case. Long rows are not cut into pieces for
// them.
#include <algorithm>

#include "impl/admission.hpp"
#include "impl/fast/session.hpp"

namespace kvcheck::fast {

Status FastSession::ask(const AppendCall& call) {
    std::string objection = objection_to_ask(call, spec_, ElementType::f32);
    if (!objection.empty()) return Status::refused(std::move(objection));
    tree_masks_.fill(cache_, {}, no_window);
    if (layer_) {
        append_layer(call, Sight::all);
        return Status::done();
    }
    const Index most = *std::max_element(call.counts.begin(), call.counts.end());
    // Work arrays hold the queries of as many tokens as a row has slots.
    for (Index first = 0; first < most; first += spec_.capacity) {
        plan_.clear();
        for (Index row = 0; row < spec_.rows; ++row) {
            const Index left = call.counts[std::size_t(row)] - first;
            if (left <= 0) continue;
            plan_.add(row, first, first, std::min(left, spec_.capacity), cache_.length(row),
                      unsplit);
        }
        attend_all({call, Sight::all, array_of(call.query), {}, {}, array_of(call.output)});
    }
    return Status::done();
}

}  // namespace kvcheck::fast
