// SPDX-License-Identifier: Apache-2.0
// What a case may contain, what it asks of a subject, and how large it is (declared in case.hpp).
#include "model/case.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/quarter_turns.hpp"
#include "model/splits.hpp"
#include "model/types/arrays.hpp"
#include "model/types/error.hpp"
#include "model/types/ieee.hpp"
#include "model/types/spec_fields.hpp"
#include "model/walk.hpp"

namespace kvcheck {
namespace {

void validate_token(const Spec& spec, const Token& token, const std::string& place) {
    if (Index(token.input.size()) != spec.input_size()) {
        throw InputError(place, std::to_string(token.input.size()) + " values",
                         std::to_string(spec.input_size()) + ", as the spec says");
    }
    if (!token.real && spec.padded_query == PaddedQuery::unspecified) return;
    for_each_input(spec, [&](const TokenArray& array, Index begin, Index end) {
        // What somebody sees must be finite: a real token, and the query of a computed padded one.
        const bool seen = token.real || array.role == Role::query || array.role == Role::x;
        const bool stored = token.real && (array.role == Role::key || array.role == Role::value);
        for (Index i = begin; i < end && seen; ++i) {
            const float number = token.input[std::size_t(i)];
            if (stored && std::isfinite(number) && std::fabs(number) >= overflow_of(spec.storage)) {
                throw InputError(place, float_text(number),
                                 "keys and values that do not overflow in " +
                                     std::string(name_of(spec.storage)));
            }
            if (std::isfinite(number)) continue;
            throw InputError(place, float_text(number),
                             token.real
                                 ? "finite numbers in a real token"
                                 : "a finite query in a padded token whose output is computed");
        }
    });
}

/// Throws where one of the command's tokens is wrong in itself.
void validate_tokens(const Spec& spec, const Command& command, const std::string& place) {
    const auto* append = std::get_if<Append>(&command);
    if (append == nullptr) return;
    for (std::size_t r = 0; r < append->rows.size(); ++r) {
        for (std::size_t t = 0; t < append->rows[r].size(); ++t) {
            validate_token(spec, append->rows[r][t],
                           place + ".rows[" + std::to_string(r) + "][" + std::to_string(t) + "]");
        }
    }
}

/// A case takes as long as its exact answer: this limit keeps it below a minute.
void validate_work(const Case& test_case, const std::string& prefix) {
    constexpr double products_max = 1 << 28;
    double pairs = 0;  // twice the query-key pairs of a causal row: the square of its length
    for_each_token(test_case, [&](const TokenSite& site, const Token&) {
        pairs += double(2 * site.slot + 1);
    });
    const Spec& spec = test_case.spec;
    const double products =
        pairs * double(spec.query_heads) * double(spec.key_width + spec.value_width);
    if (products > products_max) {
        throw InputError(prefix + "program", std::to_string(std::int64_t(products)) + " products",
                         "at most 2^28, counted as docs/case_file.md says");
    }
}

/// Padding patterns of a row that grows no more.
FeatureSet padding_features(const std::vector<const Node*>& row) {
    FeatureSet features;
    const auto is_real = [](const Node* node) { return node->token.real; };
    const auto first = std::find_if(row.begin(), row.end(), is_real);
    if (first == row.end()) {
        if (!row.empty()) features.add(Feature::padding_all);
        return features;
    }
    const auto last = std::find_if(row.rbegin(), row.rend(), is_real).base();
    if (first != row.begin()) features.add(Feature::padding_left);
    if (last != row.end()) features.add(Feature::padding_right);
    if (!std::all_of(first, last, is_real)) features.add(Feature::padding_holes);
    return features;
}

FeatureSet append_features(const Append& append, const CacheState& before) {
    FeatureSet features;
    const Index most = count_max(append);
    if (most == 0) features.add(Feature::empty_chunks);
    for (Index r = 0; r < before.row_count(); ++r) {
        const Index count = Index(append.rows[std::size_t(r)].size());
        if (count != most) features.add(Feature::unequal_counts);
        if (count > 1 && !before.row(r).empty()) features.add(Feature::warm_chunks);
    }
    return features | needed_by(append);
}

/// What the commands that bring no token ask, and rows that come with them.
FeatureSet lifecycle_features(const Case& test_case) {
    FeatureSet features;
    Index rows = test_case.spec.rows;
    for (const Command& command : test_case.program) {
        if (!std::holds_alternative<Append>(command)) features = features | features_of(command);
        const Index left = rows_after(command, rows);
        if (left > 1) features.add(Feature::batch);
        if (std::holds_alternative<Reorder>(command) && left != rows) {
            features.add(Feature::varying_rows);
        }
        rows = left;
    }
    return features;
}

/// What overflows when it is stored is infinity to those who hide it.
bool overflows(const Spec& spec, const Token& token) {
    const float limit = overflow_of(spec.storage);
    bool found = false;
    for_each_input(spec, [&](const TokenArray& array, Index begin, Index end) {
        if (array.role != Role::key && array.role != Role::value) return;
        found = found || std::any_of(token.input.begin() + begin, token.input.begin() + end,
                                     [&](float x) { return std::fabs(x) >= limit; });
    });
    return found;
}

FeatureSet token_features(const Spec& spec, const TokenSite& site, const Token& token,
                          bool evicts) {
    FeatureSet features;
    const bool finite = std::all_of(token.input.begin(), token.input.end(),
                                    [](float x) { return std::isfinite(x); });
    if (!finite || overflows(spec, token)) features.add(Feature::masked_nonfinite);
    // Later ones see an earlier key, unless a window hides it or it is evicted; with a sink no row
    // is dead.
    const bool may_be_dead = !token.real && !spec.sinks &&
                             (site.slot == 0 || token.back > site.slot || spec.window || evicts);
    if (!may_be_dead || spec.padded_query != PaddedQuery::computed) return features;
    if (spec.dead_row == DeadRow::zeros) features.add(Feature::dead_row_zeros);
    if (spec.dead_row == DeadRow::nan) features.add(Feature::dead_row_nan);
    return features;
}

}  // namespace

void validate(const Case& test_case, const std::string& prefix) {
    validate(test_case.spec, prefix + "spec");
    validate(test_case.spec, test_case.parameters, prefix + "parameters");
    CacheState state(test_case.spec, position_count(test_case.spec, test_case.parameters));
    for (std::size_t n = 0; n < test_case.program.size(); ++n) {
        const Command& command = test_case.program[n];
        const std::string name(name_of(command));
        const std::string place = prefix + "program[" + std::to_string(n) + "]." + name;
        validate_tokens(test_case.spec, command, place);
        if (std::holds_alternative<Shift>(command) &&
            !admits_shifts(test_case.spec, test_case.parameters)) {
            throw InputError(place, "another rotary table, or int8",
                             "quarter turns in at least four rows (clause 10)");
        }
        const std::string objection = state.objection(command);
        if (!objection.empty()) throw InputError(place, objection, "an admissible " + name);
        state.apply(command);
    }
    validate_work(test_case, prefix);
}

FeatureSet features_of(const Case& test_case) {
    FeatureSet features = needed_by(test_case.spec) | lifecycle_features(test_case);
    for_each_append(test_case, [&](Index, const Append& append, const CacheState& before) {
        features = features | append_features(append, before);
    });
    const bool evicts =
        std::any_of(test_case.program.begin(), test_case.program.end(),
                    [](const Command& command) { return std::holds_alternative<Evict>(command); });
    for_each_token(test_case, [&](const TokenSite& site, const Token& token) {
        features = features | token_features(test_case.spec, site, token, evicts);
    });
    for_each_end(test_case, [&](const CacheState& state, Index row) {
        features = features | padding_features(state.row(row).tokens());
    });
    return features;
}

FeatureSet exercised_by(const Case& test_case) {
    Case seen = test_case;
    const auto brings_tokens = [](const Command& command) {
        const auto* append = std::get_if<Append>(&command);
        return append != nullptr && count_max(*append) > 0;
    };
    while (!seen.program.empty() && !brings_tokens(seen.program.back())) seen.program.pop_back();
    return features_of(seen);
}

Index longest_row(const Case& test_case) {
    Index longest = 0;
    for_each_end(test_case, [&](const CacheState& state, Index row) {
        longest = std::max(longest, state.row(row).length());
    });
    return longest;
}

bool holds_a_shift(const Case& test_case) {
    return std::any_of(
        test_case.program.begin(), test_case.program.end(),
        [](const Command& command) { return std::holds_alternative<Shift>(command); });
}

CaseSize size_of(const Case& test_case) {
    CaseSize size{test_case.spec.rows, test_case.spec.query_heads, 0,
                  Index(test_case.program.size())};
    for (const Segment& segment : segments_of(test_case)) size.tokens += longest_row(segment);
    return size;
}

}  // namespace kvcheck
