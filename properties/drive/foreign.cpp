// SPDX-License-Identifier: Apache-2.0
// Changing one thing (declared in foreign.hpp).
#include "properties/drive/foreign.hpp"

#include "model/types/arrays.hpp"
#include "model/types/error.hpp"
#include "model/types/spec_fields.hpp"

namespace kvcheck {

std::vector<Foreign> other_specs(const Spec& spec, const Parameters& parameters,
                                 const FeatureSet& features) {
    std::vector<Foreign> list;
    const auto add = [&](const char* what, const auto& change) {
        Foreign foreign{what, spec, parameters};
        change(foreign.spec);
        if (!features.has_all(needed_by(foreign.spec))) return;
        try {
            validate(foreign.spec, "spec");
            validate(foreign.spec, foreign.parameters, "parameters");
        } catch (const InputError&) {
            return;
        }
        list.push_back(std::move(foreign));
    };
    add("one row more", [](Spec& other) { ++other.rows; });
    add("another scale", [](Spec& other) { other.scale = other.scale == 2.0F ? 3.0F : 2.0F; });
    add("another window", [](Spec& other) { other.window = other.window.value_or(0) + 1; });
    add("wider keys", [](Spec& other) { ++other.key_width; });
    add("wider values", [](Spec& other) { ++other.value_width; });
    add("other position ids", [](Spec& other) {
        const bool by_slot = other.position_ids == PositionIds::slot;
        other.position_ids = by_slot ? PositionIds::visible_count : PositionIds::slot;
    });
    add("other storage", [](Spec& other) {
        const bool whole = other.storage == Storage::element;
        other.storage = whole ? Storage::bf16 : Storage::element;
    });
    return list;
}

std::vector<Foreign> other_parameters(const Spec& spec, const Parameters& parameters,
                                      std::uint64_t seed) {
    std::vector<Foreign> list;
    for (const ParameterArray& array : parameter_arrays()) {
        if (array.in(parameters).empty()) continue;
        Foreign foreign{"another number in " + array.path(), spec, parameters};
        std::vector<float>& numbers = array.in(foreign.parameters);
        float& number = numbers[std::size_t(seed % numbers.size())];
        number = number == 0 ? 1 : -number;
        list.push_back(std::move(foreign));
    }
    return list;
}

}  // namespace kvcheck
