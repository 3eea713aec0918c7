// SPDX-License-Identifier: Apache-2.0
// Row numbers in both forms (declared in row_numbers_wire.hpp).
#include "impl/protocol/row_numbers_wire.hpp"

#include <nlohmann/json.hpp>

namespace kvcheck {
namespace {

constexpr Index words_of_a_number = 2;  // whether there is one, and which

RowNumbers numbers_of(const JsonPlace& place) {
    place.only_members({row_number_names.begin(), row_number_names.end()});
    RowNumbers numbers;
    for_each_field(numbers, [&](std::string_view name, std::optional<Index>& number) {
        const auto member = place.optional_member(name);
        if (!member || member->value().is_null()) return;
        if (!member->value().is_number_integer()) member->fail("an integer or null");
        number = member->value().get<Index>();
    });
    return numbers;
}

}  // namespace

Json wire_json(std::span<const RowNumbers> rows) {
    Json list = Json::array();
    for (const RowNumbers& row : rows) {
        Json json = Json::object();
        for_each_field(row, [&](std::string_view name, const std::optional<Index>& number) {
            if (number) json[std::string(name)] = *number;
        });
        list.push_back(std::move(json));
    }
    return list;
}

void read_numbers(const Json& done, std::span<RowNumbers> rows) {
    const JsonPlace list = JsonPlace(done, "numbers.done").member("rows");
    const auto elements = list.elements();
    if (elements.size() != rows.size()) list.fail("an array of " + std::to_string(rows.size()));
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = numbers_of(elements[r]);
}

Index numbers_frame_words(std::span<const RowNumbers> rows) {
    return 1 + Index(rows.size() * row_number_names.size()) * words_of_a_number;
}

void write_numbers(FrameWriter& frame, std::span<const RowNumbers> rows) {
    frame.word(Index(rows.size()));
    for (const RowNumbers& row : rows) {
        for_each_field(row, [&](std::string_view, const std::optional<Index>& number) {
            frame.word(number ? 1 : 0);
            frame.word(number.value_or(0));
        });
    }
}

void read_numbers(FrameReader& frame, std::span<RowNumbers> rows) {
    const auto count = Index(rows.size());
    frame.word("rows", count, count);
    for (RowNumbers& row : rows) {
        for_each_field(row, [&](std::string_view name, std::optional<Index>& number) {
            const bool has = frame.word(name, 0, 1) != 0;
            const Index value = frame.word(name);
            number = has ? std::optional(value) : std::nullopt;
        });
    }
}

}  // namespace kvcheck
