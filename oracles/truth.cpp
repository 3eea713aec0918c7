// SPDX-License-Identifier: Apache-2.0
// The memory of the oracle (declared in truth.hpp): a tree whose paths are the contents of
// histories. A token's branch is named by what others may see of it, so that contents which nobody
// sees share one; the answer to its own query is named by what it asks besides.
#include "oracles/truth.hpp"

#include "model/types/assert.hpp"
#include "oracles/number.hpp"
#include "oracles/reference.hpp"

namespace kvcheck {
namespace {

template <class Values>
void append_bytes(std::string& name, const Values& values) {
    name.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
}

/// What others see of a token.
std::string seen_of(const kvcheck::Token& token) {
    std::string name(1, token.real ? 'r' : 'p');
    if (token.real) append_bytes(name, token.input);
    return name;
}

/// What a token asks beyond what others see of it.
std::string asked_by(const kvcheck::Token& token) {
    std::string name;
    if (!token.real) append_bytes(name, token.input);
    return name;
}

}  // namespace

struct Oracle::Known {
    std::shared_ptr<const Node> node;  // the first with this content
    Known* before = nullptr;
    Reference<Number>::Read read;
    StoredTruth stored;
    std::unordered_map<std::string, std::unique_ptr<Known>> next;
    std::unordered_map<std::string, TokenTruth> answers;
};

struct Oracle::Memory {
    Spec spec;
    Parameters parameters;
    NumericProfile profile;
    Reference<Number> reference{spec, parameters, profile};
    Known root;
};

Oracle::Oracle(const Spec& spec, const Parameters& parameters, const NumericProfile& profile)
    : memory_(new Memory{.spec = spec, .parameters = parameters, .profile = profile, .root = {}}) {}

Oracle::~Oracle() {
    // A long row would otherwise be destroyed by as deep a recursion.
    std::vector<std::unique_ptr<Known>> all;
    const auto take = [&](Known& known) {
        for (auto& [name, next] : known.next) all.push_back(std::move(next));
        known.next.clear();
    };
    take(memory_->root);
    while (!all.empty()) {
        const std::unique_ptr<Known> last = std::move(all.back());
        all.pop_back();
        take(*last);
    }
}

const Spec& Oracle::spec() const { return memory_->spec; }
const NumericProfile& Oracle::profile() const { return memory_->profile; }

void Truths::adopt(const StoredRow& stored) {
    // At attention level what is stored is the input itself; nothing is gained by adopting it.
    if (oracle_.spec().level == Level::attention) return;
    const std::vector<const Node*> tokens = stored.history.tokens();
    KVCHECK_ASSERT(stored.key.size() == tokens.size() && stored.value.size() == tokens.size());
    for (std::size_t slot = 0; slot < tokens.size(); ++slot) {
        stored_[tokens[slot]] = {&stored.key[slot], &stored.value[slot]};
    }
}

Oracle::Known& Truths::known(const Token& token) {
    Oracle::Memory& memory = *oracle_.memory_;
    std::vector<const Token*> path;  // from the token back to the first known one
    Oracle::Known* known = &memory.root;
    for (const Token* at = &token; *at != nullptr; at = &(*at)->before) {
        const auto found = known_.find(at->get());
        if (found != known_.end()) {
            known = found->second;
            break;
        }
        path.push_back(at);
    }
    for (std::size_t n = path.size(); n-- > 0;) {
        const Token& node = *path[n];
        const auto own = stored_.find(node.get());
        std::string name = seen_of(node->token);
        if (own != stored_.end() && node->token.real) {
            name.push_back('s');
            append_bytes(name, *own->second.key);
            append_bytes(name, *own->second.value);
        }
        std::unique_ptr<Oracle::Known>& next = known->next[name];
        if (!next) {
            next = std::make_unique<Oracle::Known>();
            next->node = node;
            next->before = known;
            next->read = memory.reference.read(*node);
            next->stored = memory.reference.stored(next->read);
            if (own != stored_.end()) {
                memory.reference.adopt(*own->second.key, *own->second.value, next->stored,
                                       next->read);
            }
        }
        known = next.get();
        known_[node.get()] = known;
    }
    return *known;
}

Standing Truths::standing(const Token& token) const {
    return oracle_.memory_->reference.standing(*token);
}

const StoredTruth& Truths::stored(const Token& token) { return known(token).stored; }

const TokenTruth& Truths::of(const Token& token) {
    Oracle::Known& last = known(token);
    const std::string name = asked_by(token->token);
    const auto found = last.answers.find(name);
    if (found != last.answers.end()) return found->second;
    Reference<Number>& reference = oracle_.memory_->reference;
    std::vector<const Reference<Number>::Read*> row(std::size_t(token->slot + 1));
    for (const Oracle::Known* at = &last; at->before != nullptr; at = at->before) {
        row[std::size_t(at->node->slot)] = &at->read;
    }
    // A padded token may ask something else than the one with whom it shares its branch.
    if (token->token.real) return last.answers[name] = reference.answer(row);
    const Reference<Number>::Read own = reference.read(*token);
    row.back() = &own;
    return last.answers[name] = reference.answer(row);
}

}  // namespace kvcheck
