// SPDX-License-Identifier: Apache-2.0
// Judging a decoder's run (declared in decoder_claims.hpp). Truths are computed once for each
// history that no other one continues.
#include "properties/decoder/decoder_claims.hpp"

#include <limits>
#include <map>
#include <memory>

#include "model/types/assert.hpp"

namespace kvcheck {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The answers of every token by its node.
class Answers {
public:
    Answers(const DecoderCase& test_case, const DecoderArithmetic& arithmetic)
        : case_(test_case), arithmetic_(arithmetic) {}

    struct Place {
        const ExpectedRow* row;
        std::size_t token;
    };

    /// Of the last token of a history. Asked for longer histories first, it computes fewer.
    Place of(const History& history) {
        const Node* const last = history.last().get();
        if (const auto found = places_.find(last); found != places_.end()) return found->second;
        const DecoderTruth truth = decoder_truth(case_.spec, case_.parameters, history);
        rows_.push_back(std::make_unique<ExpectedRow>(
            expected_row(case_.spec, case_.parameters, arithmetic_, truth)));
        for (std::size_t n = 0; n < truth.nodes.size(); ++n) {
            places_.emplace(truth.nodes[n], Place{rows_.back().get(), n});
        }
        kept_.push_back(history);
        return places_.at(last);
    }

private:
    const DecoderCase& case_;
    DecoderArithmetic arithmetic_;
    std::vector<std::unique_ptr<ExpectedRow>> rows_;
    std::vector<History> kept_;  // whose nodes are keys of the map
    std::map<const Node*, Place> places_;
};

class Judgement {
public:
    Judgement(const DecoderCase& test_case, const DecoderArithmetic& arithmetic,
              const DecoderRun& run)
        : case_(test_case), answers_(test_case, arithmetic), run_(run) {}

    DecoderVerdict verdict() {
        if (!run_.trouble.empty()) {
            report({DecoderClaim::answers, run_.troubled_command, 0, 0, std::nullopt, infinity});
        }
        for (auto shown = run_.exports.rbegin(); shown != run_.exports.rend(); ++shown) {
            if (!shown->history.empty()) answers_.of(shown->history);  // the longest first
        }
        for (const DecoderObservation& seen : run_.observations) logits(seen);
        for (const DecoderExport& shown : run_.exports) caches(shown);
        earlier_entries();
        return verdict_;
    }

private:
    void report(const DecoderFinding& finding) {
        if (!(finding.ratio <= 1) && !verdict_.first) verdict_.first = finding;
    }

    void logits(const DecoderObservation& seen) {
        if (!seen.history.last()->token.real) return;
        const auto place = answers_.of(seen.history);
        WorstError worst;
        worst.add(seen.logits, place.row->logits[place.token]);
        verdict_.logits.add(worst);
        report({DecoderClaim::logits, seen.command, seen.row, seen.history.length() - 1,
                std::nullopt, worst.ratio});
    }

    void caches(const DecoderExport& shown) {
        const std::vector<const Node*> nodes = shown.history.tokens();
        if (Index(shown.layers.size()) != case_.spec.layers) {
            return report(
                {DecoderClaim::caches, shown.command, shown.row, 0, std::nullopt, infinity});
        }
        for (std::size_t l = 0; l < shown.layers.size(); ++l) {
            const StoredLayer& layer = shown.layers[l];
            if (layer.keys.size() != nodes.size() || layer.values.size() != nodes.size()) {
                report({DecoderClaim::caches, shown.command, shown.row, Index(nodes.size()),
                        Index(l), infinity});
                continue;
            }
            for (std::size_t n = 0; n < nodes.size(); ++n) {
                if (!nodes[n]->token.real) continue;
                const auto place = answers_.of(shown.history.up_to(Index(n) + 1));
                WorstError worst;
                worst.add(layer.keys[n], place.row->keys[l][place.token]);
                worst.add(layer.values[n], place.row->values[l][place.token]);
                verdict_.caches.add(worst);
                report({DecoderClaim::caches, shown.command, shown.row, Index(n), Index(l),
                        worst.ratio});
            }
        }
    }

    /// What a row held before an append, it holds after it.
    void earlier_entries() {
        std::map<const Node*, const DecoderExport*> before;
        for (const DecoderExport& shown : run_.exports) {
            const auto* const append =
                std::get_if<Append>(&case_.program[std::size_t(shown.command)]);
            if (append != nullptr) {
                const Index count = Index(append->rows[std::size_t(shown.row)].size());
                const History past = shown.history.up_to(shown.history.length() - count);
                const auto found = before.find(past.last().get());
                if (!past.empty() && found != before.end()) compare(*found->second, shown);
            }
            if (!shown.history.empty()) before[shown.history.last().get()] = &shown;
        }
    }

    void compare(const DecoderExport& earlier, const DecoderExport& later) {
        for (std::size_t l = 0; l < std::min(earlier.layers.size(), later.layers.size()); ++l) {
            const StoredLayer& was = earlier.layers[l];
            const StoredLayer& is = later.layers[l];
            for (std::size_t n = 0; n < was.keys.size(); ++n) {
                if (!earlier.history.tokens()[n]->token.real) continue;
                const bool same = n < is.keys.size() && was.keys[n] == is.keys[n] &&
                                  was.values[n] == is.values[n];
                ++verdict_.entries_kept;
                report({DecoderClaim::earlier_entries, later.command, later.row, Index(n), Index(l),
                        same ? 0 : infinity});
            }
        }
    }

    const DecoderCase& case_;
    Answers answers_;
    const DecoderRun& run_;
    DecoderVerdict verdict_;
};

}  // namespace

std::string_view name_of(DecoderClaim claim) {
    switch (claim) {
        case DecoderClaim::answers:
            break;
        case DecoderClaim::logits:
            return "logits are those of the uncached pass";
        case DecoderClaim::caches:
            return "caches hold the keys and values of their own layer";
        case DecoderClaim::earlier_entries:
            return "earlier keys and values keep their bits";
    }
    return "what is admissible is not refused";
}

DecoderVerdict judge_decoder(const DecoderCase& test_case, const DecoderArithmetic& arithmetic,
                             const DecoderRun& run) {
    return Judgement(test_case, arithmetic, run).verdict();
}

}  // namespace kvcheck
