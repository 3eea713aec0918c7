// SPDX-License-Identifier: Apache-2.0
// A call from admission to its outputs (declared in session.hpp).
#include "impl/fast/session.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "impl/admission.hpp"
#include "impl/fast/states.hpp"

namespace kvcheck::fast {
namespace {

/// Rounded once: the double holds scale * log2(e) far more exactly than a float can.
float query_factor(const Spec& spec) {
    const double scale = spec.scale ? double(*spec.scale) : 1 / std::sqrt(double(spec.key_width));
    return float(scale * std::numbers::log2e);
}

/// Each rounded once.
std::vector<float> times(double factor, const std::vector<float>& numbers) {
    std::vector<float> products;
    products.reserve(numbers.size());
    for (const float number : numbers) products.push_back(float(factor * double(number)));
    return products;
}

/// Tokens that are stored head by head before the next ones are looked at.
constexpr Index stored_together = 16;

/// Fewer query rows are done before it pays to say what comes after them.
constexpr Index announced_rows = 16;

Index scratch_floats(const Spec& spec, Index rows) {
    return rounded_up(rows * spec.key_width, cache_line_floats) +
           state_floats(rows, spec.value_width) + rounded_up(rows, cache_line_floats) +
           rows * block_slots;
}

/// Fetches what a store into the block of `slot` reads and writes: rows on pages of their own, and
/// lines of the block that lie apart.
void fetch_for_store(const HeadBlocks& blocks, Index slot, Index count,
                     const Strided<const float>& key, const Strided<const float>& value) {
    const Index place = slot % block_slots;
    const Index rows = std::min(count, block_slots - place);
    const auto* const keys = blocks.keys<const std::byte>(slot / block_slots);
    for (Index i = 0; i < blocks.key_width; ++i) {
        __builtin_prefetch(keys + (i * block_slots + place) * blocks.entry_bytes, 1);
    }
    const auto* const values = blocks.values<const std::byte>(slot / block_slots);
    const Index value_bytes =
        std::min(panel_columns, padded(blocks.value_width)) * blocks.entry_bytes;
    for (Index row = 0; row < rows; ++row) {
        for (Index i = 0; i < value_bytes; i += cache_line_floats * Index(sizeof(float))) {
            __builtin_prefetch(values + (place + row) * value_bytes + i, 1);
        }
        if (key.element != 1 || value.element != 1) continue;
        for (Index i = 0; i < blocks.key_width; i += cache_line_floats) {
            __builtin_prefetch(key.data + row * key.token + i);
        }
        for (Index i = 0; i < blocks.value_width; i += cache_line_floats) {
            __builtin_prefetch(value.data + row * value.token + i);
        }
    }
}

}  // namespace

FastSession::Scratch FastSession::scratch_in(float* query) const {
    const Index rows = plan_.query_rows_max();
    float* const state = query + rounded_up(rows * spec_.key_width, cache_line_floats);
    float* const scale = state + state_floats(rows, spec_.value_width);
    return {.query = query,
            .state = state_at(state, rows, spec_.value_width),
            .scale = scale,
            .weights = scale + rounded_up(rows, cache_line_floats)};
}

FastSession::FastSession(const Spec& spec, const Parameters& parameters, const Kernels& kernels,
                         std::shared_ptr<Pool> pool, const Cuts& cuts)
    : spec_(spec),
      fingerprint_(fingerprint_of(parameters)),
      kernels_(kernels),
      pool_(std::move(pool)),
      parallel_from_(cuts.parallel_from),
      group_(spec.query_heads / spec.kv_heads),
      query_factor_(query_factor(spec)),
      cap_(float(std::numbers::log2e * double(spec.softcap.value_or(0)))),
      rotation_(spec, parameters),
      positions_(position_count(spec, parameters)),
      slopes_(times(-std::numbers::log2e, parameters.slopes)),
      sinks_(times(std::numbers::log2e, parameters.sinks)),
      cache_(spec),
      plan_(spec, cuts.split_slots),
      scratch_(pool_->threads() * scratch_floats(spec, plan_.query_rows_max())),
      scratch_floats_(scratch_floats(spec, plan_.query_rows_max())),
      scratch_0_(scratch_in(scratch_.data())),
      turned_(rotation_.is_none() ? 0 : pool_->threads() * stored_together * spec.key_width),
      states_(state_floats(plan_.states_max(), spec.value_width)),
      lengths_(std::size_t(spec.rows)) {
    if (spec.level == Level::layer) layer_ = std::make_unique<LayerArrays>(spec, parameters);
}

Status FastSession::append(const AppendCall& call) {
    for (Index row = 0; row < spec_.rows; ++row) lengths_[std::size_t(row)] = cache_.length(row);
    std::string objection = objection_to(call, spec_, ElementType::f32, lengths_);
    for (Index row = 0; row < spec_.rows && objection.empty(); ++row) {
        if (cache_.row(row).is_finished() && call.counts[std::size_t(row)] > 0) {
            objection = "counts: a finished row";
        }
    }
    if (objection.empty() && !ids_fit(call)) {
        objection = "a token's id is below zero, or beyond the position table";
    }
    if (!objection.empty()) return Status::refused(std::move(objection));
    if (layer_) {
        append_layer(call, Sight::causal);
    } else {
        append_attention(call);
    }
    return Status::done();
}

bool FastSession::ids_fit(const AppendCall& call) const {
    const Index tokens = call.output.shape.extent[1];
    for (Index row = 0; row < spec_.rows; ++row) {
        const Index count = call.counts[std::size_t(row)];
        if (count == 0) continue;
        const RowSlots& slots = cache_.row(row);
        if (!spec_.reads_a_table() && slots.shift() == 0) continue;
        const Index limit = spec_.reads_a_table() ? positions_ : extent_max;
        const auto real = call.real.subspan(std::size_t(row * tokens), std::size_t(count));
        if (call.back) {
            const auto back = call.back->subspan(std::size_t(row * tokens), std::size_t(count));
            const std::vector<Index> ids = slots.ids_of_next(real, back);
            const auto [lowest, highest] = std::minmax_element(ids.begin(), ids.end());
            if (*lowest < 0 || *highest >= limit) return false;
            continue;
        }
        // Ids never fall along a path, so the first and the last one decide.
        const bool by_slot = spec_.position_ids == PositionIds::slot;
        const auto before = real.first(std::size_t(count - 1));
        const Index padded = std::count(before.begin(), before.end(), std::uint8_t{0});
        const Index first = slots.next_id();
        const Index last = first + count - 1 - (by_slot ? 0 : padded);
        if (first < 0 || last >= limit) return false;
    }
    return true;
}

/// Gives a row its tokens first ... first + count - 1 of the call.
void FastSession::grow(const AppendCall& call, Index row, Index first, Index count) {
    const auto begin = std::size_t(row * call.output.shape.extent[1] + first);
    const auto size = std::size_t(count);
    cache_.grow(row, call.real.subspan(begin, size),
                call.back ? call.back->subspan(begin, size) : std::span<const Index>());
}

void FastSession::append_attention(const AppendCall& call) {
    plan_.clear();
    for (Index row = 0; row < spec_.rows; ++row) {
        const Index count = call.counts[std::size_t(row)];
        if (count == 0) continue;
        plan_.add(row, 0, 0, count, cache_.length(row), count);
        grow(call, row, 0, count);
    }
    store_and_attend({call, Sight::causal, array_of(call.query), array_of(call.key),
                      array_of(call.value), array_of(call.output)});
}

void FastSession::store_and_attend(const Wave& wave) {
    tree_masks_.fill(cache_, plan_.segments(), spec_.window.value_or(no_window));
    const Index copied = plan_.tokens() * (spec_.key_size() + spec_.value_size());
    run(plan_.stores(), copied,
        [&](Index number, int thread) { store(wave, plan_.store(number), thread); });
    attend_all(wave);
}

void FastSession::attend_all(const Wave& wave) {
    const Index work = plan_.work() * (spec_.key_width + spec_.value_width);
    run(plan_.tasks(), work,
        [&](Index number, int thread) { attend(wave, number, scratch(thread)); });
    if (plan_.states() == 0) return;
    run(plan_.tasks(), plan_.states() * spec_.value_width, [&](Index number, int thread) {
        const Task task = plan_.task(number);
        if (task.segment->pieces > 1 && task.piece == 0) merge(wave, task, scratch(thread));
    });
}

/// One task stores the tokens of a chunk for all heads, as they lie together in the call. Each
/// piece is stored while the next one is fetched. Keys are turned on their way.
void FastSession::store(const Wave& wave, const Task& task, int thread) const {
    const Segment& segment = *task.segment;
    const Index groups = (task.tokens + stored_together - 1) / stored_together;
    const auto with_piece = [&](Index number, const auto& use) {
        const Index token = number / spec_.kv_heads * stored_together;
        const Index head = number % spec_.kv_heads;
        const Index first = segment.position + task.first + token;
        use(cache_.head(segment.row, head), segment.past + task.first + token,
            std::min(stored_together, task.tokens - token), wave.key.at(segment.row, first, head),
            wave.value.at(segment.row, first, head));
    };
    const Index pieces = groups * spec_.kv_heads;
    const bool ahead = task.tokens >= stored_together;  // fewer are stored before it pays
    for (Index piece = 0; piece < pieces; ++piece) {
        if (ahead && piece + 1 < pieces) with_piece(piece + 1, fetch_for_store);
        with_piece(piece, [&](const HeadBlocks& blocks, Index slot, Index count,
                              const Strided<const float>& key, const Strided<const float>& value) {
            const bool turns = !rotation_.is_none();
            kernels_.store(blocks, slot, count,
                           turns ? turned_keys(segment.row, slot, count, key, thread) : key, value);
        });
    }
}

/// Dense copies of some tokens' keys of one head, each turned by its id.
Strided<const float> FastSession::turned_keys(Index row, Index slot, Index count,
                                              const Strided<const float>& key, int thread) const {
    const Index width = spec_.key_width;
    float* const turned = turned_.data() + thread * stored_together * width;
    for (Index t = 0; t < count; ++t) {
        float* const to = turned + t * width;
        for (Index i = 0; i < width; ++i) to[i] = key.data[t * key.token + i * key.element];
        rotation_.turn(to, 1, cache_.row(row).id(slot + t));
    }
    return {turned, width, 0, 1};
}

/// The query rows of a task, made dense, turned and scaled.
void FastSession::gather(const Wave& wave, const Task& task, float* query) const {
    const Segment& segment = *task.segment;
    const auto from = wave.query.at(segment.row, segment.position + task.first, task.head * group_);
    if (rotation_.is_none()) {
        kernels_.gather(from, task.tokens, group_, spec_.key_width, query_factor_, query);
    } else {
        kernels_.gather(from, task.tokens, group_, spec_.key_width, 1, query);
        turn_queries(task, query);
    }
}

void FastSession::turn_queries(const Task& task, float* query) const {
    const Segment& segment = *task.segment;
    for (Index row = 0; row < task.tokens * group_; ++row) {
        const Index slot = segment.past + task.first + row / group_;
        float* const head = query + row * spec_.key_width;
        rotation_.turn(head, 1, cache_.row(segment.row).id(slot));
        for (Index i = 0; i < spec_.key_width; ++i) head[i] *= query_factor_;
    }
}

QueryRows FastSession::queries(const Wave& wave, const Task& task, const Scratch& scratch) const {
    const bool all = wave.sight == Sight::all;
    QueryRows rows{.rows = task.tokens * group_,
                   .group = group_,
                   .first_slot = task.segment->past + task.first,
                   .query = scratch.query,
                   .window = all ? no_window : spec_.window.value_or(no_window),
                   .cap = cap_,
                   .slopes = slopes_.empty() ? nullptr : slopes_.data() + task.head * group_,
                   .seen = nullptr,
                   .seen_blocks = 0};
    tree_masks_.describe(task, rows);
    return rows;
}

Upcoming FastSession::upcoming_rows(const Array<const float>& array, const Task& task,
                                    Index width) const {
    const Index first = task.segment->position + task.first;
    const auto rows = array.at(task.segment->row, first, task.head * group_);
    return {rows, rows.element == 1 ? task.tokens : 0, group_, width};
}

void FastSession::attend(const Wave& wave, Index number, const Scratch& scratch) const {
    const Task task = plan_.task(number);
    const Segment& segment = *task.segment;
    const QueryRows rows = queries(wave, task, scratch);
    gather(wave, task, scratch.query);
    const bool whole = segment.pieces == 1;
    const Softmax state = whole ? scratch.state : piece_states(task, task.piece);
    clear(state, rows.rows);
    if (!sinks_.empty() && task.piece == 0) add_sinks(task, state);
    Upcoming upcoming[2] = {};
    if (rows.rows >= announced_rows) {
        if (whole) upcoming[0] = upcoming_rows(wave.output.constant(), task, spec_.value_width);
        if (number + 1 < plan_.tasks()) {
            upcoming[1] = upcoming_rows(wave.query, plan_.task(number + 1), spec_.key_width);
        }
    }
    if (rows.window != no_window && rows.seen == nullptr) {
        attend_window(task, rows, state, upcoming);
    } else {
        // A piece may begin behind the last slot that the chunk sees, or that there is.
        const Index first = plan_.first_block(task);
        const Index last = std::min(plan_.last_block(task), cache_.row(segment.row).blocks());
        if (first < last) {
            kernels_.attend(cache_.head(segment.row, task.head), rows, first, last, state,
                            upcoming);
        }
    }
    if (whole) complete(wave, task, rows, scratch);
}

/// The blocks that the window of the first row, and so of any, still reaches, and before them those
/// of anchors.
void FastSession::attend_window(const Task& task, const QueryRows& rows, const Softmax& state,
                                const Upcoming (&upcoming)[2]) const {
    const HeadBlocks blocks = cache_.head(task.segment->row, task.head);
    const Index first = plan_.first_block(task);
    const Index last = plan_.last_block(task);
    const Index reached = std::max<Index>(rows.first_slot - rows.window + 1, 0) / block_slots;
    const Index anchored =
        std::min(reached, spec_.anchors ? cache_.row(task.segment->row).anchor_blocks() : 0);
    if (first < anchored) {
        kernels_.attend(blocks, rows, first, std::min(anchored, last), state, {});
    }
    if (std::max(first, reached) < last) {
        kernels_.attend(blocks, rows, std::max(first, reached), last, state, upcoming);
    }
}

void FastSession::merge(const Wave& wave, const Task& task, const Scratch& scratch) const {
    const Segment& segment = *task.segment;
    clear(scratch.state, task.tokens * group_);
    const Softmax parts = piece_states(task, 0);
    for (Index row = 0; row < task.tokens * group_; ++row) {
        kernels_.merge(parts, segment.pieces, segment.tokens * group_, row, scratch.state,
                       spec_.value_width);
    }
    if (wave.call.weights) gather(wave, task, scratch.query);
    complete(wave, task, queries(wave, task, scratch), scratch);
}

void FastSession::complete(const Wave& wave, const Task& task, const QueryRows& rows,
                           const Scratch& scratch) const {
    const Segment& segment = *task.segment;
    if (wave.call.log_sum_exp) {
        write_log_sum_exp(*wave.call.log_sum_exp, task, rows, scratch.state);
    }
    const float dead = spec_.dead_row == DeadRow::nan ? std::numeric_limits<float>::quiet_NaN() : 0;
    kernels_.finish(scratch.state, rows, spec_.value_width, dead,
                    wave.output.at(segment.row, segment.position + task.first, task.head * group_),
                    scratch.scale);
    if (wave.call.weights) write_weights(*wave.call.weights, task, rows, scratch);
}

Softmax FastSession::piece_states(const Task& task, Index piece) const {
    const Segment& segment = *task.segment;
    const Softmax all = state_at(states_.data(), plan_.states_max(), spec_.value_width);
    const Index row = segment.first_state +
                      (task.head * segment.pieces + piece) * segment.tokens * group_ +
                      task.first * group_;
    return {.output = all.output + row * padded(spec_.value_width),
            .reference = all.reference + row,
            .sum = all.sum + row * sum_lanes};
}

void FastSession::clear(const Softmax& state, Index rows) const {
    std::fill_n(state.output, rows * padded(spec_.value_width), 0.0F);
    std::fill_n(state.sum, rows * sum_lanes, 0.0F);
    std::fill_n(state.reference, rows, no_reference);
}

/// Each row begins with the sink of its head, as if that were a key it had seen.
void FastSession::add_sinks(const Task& task, const Softmax& state) const {
    for (Index row = 0; row < task.tokens * group_; ++row) {
        state.reference[row] = sinks_[std::size_t(task.head * group_ + row % group_)];
        state.sum[row * sum_lanes] = 1;
    }
}

FastSession::Scratch FastSession::scratch(int thread) const {
    const auto own = [first = thread * scratch_floats_](float* of_thread_0) {
        return of_thread_0 + first;
    };
    return {.query = own(scratch_0_.query),
            .state = {.output = own(scratch_0_.state.output),
                      .reference = own(scratch_0_.state.reference),
                      .sum = own(scratch_0_.state.sum)},
            .scale = own(scratch_0_.scale),
            .weights = own(scratch_0_.weights)};
}

}  // namespace kvcheck::fast
