// SPDX-License-Identifier: Apache-2.0
// JSON documents that are nearly case files: an example of docs/case_file.md with one value
// changed, and what the reader must say of it, word for word.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kvcheck {

enum Example : std::size_t { attention, layer };

/// The example with the value at `pointer` replaced; an empty `value` removes it.
std::string edited(Example example, const std::string& pointer, const std::string& value);

/// What the reader says of a text that it is told to call a.json.
std::string refusal_of_text(const std::string& text);

struct Edit {
    Example example;
    std::string pointer;
    std::string value;
    std::string refusal;  // without the "a.json" that opens it
};
void expect_refusals(const std::vector<Edit>& table);

}  // namespace kvcheck
