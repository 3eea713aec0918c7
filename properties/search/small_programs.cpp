// SPDX-License-Identifier: Apache-2.0
// The walk over short programs (declared in small_programs.hpp).
#include "properties/search/small_programs.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "model/cache_state.hpp"
#include "properties/generators/values.hpp"

namespace kvcheck {
namespace {

constexpr Index rows_at_first = 2;
constexpr Index rows_most = 3;    // a fork adds one
constexpr Index tokens_most = 3;  // of a row, by the commands; the last append is one more

Spec small_spec() {
    Spec spec;
    spec.level = Level::attention;
    spec.rows = rows_at_first;
    spec.key_width = spec.value_width = 2;
    spec.capacity = tokens_most + 1;
    return spec;
}

/// Every command that a state admits, of every kind.
class Choices {
public:
    Choices(const Spec& spec, const CacheState& state) : spec_(spec), state_(state) {
        appends();
        all_.emplace_back(Reset{});
        all_.emplace_back(Reload{});
        Index shortest = tokens_most;
        for (Index r = 0; r < rows(); ++r) shortest = std::min(shortest, length(r));
        for (Index n = 0; n < shortest; ++n) all_.emplace_back(Truncate{n, std::nullopt});
        for (Index r = 0; r < rows(); ++r) of_row(r);
        for (Index a = 0; a < rows(); ++a) {
            all_.emplace_back(Reorder{{a}});
            for (Index b = 0; b < rows(); ++b) all_.emplace_back(Reorder{{a, b}});
        }
        all_.erase(std::remove_if(
                       all_.begin(), all_.end(),
                       [&](const Command& command) { return !state_.objection(command).empty(); }),
                   all_.end());
    }

    std::vector<Command> take() { return std::move(all_); }

private:
    Index rows() const { return state_.row_count(); }
    Index length(Index row) const { return state_.row(row).length(); }

    void append(const std::vector<Index>& counts) {
        Append append;
        for (Index r = 0; r < rows(); ++r) {
            const Index count = counts[std::size_t(r)];
            if (length(r) + count > tokens_most) return;
            append.rows.emplace_back(std::size_t(count), zero_token(spec_, true));
        }
        all_.emplace_back(std::move(append));
    }

    /// One token for one row, one for each, two for each.
    void appends() {
        for (Index r = 0; r < rows() && rows() > 1; ++r) {
            std::vector<Index> one(std::size_t(rows()), 0);
            one[std::size_t(r)] = 1;
            append(one);
        }
        for (const Index count : {Index{1}, Index{2}})
            append(std::vector<Index>(std::size_t(rows()), count));
    }

    void of_row(Index row) {
        all_.emplace_back(Reset{row});
        for (Index n = 0; n < length(row); ++n) all_.emplace_back(Truncate{n, row});
        if (rows() < rows_most) all_.emplace_back(Fork{row});
        all_.emplace_back(Finish{row});
        all_.emplace_back(Shift{row, 1});
        all_.emplace_back(Publish{row, row});
        for (Index of = 0; of < rows(); ++of) {
            const History* const prefix = state_.prefixes().named(of);
            if (prefix != nullptr) all_.emplace_back(Reuse{row, of, prefix->length()});
        }
        for (Index begin = 0; begin < length(row); ++begin) {
            for (Index end = begin + 1; end <= length(row); ++end)
                all_.emplace_back(Evict{row, begin, end});
        }
    }

    const Spec& spec_;
    const CacheState& state_;
    std::vector<Command> all_;
};

/// What shows what is left in every row that still grows.
Append one_token_each(const Spec& spec, const CacheState& state) {
    Append append;
    for (Index r = 0; r < state.row_count(); ++r) {
        const History& row = state.row(r);
        // A row that was cut down to ids below zero takes no token (clause 5).
        const bool grows = !row.is_finished() && row.next_id(spec.position_ids) >= 0;
        append.rows.emplace_back(grows ? 1 : 0, zero_token(spec, true));
    }
    return append;
}

class ProgramWalk {
public:
    ProgramWalk(Index begin, Index end, const std::function<bool(const Case&)>& visit)
        : begin_(begin), end_(end), visit_(visit) {
        case_.spec = small_spec();
        case_.parameters = zero_parameters(case_.spec, case_.spec.capacity);
    }

    /// All programs of exactly so many commands more. False once nothing more is wanted.
    bool go(Index commands, const CacheState& state) {
        if (commands == 0) return is_done(state);
        for (Command& command : Choices(case_.spec, state).take()) {
            CacheState next = state;
            next.apply(command);
            case_.program.push_back(std::move(command));
            const bool goes_on = go(commands - 1, next);
            case_.program.pop_back();
            if (!goes_on) return false;
        }
        return true;
    }

    CacheState fresh() const { return {case_.spec, std::numeric_limits<Index>::max()}; }
    Index number() const { return number_; }

private:
    bool is_done(const CacheState& state) {
        const Index number = number_++;
        if (number < begin_) return true;
        if (number >= end_) return false;
        Case test_case = case_;
        Append last = one_token_each(case_.spec, state);
        if (count_max(last) > 0) test_case.program.emplace_back(std::move(last));
        // Weights of one size: each key that is visible matters.
        constexpr std::uint64_t seed = 1;
        fill_values(test_case, {Family::uniform, seed}, false);
        return visit_(test_case);
    }

    Index begin_;
    Index end_;
    const std::function<bool(const Case&)>& visit_;
    Case case_;
    Index number_ = 0;
};

}  // namespace

Index small_programs_of(Index commands_max) {
    // Asked for by every part of a run, and always of the same size.
    thread_local std::pair<Index, Index> last = {0, 0};
    if (last.first == commands_max) return last.second;
    const std::function<bool(const Case&)> nothing = [](const Case&) { return true; };
    ProgramWalk walk(std::numeric_limits<Index>::max(), std::numeric_limits<Index>::max(), nothing);
    for (Index commands = 1; commands <= commands_max; ++commands) walk.go(commands, walk.fresh());
    last = {commands_max, walk.number()};
    return last.second;
}

void for_each_small_program(Index commands_max, Index begin, Index end,
                            const std::function<bool(const Case&)>& visit) {
    if (begin >= end) return;
    ProgramWalk walk(begin, end, visit);
    for (Index commands = 1; commands <= commands_max; ++commands) {
        if (!walk.go(commands, walk.fresh())) return;
    }
}

}  // namespace kvcheck
