// SPDX-License-Identifier: Apache-2.0
// Layout of a call, damage, and reading back (declared in call_memory.hpp).
#include "properties/drive/call_memory.hpp"

namespace kvcheck {

GuardedArray CallMemory::array(const TokenArray& array) const {
    const Shape shape = call_shape(array, spec_, tokens_);
    const Layout layout = options_.arrangement.layout[std::size_t(array.role)];
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
      output_(array(output_array(spec.level))),
      weights_(options.element, {spec.rows, spec.query_heads, tokens_, options.slots}),
      log_sum_exp_(options.element,
                   {spec.rows, options.with_log_sum_exp ? tokens_ : 0, spec.query_heads}) {
    for_each_input(spec, [&](const TokenArray& input, Index begin, Index) {
        GuardedArray& memory = inputs_.emplace_back(array(input));
        fill(memory, input, append, begin);
        input_of(call_, input.role) = memory.input();
    });
    for (const auto& row : append.rows) {
        counts_.push_back(Index(row.size()));
        for (Index t = 0; t < tokens_; ++t) {
            real_.push_back(t < Index(row.size()) && row[std::size_t(t)].real ? 1 : 0);
        }
    }
    for (const auto& row : append.rows) {
        for (Index t = 0; t < tokens_ && has_branches(append); ++t) {
            backs_.push_back(t < Index(row.size()) ? row[std::size_t(t)].back : 1);
        }
    }
    if (append.query_offset) offsets_ = *append.query_offset;
    call_.output = output_.output();
    if (options.with_weights) call_.weights = weights_.output();
    if (options.with_log_sum_exp) call_.log_sum_exp = log_sum_exp_.output();
    if (damage != nullptr) apply(*damage);
    call_.counts = counts_;
    call_.real = real_;
    if (!offsets_.empty()) call_.query_offset = offsets_;
    if (!backs_.empty()) call_.back = backs_;
}

/// A token's floats from `begin` on are its part of the array.
void CallMemory::fill(GuardedArray& memory, const TokenArray& array, const Append& append,
                      Index begin) {
    const Index size = extent_of(array.axis, spec_).size();
    for (Index r = 0; r < spec_.rows; ++r) {
        const auto& given = append.rows[std::size_t(r)];
        for (Index t = 0; t < tokens_; ++t) {
            if (t < Index(given.size())) {
                const std::span<const float> input = given[std::size_t(t)].input;
                memory.write({r, t}, input.subspan(std::size_t(begin), std::size_t(size)));
            } else {
                memory.fill({r, t}, options_.beyond_count);
            }
        }
    }
    memory.seal();
}

void CallMemory::apply(const Damage& damage) {
    if (damage.query_offset) offsets_ = *damage.query_offset;
    if (damage.count) counts_[std::size_t(damage.count->row)] = damage.count->count;
    counts_.resize(std::size_t(spec_.rows + damage.rows), 0);
    real_.resize(std::size_t((spec_.rows + damage.rows) * tokens_), 0);
    if (!backs_.empty()) backs_.resize(real_.size(), 1);
    if (damage.back) backs_ = std::vector<Index>(real_.size(), 1);
    if (damage.back) backs_[std::size_t(damage.back->row * tokens_)] = damage.back->count;
    const auto change = [&](Role role, auto& view) {
        for (const Damage::Extent& extent : damage.extents) {
            if (extent.array == role) view.shape.extent[extent.dimension] += extent.change;
        }
        for (const Role changed : damage.other_type) {
            if (changed != role) continue;
            view.type = options_.element == ElementType::f32 ? ElementType::f64 : ElementType::f32;
        }
    };
    for (const TokenArray& array : input_arrays(spec_.level)) {
        change(array.role, input_of(call_, array.role));
    }
    change(Role::output, call_.output);
    if (call_.weights) call_.weights->shape.extent[0] += damage.rows;
    if (call_.log_sum_exp) call_.log_sum_exp->shape.extent[0] += damage.rows;
}

std::vector<double> CallMemory::output(Index row, Index t) const {
    std::vector<double> output(std::size_t(spec_.output_size()));
    output_.read({row, t}, output);
    return output;
}

bool CallMemory::is_written(Index row, Index t) const { return !output_.has_untouched({row, t}); }

std::vector<double> CallMemory::weights(Index row, Index head, Index t, Index slots) const {
    std::vector<double> weights(std::size_t(options_.slots));
    weights_.read({row, head, t}, weights);
    weights.resize(std::size_t(slots));
    return weights;
}

std::vector<double> CallMemory::log_sum_exp(Index row, Index t) const {
    std::vector<double> list(std::size_t(spec_.query_heads));
    log_sum_exp_.read({row, t}, list);
    return list;
}

std::string CallMemory::fault() const {
    for (const GuardedArray& input : inputs_) {
        if (!input.unchanged()) return "append changed one of its inputs, or memory around it";
    }
    if (!output_.only_elements_changed() || !weights_.only_elements_changed() ||
        !log_sum_exp_.only_elements_changed()) {
        return "append wrote outside the elements of its outputs";
    }
    return {};
}

}  // namespace kvcheck
