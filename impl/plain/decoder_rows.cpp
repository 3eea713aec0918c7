// SPDX-License-Identifier: Apache-2.0
// Rows of the textbook decoder (declared in decoder_rows.hpp).
#include "impl/plain/decoder_rows.hpp"

namespace kvcheck {

std::string DecoderRows::admit(const DecoderSpec& spec, Index position_limit,
                               const DecoderCall& call, DecoderBatch& batch) const {
    if (call.tokens.size() != count()) return "tokens: not one list a row";
    if (!call.real.empty() && call.real.size() != count()) return "validity: not one list a row";
    for (std::size_t r = 0; r < count(); ++r) {
        const auto tokens = Index(call.tokens[r].size());
        if (!call.real.empty() && Index(call.real[r].size()) != tokens) {
            return "validity: not one a token";
        }
        batch.counts.push_back(tokens);
        batch.past.push_back(Index(real_[r].size()));
        batch.extent = std::max(batch.extent, tokens);
        if (batch.past[r] + tokens > spec.attention.capacity) return "counts: beyond the capacity";
    }
    batch.real.assign(count() * std::size_t(batch.extent), 0);
    for (std::size_t r = 0; r < count(); ++r) {
        for (std::size_t t = 0; t < call.tokens[r].size(); ++t) {
            const bool real = call.real.empty() || call.real[r][t] != 0;
            batch.real[batch.at(r, t)] = real ? 1 : 0;
            const Index id = call.tokens[r][t];
            if (real && (id < 0 || id >= spec.vocabulary)) return "a token id: no such token";
        }
        const Index tokens = batch.counts[r];
        if (tokens > 0 && position(spec, PlainRules(), batch, r, tokens - 1) >= position_limit) {
            return "a token's position is beyond the table";
        }
    }
    return {};
}

Index DecoderRows::position(const DecoderSpec& spec, const PlainRules& rules,
                            const DecoderBatch& batch, std::size_t row, Index t) const {
    std::vector<bool> real = real_[row];
    for (std::size_t i = 0; i < std::size_t(batch.counts[row]); ++i) {
        real.push_back(batch.real[batch.at(row, i)] != 0);
    }
    const std::vector<bool> evicted;
    const std::vector<Index> no_tree;
    return rules.position_id({spec.attention, t, batch.past[row], real, evicted, no_tree},
                             spec.attention.position_ids);
}

void DecoderRows::append(const DecoderBatch& batch) {
    for (std::size_t r = 0; r < count(); ++r) {
        for (std::size_t t = 0; t < std::size_t(batch.counts[r]); ++t) {
            real_[r].push_back(batch.real[batch.at(r, t)] != 0);
        }
    }
}

void DecoderRows::apply(const Lifecycle& command) {
    const auto cut = [&](std::optional<Index> row, Index length) {
        for (std::size_t r = 0; r < count(); ++r) {
            if (!row || *row == Index(r)) real_[r].resize(std::size_t(length));
        }
    };
    std::visit(Overload{[&](const Reset& reset) { cut(reset.row, 0); },
                        [&](const Truncate& truncate) { cut(truncate.row, truncate.length); },
                        [&](const Reorder& reorder) {
                            std::vector<std::vector<bool>> rows;
                            for (const Index source : reorder.sources) {
                                rows.push_back(real_[std::size_t(source)]);
                            }
                            real_ = std::move(rows);
                        },
                        [&](const Fork& fork) {
                            const std::vector<bool> copy = real_[std::size_t(fork.row)];
                            real_.push_back(copy);
                        },
                        [](const Finish&) {}, [](const Evict&) {},
                        [](const Shift&) {}},  // never asked for one
               command);
}

}  // namespace kvcheck
