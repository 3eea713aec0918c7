// SPDX-License-Identifier: Apache-2.0
// Turning heads (declared in rotary.hpp): (a, b) becomes (a cos - b sin, b cos + a sin).
#include "impl/fast/rotary.hpp"

namespace kvcheck::fast {

Rotation::Rotation(const Spec& spec, const Parameters& parameters)
    : width_(spec.turned_width()),
      adjacent_(spec.rotary == Rotary::adjacent),
      table_(parameters.rotary_table) {}

void Rotation::turn(float* head, Index stride, Index id) const { turn(head, stride, id, 1); }

void Rotation::turn_back(float* head, Index id) const { turn(head, 1, id, -1); }

void Rotation::turn(float* head, Index stride, Index id, float direction) const {
    const float* const cosine = table_.data() + id * width_;
    const float* const sine = cosine + width_ / 2;
    for (Index i = 0; i < width_ / 2; ++i) {
        float& a = head[(adjacent_ ? 2 * i : i) * stride];
        float& b = head[(adjacent_ ? 2 * i + 1 : width_ / 2 + i) * stride];
        const float turned = a * cosine[i] - b * (direction * sine[i]);
        b = b * cosine[i] + a * (direction * sine[i]);
        a = turned;
    }
}

}  // namespace kvcheck::fast
