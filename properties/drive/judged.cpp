// SPDX-License-Identifier: Apache-2.0
// Outputs and their truths side by side (declared in judged.hpp).
#include "properties/drive/judged.hpp"

#include <unordered_map>

namespace kvcheck {

bool is_living(const Output& output) {
    const Standing standing = output.standing();
    return standing.compared && !standing.dead;
}

bool Output::is_answered() const {
    constexpr Index all_most = 33;
    constexpr Index tile = 32;
    constexpr Index others = 19;  // prime, so that they drift through the tiles
    const Index slot = seen_->slot();
    const Index in_tile = slot % tile;
    return is_last_ || slot < all_most || in_tile == 0 || in_tile == tile - 1 ||
           slot % others == seen_->row % others;
}

bool is_real(const Output& output) { return output.seen().token().token.real; }

Judged::Judged(const Run& run, Oracle& oracle, const OutputFilter& filter, Staging staging)
    : truths_(oracle) {
    if (staging == Staging::exports) {
        for (const Run::Export& row : run.exports) truths_.adopt(row.stored);
    }
    std::unordered_map<Index, const Observation*> last;  // [row]
    for (const Observation& seen : run.observations) last[seen.row] = &seen;
    for (const Observation& seen : run.observations) {
        const Output output(seen, truths_, last.at(seen.row) == &seen);
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
