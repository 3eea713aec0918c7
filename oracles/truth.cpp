// SPDX-License-Identifier: Apache-2.0
// The memory of the oracle (declared in truth.hpp): a tree whose paths are the contents of
// the paths of histories. A token's branch is named by what others may see of it, so that contents
// which nobody sees share one; the answer to its own query is named by what it asks besides.
#include "oracles/truth.hpp"

#include <array>
#include <cmath>
#include <optional>

#include "model/types/assert.hpp"
#include "oracles/certified.hpp"
#include "oracles/number.hpp"
#include "oracles/reference.hpp"
#include "oracles/work.hpp"

namespace kvcheck {
namespace {

template <class Values>
void append_bytes(std::string& name, const Values& values) {
    name.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
}

/// What others see of a token.
std::string seen_of(const Node& node) {
    std::string name(1, node.token.real ? 'r' : 'p');
    if (node.token.real) append_bytes(name, node.token.input);
    if (node.shifted > 0) name += std::to_string(node.shifted);  // it came with a lower id
    return name;
}

/// What a token asks beyond what others see of it: a padded one's query, and what it may not see.
std::string asked_by(const Node& node) {
    std::string name;
    if (!node.token.real) append_bytes(name, node.token.input);
    if (node.evicted) append_bytes(name, node.evicted->ranges());
    // How many slots lie on its way is part of the bound.
    if (node.depth != node.slot) append_bytes(name, std::array{node.slot});
    return name;
}

bool all_settle(const std::vector<Answer>& answers, const std::vector<double>& seen) {
    for (std::size_t i = 0; i < answers.size(); ++i) {
        if (!settles(answers[i], seen[i])) return false;
    }
    return true;
}

/// Our bug where a certificate does not hold.
void hold_against(const Answer& certified, const Answer& exact) {
    if (std::isnan(exact.hi)) {
        KVCHECK_ASSERT(std::isnan(certified.hi));
        return;
    }
    KVCHECK_ASSERT(std::fabs((certified.hi - exact.hi) - exact.lo) <= certified.doubt);
    KVCHECK_ASSERT(certified.bound <= exact.bound);
}

/// Of rotary positions nobody derived any, nor of the rounding of what double only nearly knows.
bool has_certificates(const Spec& spec, const NumericProfile& profile) {
    const bool is_known = spec.storage == Storage::element ||
                          (is_format(spec.storage) && spec.level == Level::attention);
    return profile.digits == 24 && spec.rotary == Rotary::none && is_known;
}

void hold_against(const TokenTruth& certified, const TokenTruth& exact, Truths::Part part) {
    KVCHECK_ASSERT(certified.in_domain == exact.in_domain);
    KVCHECK_ASSERT(certified.standing.dead == exact.standing.dead);
    if (!exact.in_domain) return;
    const auto hold_all = [](const auto& list, const auto& right) {
        KVCHECK_ASSERT(list.size() == right.size());
        for (std::size_t i = 0; i < list.size(); ++i) hold_against(list[i], right[i]);
    };
    hold_all(certified.output, exact.output);
    if (part == Truths::Part::output) return;
    hold_all(certified.weight_sum, exact.weight_sum);
    KVCHECK_ASSERT(certified.weights.size() == exact.weights.size());
    for (std::size_t head = 0; head < certified.weights.size(); ++head) {
        hold_all(certified.weights[head], exact.weights[head]);
    }
}

}  // namespace

struct Oracle::Known {
    /// What is right for one query; each evaluation is made when it is asked for.
    struct Answers {
        std::optional<TokenTruth> exact;
        /// [part]; an empty one within: there is no certificate.
        std::array<std::optional<std::optional<TokenTruth>>, 2> certified;
    };
    /// A subject's own stored key and value.
    struct Stored {
        std::vector<double> key;
        std::vector<double> value;
        bool rotated;
    };

    std::shared_ptr<const Node> node;  // the first with this content
    Known* before = nullptr;
    std::optional<Stored> own;
    std::optional<Reference<Number>::Read> exact;
    std::optional<StoredTruth> stored;  // in fifty digits
    std::optional<Certified::Read> certified;
    std::unordered_map<std::string, std::unique_ptr<Known>> next;
    std::unordered_map<std::string, Answers> answers;
};

struct Oracle::Memory {
    Spec spec;
    Parameters parameters;
    NumericProfile profile;
    Evaluation evaluation = Evaluation::exact;
    EvaluationCounts counts;
    StoredKeys stored_keys = StoredKeys::raw;
    Reference<Number> reference{spec, parameters, profile, Reference<Number>::right_rules(),
                                stored_keys};
    Certified in_double{spec, parameters, profile};
    Known root;

    const Reference<Number>::Read& exact(Known& known) const {
        if (known.exact) return *known.exact;
        known.exact = reference.read(*known.node);
        Work::add_projections(spec);
        known.stored = reference.stored(*known.exact);
        if (known.own)
            reference.adopt(known.own->key, known.own->value, known.own->rotated, *known.stored,
                            *known.exact);
        return *known.exact;
    }

