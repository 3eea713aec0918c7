// SPDX-License-Identifier: Apache-2.0
// Keeping the panels (declared in certified_panels.hpp).
#include "oracles/certified_panels.hpp"

#include <algorithm>

namespace kvcheck {
namespace {

/// Appends each head's part of a vector, or as many zeros, to that head's panel.
template <class Number>
void append_parts(std::vector<std::vector<Number>>& panels, const std::vector<double>& parts,
                  std::size_t width) {
    for (std::size_t head = 0; head < panels.size(); ++head) {
        std::vector<Number>& panel = panels[head];
        for (std::size_t d = 0; d < width; ++d) {
            panel.push_back(parts.empty() ? Number(0) : Number(parts[head * width + d]));
        }
    }
}

bool are_floats(const Certified::Ball& ball) {
    return ball.is_exact() && std::all_of(ball.value.begin(), ball.value.end(), [](double number) {
               return double(float(number)) == number;
           });
}

}  // namespace

Certified::Panels::Panels(const Spec& spec)
    : key_width_(std::size_t(spec.key_width)),
      value_width_(std::size_t(spec.value_width)),
      key_sums_(std::size_t(spec.kv_heads)),
      keys_(std::size_t(spec.kv_heads)),
      values_(std::size_t(spec.kv_heads)) {}

void Certified::Panels::follow(const std::vector<const Read*>& row) {
    const auto held = [](const Read* read) { return read->node->token.real ? read : nullptr; };
    std::size_t same = 0;
    while (same < row.size() && same < row_.size() && row_[same] == held(row[same])) ++same;
    row_.resize(same);
    exact_.resize(same);
    for (auto& panel : key_sums_) panel.resize(same);
    for (auto& panel : keys_) panel.resize(same * key_width_);
    for (auto& panel : values_) panel.resize(same * value_width_);
    for (std::size_t slot = same; slot < row.size(); ++slot) {
        const Read* const read = held(row[slot]);
        row_.push_back(read);
        static const std::vector<double> zeros;
        const bool is_real = read != nullptr;
        const bool exact = is_real && are_floats(read->key) && are_floats(read->value);
        exact_.push_back(exact);
        append_parts(key_sums_, is_real ? read->key_sums : zeros, 1);
        append_parts(keys_, exact ? read->key.value : zeros, key_width_);
        append_parts(values_, exact ? read->value.value : zeros, value_width_);
    }
}

}  // namespace kvcheck
