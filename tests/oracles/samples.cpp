// SPDX-License-Identifier: Apache-2.0
#include "tests/oracles/samples.hpp"

#include "properties/generators/structure.hpp"

namespace kvcheck {

RowSample row_sample(std::uint64_t n, Index slots_max, Index width_max) {
    Draw draw(SplitMix{n});
    RowSample sample;
    sample.family = Family(n % std::uint64_t(family_count));
    sample.spec.query_heads = draw.range(1, 2);
    sample.spec.key_width = draw.range(1, width_max);
    sample.spec.value_width = draw.range(1, width_max);
    const Index slots = draw.range(1, slots_max);
    sample.spec.capacity = slots;
    const bool scaled = draw.percent(30);
    if (scaled) sample.spec.scale = 0.3F;
    Case test_case{sample.spec, {}, {}};
    Append append;
    auto& row = append.rows.emplace_back();
    const Index padded_percent = draw.pick<Index>({0, 0, 10, 50});
    for (Index slot = 0; slot < slots; ++slot) {
        row.push_back(zero_token(sample.spec, !draw.percent(padded_percent)));
    }
    test_case.program.emplace_back(std::move(append));
    fill_values(test_case, {sample.family, draw.bits()}, true);
    sample.tokens = std::get<Append>(test_case.program.front()).rows.front();
    return sample;
}

}  // namespace kvcheck
