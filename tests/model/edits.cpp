// SPDX-License-Identifier: Apache-2.0
#include "tests/model/edits.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/case_file.hpp"
#include "model/types/json.hpp"
#include "tests/model/documents.hpp"
#include "tests/model/refusal.hpp"

namespace kvcheck {

std::string edited(Example example, const std::string& pointer, const std::string& value) {
    Json json = Json::parse(documented_case_files().at(example));
    const Json::json_pointer at(pointer);
    if (value.empty())
        json.at(at.parent_pointer()).erase(at.back());
    else
        json[at] = Json::parse(value);
    return json.dump();
}

std::string refusal_of_text(const std::string& text) {
    return refusal_of([&] { case_file_from_text(text, "a.json"); });
}

void expect_refusals(const std::vector<Edit>& table) {
    for (const Edit& edit : table) {
        EXPECT_EQ(refusal_of_text(edited(edit.example, edit.pointer, edit.value)),
                  "a.json" + edit.refusal);
    }
}

}  // namespace kvcheck
