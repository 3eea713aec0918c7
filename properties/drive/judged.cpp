// SPDX-License-Identifier: Apache-2.0
// Outputs and their truths side by side (declared in judged.hpp).
#include "properties/drive/judged.hpp"

#include <unordered_map>

namespace kvcheck {

bool is_living(const Output& output) {
    const Standing standing = output.standing();
    return standing.compared && !standing.dead;
}

namespace {

bool all_settle(const std::vector<Answer>& right, const std::vector<double>& seen) {
    // A subject may show weights of slots that come later; those need no truth.
    for (std::size_t i = 0; i < right.size() && i < seen.size(); ++i) {
        if (!settles(right[i], seen[i])) return false;
    }
    return true;
}

}  // namespace

const TokenTruth& Output::truth_of_output() const {
    const std::vector<double>& seen = seen_->output;
    return truths_->judging(
        seen_->history.last(), Truths::Part::output, Index(seen.size()),
        [&](const TokenTruth& truth) { return all_settle(truth.output, seen); });
}

const TokenTruth& Output::truth_of_weights() const {
    const std::vector<std::vector<double>>& seen = seen_->weights;
    Index numbers = 0;
    for (const std::vector<double>& head : seen) numbers += Index(head.size());
    return truths_->judging(seen_->history.last(), Truths::Part::weights, numbers,
                            [&](const TokenTruth& truth) {
                                const Node& query = seen_->token();
                                for (std::size_t h = 0; h < truth.weights.size(); ++h) {
                                    const auto right = weights_by_slot(truth.weights[h], query);
                                    if (!all_settle(right, seen[h])) return false;
                                }
                                return true;
                            });
}

const TokenTruth& Output::truth_of_sums(const std::vector<WeightSum>& sums) const {
    return truths_->judging(
        seen_->history.last(), Truths::Part::weights, Index(sums.size()),
        [&](const TokenTruth& truth) {
            for (std::size_t h = 0; h < sums.size(); ++h) {
                if (!settles(truth.weight_sum[h].without(sums[h].rest), sums[h].most)) return false;
            }
            return true;
        });
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

std::vector<Answer> weights_by_slot(const std::vector<Answer>& of_path, const Node& query) {
    if (query.depth == query.slot) return of_path;
    std::vector<Answer> by_slot(std::size_t(query.slot + 1));
    for (const Node* const node : path_of(query)) {
        by_slot[std::size_t(node->slot)] = of_path[std::size_t(node->depth)];
    }
    return by_slot;
}

Place place_of(const Output& output, const Spec& spec) {
    const Observation& seen = output.seen();
    Place place;
    place.command = seen.command;
    place.row = seen.row;
    place.slot = seen.slot();
    if (spec.has_positions()) {
        place.position_id = position_id(spec.position_ids, seen.token());
    }
    return place;
}

}  // namespace kvcheck
