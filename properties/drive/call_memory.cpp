// SPDX-License-Identifier: Apache-2.0
#include "properties/drive/call_memory.hpp"

namespace kvcheck {

std::string_view name_of(CallArray array) {
    switch (array) {
        case CallArray::query:
            return "query";
        case CallArray::key:
            return "key";
        case CallArray::value:
            return "value";
        case CallArray::x:
            return "x";
        default:
            return "output";
    }
}

const std::vector<CallArray>& arrays_at(Level level) {
    static const std::vector<CallArray> attention = {CallArray::query, CallArray::key,
                                                     CallArray::value, CallArray::output};
    static const std::vector<CallArray> layer = {CallArray::x, CallArray::output};
    return level == Level::attention ? attention : layer;
}

Shape shape_of(CallArray array, const Spec& spec, Index tokens) {
    const bool layer = spec.level == Level::layer;
    if (layer != (array == CallArray::x) && array != CallArray::output) return {};
    switch (array) {
        case CallArray::query:
            return {spec.rows, tokens, spec.query_heads, spec.key_width};
        case CallArray::key:
            return {spec.rows, tokens, spec.kv_heads, spec.key_width};
        case CallArray::value:
            return {spec.rows, tokens, spec.kv_heads, spec.value_width};
        case CallArray::output:
            if (!layer) return {spec.rows, tokens, spec.query_heads, spec.value_width};
            [[fallthrough]];
        default:
            return {spec.rows, tokens, spec.model_width};
    }
}

GuardedArray CallMemory::array(CallArray array) const {
    const Shape shape = shape_of(array, spec_, tokens_);
    const Layout layout = options_.arrangement.layout[std::size_t(array)];
    return {
        options_.element, shape,
        GuardedArray::Options{
            .placement = placed(shape, layout, options_.arrangement.offset, room_), .room = room_}};
}

CallMemory::CallMemory(const Spec& spec, const Append& append, const CallOptions& options,
                       const Damage* damage)
    : spec_(spec),
      tokens_(count_max(append)),
      options_(options),
      room_(damage == nullptr ? 0 : 1),
      arrays_{array(CallArray::query), array(CallArray::key), array(CallArray::value),
              array(CallArray::x), array(CallArray::output)},
      weights_(options.element, {spec.rows, spec.query_heads, tokens_, options.slots}) {
    if (spec.level == Level::layer) {
        fill(CallArray::x, append, 0);
    } else {
        fill(CallArray::query, append, 0);
        fill(CallArray::key, append, spec.query_size());
        fill(CallArray::value, append, spec.query_size() + spec.key_size());
    }
    for (const auto& row : append.rows) {
        counts_.push_back(Index(row.size()));
        for (Index t = 0; t < tokens_; ++t) {
            real_.push_back(t < Index(row.size()) && row[std::size_t(t)].real ? 1 : 0);
        }
    }
    if (append.query_offset) offsets_ = *append.query_offset;
    call_.query = at(CallArray::query).input();
    call_.key = at(CallArray::key).input();
    call_.value = at(CallArray::value).input();
    call_.x = at(CallArray::x).input();
    call_.output = at(CallArray::output).output();
    if (options.with_weights) call_.weights = weights_.output();
    if (damage != nullptr) apply(*damage);
    call_.counts = counts_;
    call_.real = real_;
    if (!offsets_.empty()) call_.query_offset = offsets_;
}

/// A token's floats from `begin` on are its part of the array.
void CallMemory::fill(CallArray which, const Append& append, Index begin) {
    const Shape shape = shape_of(which, spec_, tokens_);
    const Index size = shape.extent[2] * (shape.rank == 4 ? shape.extent[3] : 1);
    for (Index r = 0; r < spec_.rows; ++r) {
        const auto& given = append.rows[std::size_t(r)];
        for (Index t = 0; t < tokens_; ++t) {
            if (t < Index(given.size())) {
                const std::span<const float> input = given[std::size_t(t)].input;
                at(which).write({r, t}, input.subspan(std::size_t(begin), std::size_t(size)));
            } else {
                at(which).fill({r, t}, options_.beyond_count);
            }
        }
    }
    at(which).seal();
}

void CallMemory::apply(const Damage& damage) {
    if (damage.query_offset) offsets_ = *damage.query_offset;
    if (damage.count) counts_[std::size_t(damage.count->row)] = damage.count->count;
    counts_.resize(std::size_t(spec_.rows + damage.rows), 0);
    real_.resize(std::size_t((spec_.rows + damage.rows) * tokens_), 0);
    const auto change = [&](CallArray array, auto& view) {
        for (const Damage::Extent& extent : damage.extents) {
            if (extent.array == array) view.shape.extent[extent.dimension] += extent.change;
        }
        for (const CallArray changed : damage.other_type) {
            if (changed != array) continue;
            view.type = options_.element == ElementType::f32 ? ElementType::f64 : ElementType::f32;
        }
    };
    change(CallArray::query, call_.query);
    change(CallArray::key, call_.key);
    change(CallArray::value, call_.value);
    change(CallArray::x, call_.x);
    change(CallArray::output, call_.output);
    if (call_.weights) call_.weights->shape.extent[0] += damage.rows;
}

double CallMemory::output(Index row, Index t, Index i) const {
    const GuardedArray& output = at(CallArray::output);
    if (spec_.level == Level::layer) return output.get({row, t, i});
    return output.get({row, t, i / spec_.value_width, i % spec_.value_width});
}

bool CallMemory::is_written(Index row, Index t, Index i) const {
    const GuardedArray& output = at(CallArray::output);
    if (spec_.level == Level::layer) return !output.is_untouched({row, t, i});
    return !output.is_untouched({row, t, i / spec_.value_width, i % spec_.value_width});
}

double CallMemory::weight(Index row, Index head, Index t, Index slot) const {
    return weights_.get({row, head, t, slot});
}

std::string CallMemory::fault() const {
    for (const CallArray input :
         {CallArray::query, CallArray::key, CallArray::value, CallArray::x}) {
        if (!at(input).unchanged()) return "append changed one of its inputs, or memory around it";
    }
    if (!at(CallArray::output).only_elements_changed() || !weights_.only_elements_changed()) {
        return "append wrote outside the elements of its outputs";
    }
    return {};
}

}  // namespace kvcheck
