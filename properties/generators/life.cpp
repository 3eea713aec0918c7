// SPDX-License-Identifier: Apache-2.0
// Drawing programs (declared in life.hpp).
#include "properties/generators/life.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "model/cache_state.hpp"

namespace kvcheck {
namespace {

constexpr Index rows_most = 5;

/// In the order in which they are drawn: a seed has other cases in another one.
enum class CommandKind : std::uint8_t {
    truncate,
    reorder,
    fork,
    finish,
    evict,
    reset,
    reload,
    shift,
    prefix
};
constexpr std::array kinds = {CommandKind::truncate, CommandKind::reorder, CommandKind::fork,
                              CommandKind::finish,   CommandKind::evict,   CommandKind::reset,
                              CommandKind::reload,   CommandKind::shift,   CommandKind::prefix};

class Life {
public:
    Life(Draw& draw, const FeatureSet& allowed, bool shifts, Case& test_case)
        : draw_(draw),
          shifts_(shifts),
          allowed_(allowed),
          case_(test_case),
          // Nothing is drawn beyond a table: it is made as long as the rows turn out.
          state_(test_case.spec, std::numeric_limits<Index>::max()) {
        for (const Command& command : test_case.program) state_.apply(command);
        // A padded token may come anywhere, and a truncation may make any padding of it.
        pads_ = allowed.has_all(FeatureSet::paddings());
        // Not all kinds in one program: some faults need one kind often, and no other between.
        for (bool& is_drawn : is_drawn_) is_drawn = draw_.percent(60);
    }

    void run(Index commands) {
        bool must_append = false;
        for (Index n = 0; n < commands; ++n) {
            // What a command did wrong shows in the tokens that come after it.
            const bool followed = draw_.percent(65);
            const std::optional<CommandKind> kind = draw_kind();
            if (must_append || !kind || !add(*kind)) {
                append();
                must_append = false;
            } else {
                must_append = followed;
            }
        }
        const bool ends_in_tokens = std::holds_alternative<Append>(case_.program.back()) &&
                                    count_max(std::get<Append>(case_.program.back())) > 0;
        if (!ends_in_tokens) append();
    }

private:
    bool can(Feature feature) const { return allowed_.has(feature); }
    Index any_row() { return draw_.below(state_.row_count()); }
    Index length(Index row) const { return state_.row(row).length(); }

    /// Nothing where tokens are to come instead, one time in four and in place of the kinds that
    /// this program does without.
    std::optional<CommandKind> draw_kind() {
        if (shifts_ && draw_.percent(25)) return CommandKind::shift;
        constexpr Index appends = 2;
        const auto n = std::size_t(draw_.below(Index(kinds.size()) + appends));
        if (n >= kinds.size() || !is_drawn_[n]) return std::nullopt;
        return kinds[n];
    }

    /// False where the subject or the rows admit none; nothing is added then.
    bool add(CommandKind kind) {
        switch (kind) {
            case CommandKind::truncate:
                return truncate();
            case CommandKind::reorder:
                return reorder();
            case CommandKind::fork:
                return fork();
            case CommandKind::finish:
                return finish();
            case CommandKind::evict:
                return evict();
            case CommandKind::reset:
                return reset();
            case CommandKind::reload:
                return reload();
            case CommandKind::shift:
                return shift();
            case CommandKind::prefix:
                return prefix();
        }
        return false;
    }

    void apply(Command command) {
        state_.apply(command);
        case_.program.push_back(std::move(command));
    }

    /// One slot less or none left, more often than anything between.
    Index shorter(Index length) {
        const Index any = draw_.range(0, length);
        const Index which = draw_.below(4);
        if (which == 0) return 0;
        return which == 1 && length > 0 ? length - 1 : any;
    }

    bool truncate() {
        const Index row = any_row();
        const bool one =
            can(Feature::truncate_row) && (draw_.percent(70) || !can(Feature::truncate));
        if (!one && !can(Feature::truncate)) return false;
        Index longest = length(row);
        for (Index r = 0; r < state_.row_count() && !one; ++r)
            longest = std::min(longest, length(r));
        Truncate truncate{shorter(longest), std::nullopt};
        if (one) truncate.row = row;
        for (Index r = 0; r < state_.row_count(); ++r) {
            // A row whose ids begin below zero takes no token any more.
            const bool is_meant = !one || r == row;
            const PositionIds ids = case_.spec.position_ids;
            if (is_meant && state_.row(r).up_to(truncate.length).next_id(ids) < 0) return false;
        }
        apply(truncate);
        return true;
    }

    /// Rows that change places in a circle, any rows: copies, rows that go. With varying_rows, more
    /// or fewer.
    bool reorder() {
        if (!can(Feature::reorder)) return false;
        const Index rows = state_.row_count();
        Index left = rows;
        const Index other = draw_.range(1, rows_most);
        const bool varies = draw_.percent(40);
        if (varies && can(Feature::varying_rows) && can(Feature::batch)) left = other;
        Reorder reorder;
        const Index way = draw_.below(3);
        for (Index r = 0; r < left; ++r) {
            const Index any = draw_.below(rows);
            reorder.sources.push_back(way == 0 ? (r + 1) % rows : any);
        }
        apply(std::move(reorder));
        return true;
    }

    bool fork() {
        const Index row = any_row();
        if (!can(Feature::fork) || !can(Feature::batch) || state_.row_count() >= rows_most) {
            return false;
        }
        apply(Fork{row});
        return true;
    }

