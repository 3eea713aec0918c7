// SPDX-License-Identifier: Apache-2.0
// What a session shows beside its outputs (declared in session.hpp): weights, formed again from the
// scores, and log-sum-exps.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "impl/fast/session.hpp"

namespace kvcheck::fast {

void FastSession::write_weights(const OutputView& out, const Task& task, const QueryRows& rows,
                                const Scratch& scratch) const {
    const Segment& segment = *task.segment;
    const HeadBlocks blocks = cache_.head(segment.row, task.head);
    const Index last = rows.slot(rows.rows - 1) / block_slots;
    const Index slots = out.shape.extent[3];
    for (Index first = 0; first < slots; first += block_slots) {
        const Index block = first / block_slots;
        if (block <= last) {
            kernels_.weigh(blocks, rows, block, scratch.state.reference, scratch.scale,
                           scratch.weights);
        }
        for (Index row = 0; row < rows.rows; ++row) {
            const Index head = task.head * group_ + row % group_;
            const Index token = segment.first + task.first + row / group_;
            for (Index slot = first; slot < std::min(first + block_slots, slots); ++slot) {
                out.at<float>(segment.row, head, token, slot) =
                    block <= last ? scratch.weights[row * block_slots + slot - first] : 0;
            }
        }
    }
}

/// reference / log2(e) + log of the sum, in double, so that the change of base costs no digit.
void FastSession::write_log_sum_exp(const OutputView& out, const Task& task, const QueryRows& rows,
                                    const Softmax& state) const {
    const Segment& segment = *task.segment;
    for (Index row = 0; row < rows.rows; ++row) {
        double sum = 0;
        for (Index lane = 0; lane < sum_lanes; ++lane) {
            sum += double(state.sum[row * sum_lanes + lane]);
        }
        const double shown = double(state.reference[row]) * std::numbers::ln2 + std::log(sum);
        const Index token = segment.first + task.first + row / group_;
        out.at<float>(segment.row, token, task.head * group_ + row % group_) =
            sum > 0 ? float(shown) : -std::numeric_limits<float>::infinity();
    }
}

}  // namespace kvcheck::fast