    const Certified::Read& certified(Known& known) const {
        if (known.certified) return *known.certified;
        known.certified = in_double.read(*known.node);
        if (!known.own || !known.node->token.real) return *known.certified;
        const StoredTruth right = Certified::stored(*known.certified);
        // What the certificate does not settle, fifty digits do.
        const bool settled =
            all_settle(right.key, known.own->key) && all_settle(right.value, known.own->value);
        const bool key = settled || Reference<Number>::is_exact(exact(known).key);
        const bool value = settled || Reference<Number>::is_exact(exact(known).value);
        if (key) in_double.adopt_key(known.own->key, *known.certified);
        if (value) in_double.adopt_value(known.own->value, *known.certified);
        return *known.certified;
    }
};

Oracle::Oracle(const Spec& spec, const Parameters& parameters, const NumericProfile& profile,
               Evaluation evaluation, StoredKeys stored_keys)
    : memory_(
          new Memory{.spec = spec,
                     .parameters = parameters,
                     .profile = profile,
                     .evaluation = has_certificates(spec, profile) ? evaluation : Evaluation::exact,
                     .counts = {},
                     .stored_keys = stored_keys,
                     .root = {}}) {}

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
Evaluation Oracle::evaluation() const { return memory_->evaluation; }
const EvaluationCounts& Oracle::counts() const { return memory_->counts; }
void Oracle::count(const EvaluationCounts& more) { memory_->counts.add(more); }

void Truths::adopt(const StoredRow& stored) {
    // At attention level what is stored is the input itself or its rounding, unless it is rotated
    // or has a scale; nothing is gained by adopting it.
    const Spec& spec = oracle_.spec();
    const bool is_computed =
        (spec.rotary != Rotary::none && stored.rotated) || spec.storage == Storage::int8;
    if (spec.level == Level::attention && !is_computed) return;
    // Turned back by a shift they are no longer what the answers are made of.
    if (spec.rotary != Rotary::none && stored.rotated && stored.history.shift() > 0) return;
    const std::vector<const Node*> tokens = stored.history.tokens();
    KVCHECK_ASSERT(stored.key.size() == tokens.size() && stored.value.size() == tokens.size());
    for (std::size_t slot = 0; slot < tokens.size(); ++slot) {
        if (stored.history.is_evicted(Index(slot))) continue;  // nothing is said of it any more
        stored_[tokens[slot]] = {&stored.key[slot], &stored.value[slot], stored.rotated};
    }
}

Oracle::Known& Truths::known(const Token& token) {
    Oracle::Memory& memory = *oracle_.memory_;
    std::vector<const Token*> path;  // from the token back to the first known one
    Oracle::Known* known = &memory.root;
    for (const Token* at = &token; *at != nullptr; at = &(*at)->parent()) {
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
        std::string name = seen_of(*node);
        if (own != stored_.end() && node->token.real) {
            name.push_back(own->second.rotated ? 't' : 's');
            append_bytes(name, *own->second.key);
            append_bytes(name, *own->second.value);
        }
        std::unique_ptr<Oracle::Known>& next = known->next[name];
        if (!next) {
            next = std::make_unique<Oracle::Known>();
            next->node = node;
            next->before = known;
            if (own != stored_.end())
                next->own = {*own->second.key, *own->second.value, own->second.rotated};
        }
        known = next.get();
        known_[node.get()] = known;
    }
    return *known;
}

Standing Truths::standing(const Token& token) const {
    return oracle_.memory_->reference.standing(*token);
}

const StoredTruth& Truths::stored(const Token& token) {
    Oracle::Known& known = this->known(token);
    oracle_.memory_->exact(known);
    return *known.stored;
}

const TokenTruth& Truths::of(const Token& token) {
    const Oracle::Memory& memory = *oracle_.memory_;
    Oracle::Known& last = known(token);
    std::optional<TokenTruth>& answer = last.answers[asked_by(*token)].exact;
    if (answer) return *answer;
    std::vector<const Reference<Number>::Read*> row(std::size_t(token->depth + 1));
    for (Oracle::Known* at = &last; at->before != nullptr; at = at->before) {
        row[std::size_t(at->node->depth)] = &memory.exact(*at);
    }
    // The token may ask something else than the one with whom it shares its branch.
    auto own = token->token.real ? *row.back() : memory.reference.read(*token);
    own.node = token.get();
    row.back() = &own;
    answer = memory.reference.answer(row);
    Work::add_answer(memory.spec, Index(row.size()), false);
    return *answer;
}

const TokenTruth* Truths::certified(const Token& token, Part part) {
    Oracle::Memory& memory = *oracle_.memory_;
    Oracle::Known& last = known(token);
    Oracle::Known::Answers& answers = last.answers[asked_by(*token)];
    std::optional<std::optional<TokenTruth>>& answer = answers.certified[std::size_t(part)];
    if (answer) return *answer ? &**answer : nullptr;
    std::vector<const Certified::Read*> row(std::size_t(token->depth + 1));
    for (Oracle::Known* at = &last; at->before != nullptr; at = at->before) {
        row[std::size_t(at->node->depth)] = &memory.certified(*at);
    }
    std::optional<Certified::Read> own;
    if (!token->token.real) row.back() = &own.emplace(memory.in_double.read(*token));
    answer = memory.in_double.answer(row, *token, part == Part::weights);
    Work::add_answer(memory.spec, Index(row.size()), true);
    if (*answer && memory.evaluation == Evaluation::cross_checked) {
        hold_against(**answer, of(token), part);
        oracle_.count({.cross_checked = Index((**answer).output.size())});
    }
    return *answer ? &**answer : nullptr;
}

const TokenTruth& Truths::judging(const Token& token, Part part, Index numbers,
                                  const Settles& settles) {
    if (oracle_.memory_->evaluation == Evaluation::exact) {
        oracle_.count({.exact = numbers});
        return of(token);
    }
    const TokenTruth* const in_double = certified(token, part);
    if (in_double != nullptr && (!in_double->in_domain || settles(*in_double))) {
        oracle_.count({.certified = numbers});
        return *in_double;
    }
    oracle_.count({.escalated = numbers});
    return of(token);
}

}  // namespace kvcheck
