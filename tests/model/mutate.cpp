// SPDX-License-Identifier: Apache-2.0
#include "tests/model/mutate.hpp"

#include <algorithm>

namespace kvcheck {
namespace {

const std::vector<std::string>& tokens() {
    static const std::vector<std::string> list = {"{",
                                                  "}",
                                                  "[",
                                                  "]",
                                                  ",",
                                                  ":",
                                                  "\"",
                                                  "null",
                                                  "true",
                                                  "false",
                                                  "[]",
                                                  "{}",
                                                  "\"\"",
                                                  "\"nan\"",
                                                  "\"-inf\"",
                                                  "\"-0\"",
                                                  "[[",
                                                  "]]",
                                                  "\"real\":",
                                                  "\"append\":",
                                                  "\\u0000",
                                                  "\"\\ud800\"",
                                                  "//",
                                                  "\xff",
                                                  "\xef\xbb\xbf",
                                                  "{\"reset\":{}},"};
    return list;
}

const std::vector<std::string>& numbers() {
    static const std::vector<std::string> list = {"0",
                                                  "1",
                                                  "-1",
                                                  "2",
                                                  "3",
                                                  "1048576",
                                                  "1048577",
                                                  "-0",
                                                  "-0.0",
                                                  "0.5",
                                                  "1e400",
                                                  "1e-400",
                                                  "1e38",
                                                  "-3.4028235e38",
                                                  "1e39",
                                                  "1.0",
                                                  "2147483648",
                                                  "1099511627776",
                                                  "9223372036854775807",
                                                  "9223372036854775808",
                                                  "-9223372036854775808",
                                                  "18446744073709551616",
                                                  "1e",
                                                  "0x10",
                                                  "01",
                                                  "NaN"};
    return list;
}

struct Span {
    std::size_t begin, size;
};

Span draw_span(const std::string& text, Draw& draw) {
    constexpr Index longest = 40;
    const std::size_t begin = std::size_t(draw.below(Index(text.size()) + 1));
    const Index size = draw.range(1, longest);
    return {begin, std::min(text.size() - begin, std::size_t(size))};
}

/// The first number at or after a drawn place.
Span draw_number(const std::string& text, Draw& draw) {
    const auto from = std::size_t(draw.below(Index(text.size()) + 1));
    const std::size_t begin = text.find_first_of("0123456789", from);
    if (begin == std::string::npos) return {text.size(), 0};
    const std::size_t end = text.find_first_not_of("0123456789.eE+-", begin);
    return {begin, std::min(end, text.size()) - begin};
}

void damage_text(std::string& text, const std::string& other, Draw& draw) {
    const Index way = draw.below(7);
    const Span span = draw_span(text, draw);
    const std::string chunk = text.substr(span.begin, span.size);
    if (way == 0 && !chunk.empty()) {
        text[span.begin] = char(draw.below(256));
    } else if (way == 1 && !chunk.empty()) {
        text[span.begin] = char(text[span.begin] ^ char(1 << draw.below(7)));
    } else if (way == 2) {
        text.erase(span.begin, span.size);
    } else if (way == 3) {
        text.insert(span.begin, draw.pick(tokens()));
    } else if (way == 4) {
        text.insert(std::size_t(draw.below(Index(text.size()) + 1)), chunk);
    } else if (way == 5) {
        const Span tail = draw_span(other, draw);
        text = text.substr(0, span.begin) + other.substr(tail.begin);
    } else {
        const Span number = draw_number(text, draw);
        text.replace(number.begin, number.size, draw.pick(numbers()));
    }
}

/// A drawn value inside `json`, which may be `json` itself.
template <class AnyJson>
AnyJson& draw_node(AnyJson& json, Draw& draw) {
    AnyJson* node = &json;
    while (node->is_structured() && !node->empty() && !draw.percent(12)) {
        auto child = node->begin();
        std::advance(child, draw.below(Index(node->size())));
        node = &*child;
    }
    return *node;
}

void damage_json(Json& json, const Json& other, Draw& draw) {
    Json& node = draw_node(json, draw);
    const Index way = draw.below(5);
    if (way == 0) {
        node = Json::parse(draw.pick(numbers()), nullptr, false);
        if (node.is_discarded()) node = "nan";
    } else if (way == 1) {
        const Json copy = draw_node(other, draw);
        node = copy;
    } else if (way == 2 && node.is_array() && !node.empty()) {
        const Json copy = node[std::size_t(draw.below(Index(node.size())))];
        node.push_back(copy);
    } else if (way == 3 && node.is_structured() && !node.empty()) {
        auto child = node.begin();
        std::advance(child, draw.below(Index(node.size())));
        node.erase(child);
    } else if (node.is_number()) {
        node = double(draw.range(-8, 8)) / 4;
    } else if (node.is_boolean()) {
        node = !node.get<bool>();
    }
}

}  // namespace

Damage::Damage(std::vector<std::string> texts) : texts_(std::move(texts)) {
    for (const std::string& text : texts_) parsed_.push_back(Json::parse(text));
}

std::string Damage::damaged(Draw& draw) const {
    const auto one = std::size_t(draw.below(Index(texts_.size())));
    const auto other = std::size_t(draw.below(Index(texts_.size())));
    const Index places = draw.range(1, 4);
    if (draw.percent(50)) {
        std::string text = texts_[one];
        for (Index n = 0; n < places; ++n) damage_text(text, texts_[other], draw);
        return text;
    }
    Json json = parsed_[one];
    for (Index n = 0; n < places; ++n) damage_json(json, parsed_[other], draw);
    return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace kvcheck
