// SPDX-License-Identifier: Apache-2.0
// Which tokens are out of sight (declared in forgotten.hpp).
#include "model/forgotten.hpp"

#include <unordered_map>

namespace kvcheck {

Forgotten::Forgotten(const Case& test_case, std::size_t commands) {
    CacheState state(test_case.spec, position_count(test_case.spec, test_case.parameters));
    std::unordered_map<const Node*, std::tuple<Index, Index, Index>> sites;
    std::vector<History> kept_alive;  // or another token might stand where one stood
    for (std::size_t n = 0; n < commands; ++n) {
        const CacheState before = state;
        state.apply(test_case.program[n]);
        const auto* append = std::get_if<Append>(&test_case.program[n]);
        if (append == nullptr) continue;
        for (Index r = 0; r < state.row_count(); ++r) {
            const std::vector<const Node*> tokens = state.row(r).tokens();
            const Index length = before.row(r).length();
            for (Index slot = length; slot < Index(tokens.size()); ++slot) {
                sites[tokens[std::size_t(slot)]] = {Index(n), r, slot - length};
            }
            kept_alive.push_back(state.row(r));
        }
    }
    for (Index r = 0; r < state.row_count(); ++r) {
        for (const Node* const node : state.row(r).tokens()) {
            if (!state.row(r).is_evicted(node->slot)) sites.erase(node);
        }
    }
    state.prefixes().for_each([&](const History& published) {
        for (const Node* const node : published.tokens()) sites.erase(node);
    });
    for (const auto& [node, site] : sites) sites_.insert(site);
}

}  // namespace kvcheck
