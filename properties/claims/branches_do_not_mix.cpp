// SPDX-License-Identifier: Apache-2.0
// Clauses 4 and 16: the tokens that are not on one path of a tree are replaced, finite contents and
// then NaN and infinities; whoever sees none of them must not notice. That a token sees its own
// path, under the ids that it would have there alone, is judged by outputs_match_the_oracle.
#include <functional>
#include <unordered_map>

#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

/// The tokens of a case in the order of for_each_token, each with its path.
class Paths {
public:
    explicit Paths(const Case& test_case) {
        CacheState state(test_case.spec, position_count(test_case.spec, test_case.parameters));
        for (const Command& command : test_case.program) {
            const CacheState before = state;
            state.apply(command);
            if (!std::holds_alternative<Append>(command)) continue;
            for (Index r = 0; r < state.row_count(); ++r) {
                const std::vector<const Node*> row = state.row(r).tokens();
                for (auto slot = std::size_t(before.row(r).length()); slot < row.size(); ++slot) {
                    numbers_[row[slot]] = nodes_.size();
                    nodes_.push_back(row[slot]);
                }
                kept_alive_.push_back(state.row(r));
            }
        }
    }

    std::size_t size() const { return nodes_.size(); }

    /// [tokens] which are on the path of token n.
    std::vector<bool> path_of(std::size_t n) const {
        std::vector<bool> is_on_path(nodes_.size());
        for (const Node* const node : kvcheck::path_of(*nodes_[n])) {
            is_on_path[numbers_.at(node)] = true;
        }
        return is_on_path;
    }

    /// [tokens] whose paths lie within the kept tokens.
    std::vector<bool> within(const std::vector<bool>& kept) const {
        std::vector<bool> within(nodes_.size());
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            const Node* const parent = nodes_[n]->parent().get();
            within[n] = kept[n] && (parent == nullptr || within[numbers_.at(parent)]);
        }
        return within;
    }

private:
    std::vector<const Node*> nodes_;
    std::unordered_map<const Node*, std::size_t> numbers_;
    std::vector<History> kept_alive_;
};

/// The last token, and the last one of those that are not on its path.
std::vector<std::size_t> leaves_of(const Paths& paths) {
    if (paths.size() == 0) return {};
    const std::size_t last = paths.size() - 1;
    const std::vector<bool> path = paths.path_of(last);
    for (std::size_t n = last; n-- > 0;) {
        if (!path[n]) return {last, n};
    }
    return {last};
}

bool is_tree(const Case& test_case) {
    bool found = false;
    for_each_token(test_case,
                   [&](const TokenSite&, const Token& token) { found = found || token.back != 1; });
    return found;
}

bool is_in(const Run& run, const Output& output) {
    const Observation* const begin = run.observations.data();
    const std::less<> before;
    return !before(&output.seen(), begin) &&
           before(&output.seen(), begin + run.observations.size());
}

}  // namespace

Verdict branches_do_not_mix(Subject& subject, const Case& test_case, Oracle& oracle) {
    if (!is_tree(test_case)) return Verdict::distrusted("no tree");
    const Capabilities& capabilities = subject.capabilities();
    Judge judge(capabilities);
    const DriveOptions options = asked_for(test_case);
    const Run expected = drive(subject, test_case, options);
    const Paths paths(test_case);
    for (const std::size_t leaf : leaves_of(paths)) {
        const std::vector<bool> kept = paths.path_of(leaf);
        const std::vector<bool> judged = paths.within(kept);
        const auto with_others = [&](float content) {
            std::size_t n = 0;
            return drive(subject,
                         with_contents(test_case, content,
                                       [&](const TokenSite&, const Token&) { return !kept[n++]; }),
                         options);
        };
        // Observations stand in the order of the tokens.
        const auto sees_none_of = [&](const Run& run) {
            return [&](const Output& output) {
                const auto& all = is_in(expected, output) ? expected : run;
                const auto n = std::size_t(&output.seen() - all.observations.data());
                return judged[n] && is_living(output);
            };
        };
        judge.in_variant("with the tokens that are not on one path replaced by large values");
        for (const float content : finite_contents(test_case.spec)) {
            const Run run = with_others(content);
            judge_same_outputs(judge, capabilities, oracle, expected, run, sees_none_of(run),
                               Judged::Staging::none);
        }
        if (!capabilities.features.has(Feature::masked_nonfinite)) continue;
        judge.in_variant("with the tokens that are not on one path replaced by NaN or infinity");
        for (const float content : nonfinite_contents()) {
            const Run run = with_others(content);
            judge_outputs(judge, run, oracle, sees_none_of(run), Judged::Staging::none);
        }
    }
    return judge.verdict();
}

}  // namespace kvcheck
