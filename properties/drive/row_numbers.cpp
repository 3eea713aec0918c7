// SPDX-License-Identifier: Apache-2.0
// Comparing row numbers (declared in row_numbers.hpp).
#include "properties/drive/row_numbers.hpp"

namespace kvcheck {
namespace {

void judge_row(Judge& judge, const RowNumbers& seen, const RowNumbers& right, const Place& place) {
    std::vector<std::optional<Index>> rights;
    for_each_field(right, [&](std::string_view, const std::optional<Index>& number) {
        rights.push_back(number);
    });
    std::size_t n = 0;
    for_each_field(seen, [&](std::string_view name, const std::optional<Index>& number) {
        const std::optional<Index>& expected = rights[n++];
        if (number && expected) judge.count(*expected, *number, name, place);
    });
}

}  // namespace

void judge_numbers(Judge& judge, const CacheState& state, const std::vector<RowNumbers>& rows,
                   Index command) {
    Place place;
    place.command = command;
    for (place.row = 0; place.row < state.row_count(); ++place.row)
        judge_row(judge, rows[std::size_t(place.row)], state.numbers(place.row), place);
}

void judge_numbers(Judge& judge, const Case& test_case, const Run& run) {
    CacheState state(test_case.spec, position_count(test_case.spec, test_case.parameters));
    for (std::size_t n = 0; n < run.numbers.size() && !judge.failed(); ++n) {
        state.apply(test_case.program[n]);
        judge_numbers(judge, state, run.numbers[n], Index(n));
    }
}

}  // namespace kvcheck
