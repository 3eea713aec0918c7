// SPDX-License-Identifier: Apache-2.0
#include "properties/call_memory.hpp"

namespace kvcheck {

/// Which floats of a token's input form an array.
struct CallMemory::Part {
    Index begin;
    Index heads;
    Index width;
};

namespace {

/// Absent arrays have a shape without dimensions.
Shape at_level(bool present, std::initializer_list<Index> extents) {
    return present ? Shape(extents) : Shape{};
}

}  // namespace

GuardedArray CallMemory::array(const Shape& shape) const {
    return {options_.element, shape, options_.layout, room_};
}

CallMemory::CallMemory(const Spec& spec, const Append& append, const CallOptions& options,
                       const Damage* damage)
    : spec_(spec),
      tokens_(count_max(append)),
      options_(options),
      room_(damage == nullptr ? 0 : 1),
      query_(array(at_level(spec.level == Level::attention,
                            {spec.rows, tokens_, spec.query_heads, spec.key_width}))),
      key_(array(at_level(spec.level == Level::attention,
                          {spec.rows, tokens_, spec.kv_heads, spec.key_width}))),
      value_(array(at_level(spec.level == Level::attention,
                            {spec.rows, tokens_, spec.kv_heads, spec.value_width}))),
      x_(array(at_level(spec.level == Level::layer, {spec.rows, tokens_, spec.model_width}))),
      output_(array(spec.level == Level::layer
                        ? Shape{spec.rows, tokens_, spec.model_width}
                        : Shape{spec.rows, tokens_, spec.query_heads, spec.value_width})),
      weights_(array({spec.rows, spec.query_heads, tokens_, options.slots})) {
    if (spec.level == Level::layer) {
        fill(x_, append, {0, 1, spec.model_width});
    } else {
        fill(query_, append, {0, spec.query_heads, spec.key_width});
        fill(key_, append, {spec.query_size(), spec.kv_heads, spec.key_width});
        fill(value_, append,
             {spec.query_size() + spec.key_size(), spec.kv_heads, spec.value_width});
    }
    for (const auto& row : append.rows) {
        counts_.push_back(Index(row.size()));
        for (Index t = 0; t < tokens_; ++t) {
            real_.push_back(t < Index(row.size()) && row[std::size_t(t)].real ? 1 : 0);
        }
    }
    if (append.query_offset) offsets_ = *append.query_offset;
    call_.query = query_.input();
    call_.key = key_.input();
    call_.value = value_.input();
    call_.x = x_.input();
    call_.output = output_.output();
    if (options.with_weights) call_.weights = weights_.output();
    if (damage != nullptr) apply(*damage);
    call_.counts = counts_;
    call_.real = real_;
    if (!offsets_.empty()) call_.query_offset = offsets_;
}

void CallMemory::fill(GuardedArray& array, const Append& append, const Part& part) {
    for (Index r = 0; r < spec_.rows; ++r) {
        const auto& given = append.rows[std::size_t(r)];
        for (Index t = 0; t < tokens_; ++t) {
            const bool inside = t < Index(given.size());
            for (Index i = 0; i < part.heads * part.width; ++i) {
                const float number = inside
                                         ? given[std::size_t(t)].input[std::size_t(part.begin + i)]
                                         : options_.beyond_count;
                if (spec_.level == Level::layer) {
                    array.set({r, t, i}, number);
                } else {
                    array.set({r, t, i / part.width, i % part.width}, number);
                }
            }
        }
    }
    array.seal();
}

void CallMemory::apply(const Damage& damage) {
    if (damage.query_offset) offsets_ = *damage.query_offset;
    if (damage.count_of_row_0) counts_[0] = *damage.count_of_row_0;
    counts_.resize(std::size_t(spec_.rows + damage.rows), 0);
    real_.resize(std::size_t((spec_.rows + damage.rows) * tokens_), 0);
    const ElementType other =
        options_.element == ElementType::f32 ? ElementType::f64 : ElementType::f32;
    for (InputView* view : {&call_.query, &call_.key, &call_.value, &call_.x}) {
        view->shape.extent[0] += damage.rows;
        if (damage.other_type) view->type = other;
    }
    call_.output.shape.extent[0] += damage.rows;
    if (call_.weights) call_.weights->shape.extent[0] += damage.rows;
    call_.query.shape.extent[2] += damage.query_heads;
    call_.key.shape.extent[2] += damage.kv_heads;
    call_.value.shape.extent[2] += damage.kv_heads;
    call_.query.shape.extent[3] += damage.key_width;
    call_.key.shape.extent[3] += damage.key_width;
    call_.value.shape.extent[3] += damage.value_width;
    call_.x.shape.extent[2] += damage.model_width;
    call_.output.shape.extent[std::size_t(call_.output.shape.rank - 1)] += damage.output_width;
}

double CallMemory::output(Index row, Index t, Index i) const {
    if (spec_.level == Level::layer) return output_.get({row, t, i});
    return output_.get({row, t, i / spec_.value_width, i % spec_.value_width});
}

bool CallMemory::is_written(Index row, Index t, Index i) const {
    if (spec_.level == Level::layer) return !output_.is_untouched({row, t, i});
    return !output_.is_untouched({row, t, i / spec_.value_width, i % spec_.value_width});
}

double CallMemory::weight(Index row, Index head, Index t, Index slot) const {
    return weights_.get({row, head, t, slot});
}

std::string CallMemory::fault() const {
    for (const GuardedArray* input : {&query_, &key_, &value_, &x_}) {
        if (!input->unchanged()) return "append changed one of its inputs, or memory around it";
    }
    for (const GuardedArray* output : {&output_, &weights_}) {
        if (!output->only_elements_changed()) {
            return "append wrote outside the elements of its outputs";
        }
    }
    return {};
}

}  // namespace kvcheck
