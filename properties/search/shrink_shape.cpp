// SPDX-License-Identifier: Apache-2.0
// Fewer heads and narrower vectors. All of it is one operation: keeping some of the heads and some
// of the elements, in the tokens and in every projection that mentions them. Elements that are
// turned together stay or go together.
#include <algorithm>
#include <utility>

#include "model/rotary.hpp"
#include "model/types/arrays.hpp"
#include "model/types/assert.hpp"
#include "model/walk.hpp"
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
    Indices pairs;  // of rotary positions; they follow from the key elements

    explicit Kept(const Spec& spec)
        : query_heads(all(spec.query_heads)),
          kv_heads(all(spec.kv_heads)),
          key_elements(all(spec.key_width)),
          value_elements(all(spec.value_width)),
          model_elements(all(spec.model_width)),
          pairs(all(spec.turned_width() / 2)) {}
};

/// The pairs of which both elements are kept; nothing where one is kept alone, or none remains.
std::optional<Indices> kept_pairs(const Spec& spec, const Indices& elements) {
    const auto has = [&](Index element) {
        return std::find(elements.begin(), elements.end(), element) != elements.end();
    };
    Indices pairs;
    for (const Index i : all(spec.turned_width() / 2)) {
        const RotaryPair pair = rotary_pair(spec, i);
        if (has(pair.first) != has(pair.second)) return std::nullopt;
        if (has(pair.first)) pairs.push_back(i);
    }
    if (pairs.empty() && spec.rotary != Rotary::none) return std::nullopt;
    return pairs;
}

/// The elements of some pairs, ascending.
Indices elements_of(const Spec& spec, const Indices& pairs) {
    Indices elements;
    for (const Index i : pairs) {
        const RotaryPair pair = rotary_pair(spec, i);
        elements.insert(elements.end(), {pair.first, pair.second});
    }
    std::sort(elements.begin(), elements.end());
    return elements;
}

/// The first elements of a head, those of whole pairs where they are turned.
Indices first_elements(const Spec& spec, Index width) {
    if (width >= spec.turned_width()) return all(width);
    return elements_of(spec, all(width / 2));
}

/// Flat indices of what is kept along an axis.
Indices kept_along(Axis axis, const Spec& spec, const Kept& kept) {
    const auto flat = [&](const Indices& heads, const Indices& elements) {
        Indices indices;
        for (const Index head : heads) {
            for (const Index element : elements) {
                indices.push_back(head * extent_of(axis, spec).width + element);
            }
        }
        return indices;
    };
    switch (axis) {
        case Axis::query:
            return flat(kept.query_heads, kept.key_elements);
        case Axis::key:
            return flat(kept.kv_heads, kept.key_elements);
        case Axis::value:
            return flat(kept.kv_heads, kept.value_elements);
        case Axis::attended:
            return flat(kept.query_heads, kept.value_elements);
        case Axis::model:
            return kept.model_elements;
        case Axis::heads:
            return kept.query_heads;
        case Axis::turned: {
            Indices columns = kept.pairs;  // cosines, then sines
            for (const Index i : kept.pairs) columns.push_back(spec.turned_width() / 2 + i);
            return columns;
        }
    }
    return {};
}

/// A row-major array with only the chosen indices of every dimension.
std::vector<float> picked(const float* values, const std::vector<Index>& extents,
                          const std::vector<Indices>& chosen) {
    std::vector<float> result;
    const auto pick = [&](const auto& self, std::size_t dimension, Index offset) -> void {
        if (dimension == extents.size()) {
            result.push_back(values[offset]);
            return;
        }
        for (const Index i : chosen[dimension]) {
            self(self, dimension + 1, offset * extents[dimension] + i);
        }
    };
    pick(pick, 0, 0);
    return result;
}

/// Needs: no pair loses one of its elements.
Case keep(const Case& base, Kept kept) {
    const Spec& spec = base.spec;
    const auto pairs = kept_pairs(spec, kept.key_elements);
    KVCHECK_ASSERT(pairs);
    kept.pairs = *pairs;
    Case result = base;
    const Index positions = position_count(spec, base.parameters);
    for (const ParameterArray& array : parameter_arrays()) {
        if (!array.exists(spec)) continue;
        std::vector<Indices> chosen;
        if (array.any_rows) chosen.push_back(all(positions));
        for (const Axis axis : array.axes) chosen.push_back(kept_along(axis, spec, kept));
        array.in(result.parameters) =
            picked(array.in(base.parameters).data(), array.extents(spec, positions), chosen);
    }
    for_each_token(result, [&](const TokenSite&, Token& token) {
        std::vector<float> input;
        for_each_input(spec, [&](const TokenArray& array, Index begin, Index end) {
            const auto part = picked(token.input.data() + begin, {end - begin},
                                     {kept_along(array.axis, spec, kept)});
            input.insert(input.end(), part.begin(), part.end());
        });
        token.input = std::move(input);
    });
    result.spec.query_heads = Index(kept.query_heads.size());
    result.spec.kv_heads = Index(kept.kv_heads.size());
    result.spec.key_width = Index(kept.key_elements.size());
    result.spec.value_width = Index(kept.value_elements.size());
    result.spec.model_width = Index(kept.model_elements.size());
    if (spec.rotary_width) result.spec.rotary_width = 2 * Index(kept.pairs.size());
    return result;
}

