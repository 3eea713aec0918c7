// SPDX-License-Identifier: Apache-2.0
// Outputs and their truths side by side (declared in judged.hpp).
#include "properties/drive/judged.hpp"

namespace kvcheck {

bool is_living(const Output& output) {
    const Standing standing = output.standing();
    return standing.compared && !standing.dead;
}

bool is_real(const Output& output) { return output.seen().token().token.real; }

Judged::Judged(const Run& run, Oracle& oracle, const OutputFilter& filter, Staging staging)
    : truths_(oracle) {
    if (staging == Staging::exports) {
        for (const Run::Export& row : run.exports) truths_.adopt(row.stored);
    }
    for (const Observation& seen : run.observations) {
        const Output output(seen, truths_);
        if (filter(output)) outputs_.push_back(output);
    }
}

Place place_of(const Output& output, const Spec& spec) {
    const Observation& seen = output.seen();
    Place place;
    place.command = seen.command;
    place.row = seen.row;
    place.slot = seen.slot();
    if (spec.position_signal != PositionSignal::none) {
        place.position_id = position_id(spec.position_ids, seen.token());
    }
    return place;
}

}  // namespace kvcheck
