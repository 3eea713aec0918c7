// SPDX-License-Identifier: Apache-2.0
// The parameters of a layer in the layout of the kernels (declared in layer.hpp).
#include "impl/fast/layer.hpp"

#include <algorithm>

namespace kvcheck::fast {
namespace {

/// Tokens of a wave: many for each read of a matrix, few enough for the arrays to stay near.
constexpr Index wave_tokens = 192;

}  // namespace

LayerArrays::LayerArrays(const Spec& spec, const Parameters& parameters)
    : query_weight(parameters.query, spec.model_width, spec.query_size()),
      key_weight(parameters.key, spec.model_width, spec.key_size()),
      value_weight(parameters.value, spec.model_width, spec.value_size()),
      output_weight(parameters.output, spec.attended_size(), spec.model_width),
      position_table(Index(parameters.position_table.size())),
      tokens_max(std::min(wave_tokens, spec.rows * spec.capacity)),
      x{nullptr, padded(spec.model_width)},
      query{nullptr, padded(spec.query_size())},
      key{nullptr, padded(spec.key_size())},
      value{nullptr, padded(spec.value_size())},
      attended{nullptr, padded(spec.attended_size())},
      y{nullptr, padded(spec.model_width)} {
    std::copy(parameters.position_table.begin(), parameters.position_table.end(),
              position_table.data());
    Index floats = 0;
    TokenArray* const arrays[] = {&x, &query, &key, &value, &attended, &y};
    for (const TokenArray* array : arrays) floats += array->stride * tokens_max;
    memory = Memory(floats);
    float* at = memory.data();
    for (TokenArray* array : arrays) {
        array->data = at;
        at += array->stride * tokens_max;
    }
}

}  // namespace kvcheck::fast