/// One pair alone, all pairs alone, and all but one pair.
std::vector<Indices> narrower_by_pairs(const Spec& spec) {
    constexpr Index pairs_most = 8;
    const Indices pairs = all(spec.turned_width() / 2);
    std::vector<Indices> list;
    for (const Index pair : all(std::min(Index(pairs.size()), pairs_most))) {
        list.push_back(elements_of(spec, {pair}));
    }
    if (spec.turned_width() < spec.key_width) list.push_back(all(spec.turned_width()));
    for (const Index pair : all(std::min(Index(pairs.size()), pairs_most))) {
        const Indices gone = elements_of(spec, {pair});
        Indices fewer = all(spec.key_width);
        std::erase_if(fewer, [&](Index element) {
            return std::find(gone.begin(), gone.end(), element) != gone.end();
        });
        list.push_back(fewer);
    }
    std::erase_if(list, [&](const Indices& one) {
        return one.empty() || Index(one.size()) == spec.key_width;
    });
    return list;
}

/// Narrows some dimensions of equal width together: to one element, then by every stretch.
void add_narrower(const Shared& base, const std::vector<Indices Kept::*>& dimensions,
                  Candidates& list) {
    list.begin_pass();
    const Indices present = Kept(base->spec).*dimensions.front();
    for (const auto dimension : dimensions) {
        if ((Kept(base->spec).*dimension).size() != present.size()) return;
    }
    const bool of_keys = dimensions.front() == &Kept::key_elements;
    const auto add = [&](const Indices& indices, bool is_coarse) {
        if (of_keys && !kept_pairs(base->spec, indices)) return;
        list.add(
            [=] {
                Kept kept(base->spec);
                for (const auto dimension : dimensions) kept.*dimension = indices;
                return std::optional(keep(*base, kept));
            },
            is_coarse);
    };
    const std::size_t width = present.size();
    if (width < 2) return;
    constexpr std::size_t elements_most = 8;  // of a wide vector any one is as good as another
    constexpr std::size_t elements_all_most = 16;
    for (std::size_t i = 0; i < std::min(width, elements_most); ++i) add({present[i]}, i == 0);
    if (of_keys) {
        bool is_first = true;  // one pair alone
        for (const Indices& whole_pairs : narrower_by_pairs(base->spec))
            add(whole_pairs, std::exchange(is_first, false));
    }
    for (const Neighbours stretch : removals(Index(width))) {
        // In the middle of a wide vector there is nothing that is not at its ends.
        if (stretch.inner && width > elements_all_most) continue;
        list.mark(1, stretch.inner ? 1 : 0, -stretch.size, stretch.begin);
        Indices fewer = present;
        const auto begin = fewer.begin() + stretch.begin;
        fewer.erase(begin, begin + stretch.size);
        add(fewer, stretch.is_coarse);
    }
}

