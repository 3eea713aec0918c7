// SPDX-License-Identifier: Apache-2.0
// Fewer heads and narrower vectors. All of it is one operation: keeping some of the heads and some
// of the elements, in the tokens and in every projection that mentions them.
#include "properties/search/shrink.hpp"

namespace kvcheck {
namespace {

using Shared = std::shared_ptr<const Case>;
using Indices = std::vector<Index>;

Indices all(Index count) {
    Indices indices;
    for (Index i = 0; i < count; ++i) indices.push_back(i);
    return indices;
}

/// What is kept of each dimension.
struct Kept {
    Indices query_heads, kv_heads, key_elements, value_elements, model_elements;

    explicit Kept(const Spec& spec)
        : query_heads(all(spec.query_heads)),
          kv_heads(all(spec.kv_heads)),
          key_elements(all(spec.key_width)),
          value_elements(all(spec.value_width)),
          model_elements(all(spec.model_width)) {}
};

/// Flat indices of the kept elements of the kept heads.
Indices flat(const Indices& heads, const Indices& elements, Index width) {
    Indices indices;
    for (const Index head : heads) {
        for (const Index element : elements) indices.push_back(head * width + element);
    }
    return indices;
}

std::vector<float> picked(const std::vector<float>& values, const Indices& indices,
                          Index offset = 0) {
    std::vector<float> result;
    for (const Index i : indices) result.push_back(values[std::size_t(offset + i)]);
    return result;
}

Projection picked(const Projection& projection, const Indices& out, const Indices& in,
                  Index width) {
    Projection result;
    for (const Index row : out) {
        for (const Index column : in) {
            result.weight.push_back(projection.weight[std::size_t(row * width + column)]);
        }
    }
    if (!projection.bias.empty()) result.bias = picked(projection.bias, out);
    return result;
}

Case keep(const Case& value, const Kept& kept) {
    const Spec& spec = value.spec;
    Case result = value;
    result.spec.query_heads = Index(kept.query_heads.size());
    result.spec.kv_heads = Index(kept.kv_heads.size());
    result.spec.key_width = Index(kept.key_elements.size());
    result.spec.value_width = Index(kept.value_elements.size());
    result.spec.model_width = Index(kept.model_elements.size());
    const Indices query = flat(kept.query_heads, kept.key_elements, spec.key_width);
    const Indices key = flat(kept.kv_heads, kept.key_elements, spec.key_width);
    const Indices values = flat(kept.kv_heads, kept.value_elements, spec.value_width);
    const Indices attended = flat(kept.query_heads, kept.value_elements, spec.value_width);
    const bool layer = spec.level == Level::layer;
    if (layer) {
        const Indices& model = kept.model_elements;
        Parameters& parameters = result.parameters;
        parameters.query = picked(parameters.query, query, model, spec.model_width);
        parameters.key = picked(parameters.key, key, model, spec.model_width);
        parameters.value = picked(parameters.value, values, model, spec.model_width);
        parameters.output = picked(parameters.output, model, attended, spec.attended_size());
        std::vector<float> table;
        for (Index p = 0; p < position_count(spec, value.parameters); ++p) {
            const auto row = picked(parameters.position_table, model, p * spec.model_width);
            table.insert(table.end(), row.begin(), row.end());
        }
        parameters.position_table = std::move(table);
    }
    for (Command& command : result.program) {
        auto* append = std::get_if<Append>(&command);
        if (append == nullptr) continue;
        for (auto& row : append->rows) {
            for (Token& token : row) {
                if (layer) {
                    token.input = picked(token.input, kept.model_elements);
                    continue;
                }
                std::vector<float> input = picked(token.input, query);
                const auto keys = picked(token.input, key, spec.query_size());
                const auto vs = picked(token.input, values, spec.query_size() + spec.key_size());
                input.insert(input.end(), keys.begin(), keys.end());
                input.insert(input.end(), vs.begin(), vs.end());
                token.input = std::move(input);
            }
        }
    }
    return result;
}

/// Narrows some dimensions of equal width together: to each single element, to halves, then without
/// one element.
void add_narrower(const Shared& value, const std::vector<Indices Kept::*>& dimensions,
                  std::vector<Candidate>& list) {
    const Indices present = Kept(value->spec).*dimensions.front();
    for (const auto dimension : dimensions) {
        if ((Kept(value->spec).*dimension).size() != present.size()) return;
    }
    const auto add = [&](const Indices& indices) {
        list.emplace_back([=] {
            Kept kept(value->spec);
            for (const auto dimension : dimensions) kept.*dimension = indices;
            return std::optional(keep(*value, kept));
        });
    };
    const std::size_t width = present.size();
    if (width < 2) return;
    for (const Index element : present) add({element});
    if (width < 3) return;
    const auto middle = present.begin() + std::ptrdiff_t(width / 2);
    add({present.begin(), middle});
    add({middle, present.end()});
    for (std::size_t i = 0; i < width; ++i) {
        Indices fewer = present;
        fewer.erase(fewer.begin() + std::ptrdiff_t(i));
        add(fewer);
    }
}

void add_fewer_heads(const Shared& value, std::vector<Candidate>& list) {
    const Spec& spec = value->spec;
    if (spec.query_heads == 1) return;
    const Index group = spec.query_heads / spec.kv_heads;
    const auto add = [&](const Indices& query_heads, const Indices& kv_heads) {
        list.emplace_back([=] {
            Kept kept(value->spec);
            kept.query_heads = query_heads;
            kept.kv_heads = kv_heads;
            return std::optional(keep(*value, kept));
        });
    };
    for (Index head = 0; head < spec.query_heads; ++head) add({head}, {head / group});
    for (Index kv = 0; kv < spec.kv_heads && spec.kv_heads > 1; ++kv) {
        Indices query_heads;
        for (Index head = 0; head < group; ++head) query_heads.push_back(kv * group + head);
        add(query_heads, {kv});  // one group
    }
    for (Index first = 0; first < spec.kv_heads; ++first) {
        for (Index second = first + 1; second < spec.kv_heads; ++second) {
            if (spec.query_heads == 2) continue;
            add({first * group, second * group}, {first, second});  // two groups of one
            if (spec.kv_heads == 2 && group == 2) continue;
            if (group > 1) {
                add({first * group, first * group + 1, second * group, second * group + 1},
                    {first, second});  // two groups of two
            }
        }
    }
    if (group > 2 && spec.kv_heads == 1) add({0, 1}, {0});
}

}  // namespace

void add_simpler_shapes(const Shared& value, std::vector<Candidate>& list) {
    add_fewer_heads(value, list);
    // Together first: a subject may want equal widths of keys and values.
    add_narrower(value, {&Kept::key_elements, &Kept::value_elements}, list);
    add_narrower(value, {&Kept::key_elements}, list);
    add_narrower(value, {&Kept::value_elements}, list);
    if (value->spec.level == Level::layer) add_narrower(value, {&Kept::model_elements}, list);
}

}  // namespace kvcheck
