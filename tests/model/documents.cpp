// SPDX-License-Identifier: Apache-2.0
#include "tests/model/documents.hpp"

#include "model/case_file.hpp"

namespace kvcheck {

std::string document(const std::string& name) {
    return read_text_file(std::string(KVCHECK_SOURCE) + "/docs/" + name);
}

std::vector<std::string> documented_case_files() {
    const std::string text = document("case_file.md");
    const std::string opening = "```json\n";
    std::vector<std::string> blocks;
    std::size_t begin = text.find(opening);
    while (begin != std::string::npos) {
        begin += opening.size();
        const std::size_t end = text.find("```", begin);
        blocks.push_back(text.substr(begin, end - begin));
        begin = text.find(opening, end);
    }
    return blocks;
}

}  // namespace kvcheck