void add_fewer_heads(const Shared& base, Candidates& list) {
    list.begin_pass();
    const Spec& spec = base->spec;
    if (spec.query_heads == 1) return;
    const Index group = spec.query_heads / spec.kv_heads;
    const auto add = [&](const Indices& query_heads, const Indices& kv_heads,
                         bool is_coarse = false) {
        list.add(
            [=] {
                Kept kept(base->spec);
                kept.query_heads = query_heads;
                kept.kv_heads = kv_heads;
                return std::optional(keep(*base, kept));
            },
            is_coarse);
    };
    for (Index head = 0; head < spec.query_heads; ++head)
        add({head}, {head / group}, head == 0 || head + 1 == spec.query_heads);
    for (Index kv = 0; kv < spec.kv_heads && spec.kv_heads > 1; ++kv) {
        Indices query_heads;
        for (Index head = 0; head < group; ++head) query_heads.push_back(kv * group + head);
        add(query_heads, {kv}, kv == 0);  // one group
    }
    for (Index first = 0; first < spec.kv_heads; ++first) {
        for (Index second = first + 1; second < spec.kv_heads; ++second) {
            if (spec.query_heads == 2) continue;
            add({first * group, second * group}, {first, second},
                first == 0 && second == 1);  // two groups of one
            if (spec.kv_heads == 2 && group == 2) continue;
            if (group > 1) {
                add({first * group, first * group + 1, second * group, second * group + 1},
                    {first, second});  // two groups of two
            }
        }
    }
    if (group > 2 && spec.kv_heads == 1) add({0, 1}, {0});
    // Where more than two are needed: fewer groups, and then smaller ones.
    const auto add_groups = [&](const Indices& kv_heads, Index size, bool is_coarse) {
        Indices query_heads;
        for (const Index kv : kv_heads) {
            for (Index head = 0; head < size; ++head) query_heads.push_back(kv * group + head);
        }
        add(query_heads, kv_heads, is_coarse);
    };
    for (const Neighbours stretch : removals(spec.kv_heads)) {
        if (stretch.inner || stretch.size == spec.kv_heads) continue;
        list.mark(1, -stretch.size, stretch.begin);
        Indices kept = all(spec.kv_heads);
        kept.erase(kept.begin() + stretch.begin, kept.begin() + stretch.begin + stretch.size);
        add_groups(kept, group, stretch.is_coarse);
    }
    for (const Neighbours stretch : removals(group)) {
        if (stretch.begin > 0 || stretch.size == group) continue;
        list.mark(2, -stretch.size);
        add_groups(all(spec.kv_heads), group - stretch.size, stretch.is_coarse);
    }
}

/// Of a layer as wide as its heads together, which may be all that a subject takes: heads or their
/// elements fall together with that width.
void add_fewer_of_all(const Shared& base, Candidates& list) {
    list.begin_pass();
    const Spec& spec = base->spec;
    if (spec.model_width != spec.query_size() || spec.model_width == 1) return;
    const auto add = [&](Index query_heads, Index kv_heads, Index key_width) {
        const Indices elements = first_elements(base->spec, key_width);
        if (Index(elements.size()) != key_width || !kept_pairs(base->spec, elements)) return;
        list.add(
            [=] {
                Kept kept(base->spec);
                const bool equal = kept.value_elements.size() == kept.key_elements.size();
                kept.query_heads = all(query_heads);
                kept.kv_heads = all(kv_heads);
                kept.key_elements = elements;
                if (equal) kept.value_elements = all(key_width);
                kept.model_elements = all(query_heads * key_width);
                return std::optional(keep(*base, kept));
            },
            true);
    };
    const Index group = spec.query_heads / spec.kv_heads;
    add(1, 1, 1);
    if (spec.query_heads > 1) add(1, 1, spec.key_width);
    for (Index width = 1; width < spec.key_width; width = 2 * width) {
        add(spec.query_heads, spec.kv_heads, width);
    }
    if (spec.key_width > 2) add(spec.query_heads, spec.kv_heads, spec.key_width - 1);
    if (spec.turned_width() > 2) add(spec.query_heads, spec.kv_heads, spec.key_width - 2);
    if (spec.turned_width() > 2) add(1, 1, 2);
    if (spec.kv_heads > 1) add(spec.query_heads - group, spec.kv_heads - 1, spec.key_width);
    if (group > 1) add(spec.kv_heads, spec.kv_heads, spec.key_width);
}

/// Fewer elements of a head are turned.
void add_fewer_pairs(const Shared& base, Candidates& list) {
    list.begin_pass();
    const Index width = base->spec.rotary_width.value_or(0);
    for (const Index fewer : {Index{2}, width / 4 * 2, width - 2}) {
        if (fewer < 2 || fewer >= width) continue;
        list.add([=] {
            Case narrower = *base;
            narrower.spec.rotary_width = fewer;
            widen_rotary_table(base->spec, narrower.spec, narrower.parameters);
            return std::optional(narrower);
        });
    }
}

}  // namespace

void add_simpler_shapes(const Shared& base, Candidates& list) {
    add_fewer_heads(base, list);
    // Together first: a subject may want equal widths of keys and values.
    add_narrower(base, {&Kept::key_elements, &Kept::value_elements}, list);
    add_narrower(base, {&Kept::key_elements}, list);
    add_narrower(base, {&Kept::value_elements}, list);
    add_fewer_pairs(base, list);
    if (base->spec.level == Level::attention) return;
    add_narrower(base, {&Kept::model_elements}, list);
    add_fewer_of_all(base, list);
}

}  // namespace kvcheck
