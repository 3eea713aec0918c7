// SPDX-License-Identifier: Apache-2.0
// Going on (declared in continuation.hpp).
#include "properties/drive/continuation.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/commands/command_json.hpp"
#include "model/types/assert.hpp"
#include "model/types/hash.hpp"

namespace kvcheck {
namespace {

constexpr Index more_slots = 8;

Case begun(const Case& test_case, std::size_t commands) {
    Case begun = test_case;
    begun.program.resize(commands, Command(Reset{}));
    begun.spec.capacity += more_slots;
    return begun;
}

/// A real token with numbers from -2 to 2 in quarters, which depend on its place and its call: what
/// was stored in the same slot before is something else.
Token fresh_token(const Spec& spec, std::size_t call, Index row, Index slot) {
    Token token = zero_token(spec, true);
    std::uint64_t hash = fnv1a(std::uint64_t(call), fnv_basis);
    hash = fnv1a(std::uint64_t(slot), fnv1a(std::uint64_t(row), hash));
    for (float& number : token.input) {
        hash = fnv1a(std::uint64_t{1}, hash);
        constexpr std::uint64_t values = 17;
        number = 0.25F * (float((hash >> 32U) % values) - 8);
    }
    return token;
}

}  // namespace

Continuation::Continuation(const Case& test_case, std::size_t commands, const FeatureSet& features)
    : case_(begun(test_case, commands)),
      past_(commands),
      features_(features),
      state_(case_.spec, position_count(case_.spec, case_.parameters)) {
    for (const Command& command : case_.program) state_.apply(command);
}

void Continuation::add(Command command) {
    KVCHECK_ASSERT(state_.objection(command).empty());
    state_.apply(command);
    case_.program.push_back(std::move(command));
}

bool Continuation::append(Index count) {
    const auto rows = std::size_t(state_.row_count());
    Append append;
    append.rows.resize(rows);
    bool warm = false;
    for (std::size_t r = 0; r < rows; ++r) warm = warm || !state_.row(Index(r)).empty();
    const Index most = warm && !features_.has(Feature::warm_chunks) ? 1 : count;
    for (std::size_t r = 0; r < rows; ++r) {
        auto& tokens = append.rows[r];
        const Index length = state_.row(Index(r)).length();
        while (Index(tokens.size()) < most) {
            tokens.push_back(
                fresh_token(case_.spec, commands(), Index(r), length + Index(tokens.size())));
            if (state_.objection(append).empty()) continue;
            tokens.pop_back();  // it does not fit, or the row is finished
            break;
        }
    }
    if (!features_.has(Feature::unequal_counts)) {
        std::size_t least = append.rows.front().size();
        for (const auto& row : append.rows) least = std::min(least, row.size());
        for (auto& row : append.rows) row.resize(least, zero_token(case_.spec, true));
    }
    if (count_max(append) == 0) return false;
    add(std::move(append));
    return true;
}

std::string Continuation::added() const {
    std::string text;
    for (std::size_t n = past_; n < case_.program.size(); ++n) {
        const Command& command = case_.program[n];
        text += text.empty() ? "" : ", ";
        if (const auto* append = std::get_if<Append>(&command)) {
            std::size_t tokens = 0;
            for (const auto& row : append->rows) tokens += row.size();
            text += std::to_string(tokens) + (tokens == 1 ? " token" : " tokens");
        } else {
            const Json fields = fields_json(command);
            text += std::string(name_of(command)) + (fields.empty() ? "" : " " + fields.dump());
        }
    }
    return text;
}

std::vector<std::size_t> pasts_of(const Case& test_case) {
    const std::size_t all = test_case.program.size();
    std::vector<std::size_t> pasts;
    CacheState state(test_case.spec, position_count(test_case.spec, test_case.parameters));
    for (std::size_t n = 1; n <= all; ++n) {
        state.apply(test_case.program[n - 1]);
        bool holds_tokens = false;
        for (Index r = 0; r < state.row_count(); ++r) {
            holds_tokens = holds_tokens || !state.row(r).empty();
        }
        if (holds_tokens && (n == (all + 1) / 2 || n == all)) pasts.push_back(n);
    }
    return pasts;
}

}  // namespace kvcheck
