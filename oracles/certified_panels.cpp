// SPDX-License-Identifier: Apache-2.0
// Keeping the panels (declared in certified_panels.hpp).
#include "oracles/certified_panels.hpp"

namespace kvcheck {
namespace {

/// Appends each head's part of a vector, or as many zeros, to that head's panel.
void append_parts(std::vector<std::vector<double>>& panels, const std::vector<double>& parts,
                  std::size_t width) {
    for (std::size_t head = 0; head < panels.size(); ++head) {
        std::vector<double>& panel = panels[head];
        if (parts.empty()) {
            panel.resize(panel.size() + width);
            continue;
        }
        const double* const first = parts.data() + head * width;
        panel.insert(panel.end(), first, first + width);
    }
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
        const bool is_real = read != nullptr;
        exact_.push_back(is_real && read->key.is_exact() && read->value.is_exact());
        append_parts(key_sums_, is_real ? read->key_sums : std::vector<double>(), 1);
        append_parts(keys_, is_real ? read->key.value : std::vector<double>(), key_width_);
        append_parts(values_, is_real ? read->value.value : std::vector<double>(), value_width_);
    }
}

}  // namespace kvcheck
