// SPDX-License-Identifier: Apache-2.0
#include "oracles/truth.hpp"

#include "oracles/number.hpp"
#include "oracles/reference.hpp"

namespace kvcheck {
namespace {

template <class Values>
void append_bytes(std::string& key, const Values& values) {
    key.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
}

/// The content of a row that its answers depend on.
std::string content_of(const Spec& spec, const RowTokens& tokens, const StoredRow* stored) {
    std::string key;
    for (const Token& token : tokens) {
        key.push_back(token.real ? 'r' : 'p');
        if (token.real || spec.padded_query == PaddedQuery::computed)
            append_bytes(key, token.input);
    }
    if (stored == nullptr) return key;
    key.push_back('s');
    for (std::size_t slot = 0; slot < tokens.size(); ++slot) {
        if (!tokens[slot].real) continue;
        append_bytes(key, stored->key[slot]);
        append_bytes(key, stored->value[slot]);
    }
    return key;
}

}  // namespace

Oracle::Oracle(const Spec& spec, const Parameters& parameters, const NumericProfile& profile)
    : spec_(spec), parameters_(parameters), profile_(profile) {}

Oracle::~Oracle() = default;

const RowTruth& Oracle::row(const RowTokens& tokens, const StoredRow* stored) {
    // At attention level what is stored is the input itself; nothing is gained by adopting it.
    if (spec_.level == Level::attention) stored = nullptr;
    std::unique_ptr<RowTruth>& truth = known_[content_of(spec_, tokens, stored)];
    if (!truth) {
        truth = std::make_unique<RowTruth>(
            Reference<Number>(spec_, parameters_, profile_).row(tokens, stored));
    }
    return *truth;
}

}  // namespace kvcheck