    /// Not the last row that grows: the program is to go on.
    bool finish() {
        const Index row = any_row();
        Index growing = 0;
        for (Index r = 0; r < state_.row_count(); ++r)
            growing += state_.row(r).is_finished() ? 0 : 1;
        const bool spares = growing > (state_.row(row).is_finished() ? 0 : 1);
        if (!can(Feature::finish) || !can(Feature::unequal_counts) || !spares) return false;
        apply(Finish{row});
        return true;
    }

    bool evict() {
        const Index row = any_row();
        if (!can(Feature::evict) || length(row) == 0) return false;
        const Index begin = draw_.below(length(row));
        const Index most = draw_.percent(70) ? begin + 3 : length(row);
        const Index end = draw_.range(begin + 1, std::min(length(row), most));
        apply(Evict{row, begin, end});
        return true;
    }

    bool reset() {
        const Index row = any_row();
        const bool one = draw_.percent(70);
        if (one && can(Feature::reset_row)) {
            apply(Reset{row});
            return true;
        }
        if (!can(Feature::reset)) return false;
        apply(Reset{});
        return true;
    }

    bool reload() {
        if (!can(Feature::save)) return false;
        apply(Reload{});
        return true;
    }

    /// As far as ids go, or less. Where the first token stands in the way, it and some of those
    /// after it are evicted first, as engines do that make room.
    bool shift() {
        const Index row = any_row();
        if (!can(Feature::shift) || length(row) == 0) return false;
        const auto lowest = [&] { return state_.row(row).lowest_id(case_.spec.position_ids); };
        if (lowest() < 1 && can(Feature::evict)) {
            const Index end = draw_.range(1, std::max<Index>(length(row) - 1, 1));
            apply(Evict{row, 0, end});
        }
        if (lowest() < 1) return false;
        const bool all = draw_.percent(50);
        const Index some = draw_.range(1, lowest());
        apply(Shift{row, all ? lowest() : some});
        return true;
    }

    /// A row publishes what it holds, or an empty one continues what was published: all of it most
    /// often.
    bool prefix() {
        const Index row = any_row();
        const bool reuses = draw_.percent(60) && published_ > 0;
        const Index of = draw_.below(std::max<Index>(published_, 1));
        const bool all = draw_.percent(60);
        if (!can(Feature::prefix_reuse)) return false;
        const History* const wanted = state_.prefixes().named(of);
        if (!reuses || wanted == nullptr) {
            const Publish publish{row, published_};
            if (!state_.objection(publish).empty()) return false;
            ++published_;
            apply(publish);
            return true;
        }
        const Index some = draw_.range(1, wanted->length());
        const Reuse reuse{row, of, all ? wanted->length() : some};
        if (!state_.objection(reuse).empty()) {
            if (!can(Feature::reset_row)) return false;
            apply(Reset{row});
        }
        apply(reuse);
        return true;
    }

    /// Tokens for every row, or for some.
    void append() {
        const bool every_row = draw_.percent(50) || !can(Feature::unequal_counts);
        const Index common = draw_.range(1, 3);
        const bool equal = draw_.percent(40) || !can(Feature::unequal_counts);
        bool warm = false;
        Append append;
        for (Index r = 0; r < state_.row_count(); ++r) {
            const Index own = draw_.range(every_row ? 1 : 0, 3);
            const Index count = state_.row(r).is_finished() ? 0 : equal ? common : own;
            append.rows.emplace_back(std::size_t(count), zero_token(case_.spec, true));
            warm = warm || length(r) > 0;
        }
        if (count_max(append) == 0) give_one(append);
        for (auto& row : append.rows) {
            if (warm && !can(Feature::warm_chunks) && row.size() > 1) row.resize(1, row.front());
            for (Token& token : row) token.real = !draw_.percent(12) || !pads_;
        }
        const bool with_offset = draw_.percent(30);
        if (with_offset && can(Feature::query_offset)) {
            append.query_offset.emplace();
            for (Index r = 0; r < state_.row_count(); ++r)
                append.query_offset->push_back(length(r));
        }
        apply(std::move(append));
    }

    /// To the first row that grows.
    void give_one(Append& append) const {
        for (Index r = 0; r < state_.row_count(); ++r) {
            if (state_.row(r).is_finished()) continue;
            append.rows[std::size_t(r)].push_back(zero_token(case_.spec, true));
            return;
        }
    }

    Draw& draw_;
    bool shifts_;  // more often than other things
    FeatureSet allowed_;
    Case& case_;
    CacheState state_;
    bool pads_ = false;
    Index published_ = 0;
    std::array<bool, kinds.size()> is_drawn_{};  // [kinds]: in this program
};

bool has_padding(const Case& test_case) {
    for (const Command& command : test_case.program) {
        const auto* append = std::get_if<Append>(&command);
        if (append == nullptr) continue;
        for (const auto& row : append->rows) {
            if (std::any_of(row.begin(), row.end(), [](const Token& t) { return !t.real; }))
                return true;
        }
    }
    return false;
}

}  // namespace

FeatureSet life_features() {
    return {Feature::truncate, Feature::truncate_row, Feature::reorder,
            Feature::fork,     Feature::finish,       Feature::evict,
            Feature::save,     Feature::shift,        Feature::prefix_reuse};
}

void draw_life(Draw& draw, const FeatureSet& allowed, const FeatureSet& focus, Index commands,
               Case& test_case) {
    // What a truncation leaves of a padded row may end in any padding.
    if (has_padding(test_case) && !allowed.has_all(FeatureSet::paddings())) return;
    Life(draw, allowed, focus.has(Feature::shift), test_case).run(commands);
}

}  // namespace kvcheck
