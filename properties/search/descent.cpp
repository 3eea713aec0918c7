// SPDX-License-Identifier: Apache-2.0
// The walk over the parts (declared in descent.hpp). A list is walked in a circle from where the
// last step was taken: most ideas that failed for the case before that step fail again, and are
// tried again only once nothing else is left.
#include "properties/search/descent.hpp"

#include <algorithm>
#include <utility>

#include "model/case_hash.hpp"
#include "model/types/assert.hpp"
#include "oracles/work.hpp"

namespace kvcheck {

namespace {

/// Where some sum must stay what it is, as with counts that are multiples of four over several
/// calls, no single step fails and two at once do. Their number is a square, hence the limit.
constexpr int pairs_max = 400;

/// Few enough tokens, in all rows, for tries that seldom help.
bool is_small(const Case& test_case) {
    constexpr Index tokens_max = 24;
    const CaseSize size = size_of(test_case);
    return size.rows * size.tokens <= tokens_max;
}

/// Large enough for a try to cost more than what is around it.
bool is_large(const Case& test_case) {
    constexpr Index numbers_max = 64;
    const Spec& spec = test_case.spec;
    return !is_small(test_case) ||
           spec.query_heads * (spec.key_width + spec.value_width) > numbers_max;
}

}  // namespace

Descent::Descent(Case start, std::function<bool(const Case&)> admissible,
                 std::function<bool()> is_spent)
    : admissible_(std::move(admissible)),
      is_spent_(std::move(is_spent)),
      case_(std::make_shared<const Case>(std::move(start))),
      first_(case_),
      pairs_left_(pairs_max) {
    tried_.insert(hash_of(*case_));
    begin(Part::coarse);
}

const Descent::Shared& Descent::base() const {
    if (part_ == Part::first_numbers) return first_;
    return part_ == Part::fresh_numbers ? fresh_ : case_;
}

void Descent::begin(Part part) {
    part_ = part;
    list_.clear();
    switch (part) {
        case Part::coarse:
            if (is_large(*case_)) list_ = coarser_structures(base());
            break;
        case Part::structure:
        case Part::first_numbers:
            list_ = simpler_structures(base());
            break;
        case Part::fresh_numbers:
            if (!is_small(*case_)) break;
            fresh_ = std::make_shared<const Case>(with_fresh_numbers(*case_));
            list_ = simpler_structures(fresh_);
            break;
        case Part::pairs:
            outer_.clear();
            if (is_small(*case_)) outer_ = simpler_structures(base());
            outer_position_ = 0;
            break;
        case Part::groups:
            list_ = plainer_groups(base());
            break;
        case Part::numbers:
            list_ = plainer_numbers(base());
            break;
    }
    position_ = 0;
    left_ = list_.size();
    Work::add_ideas(Index(list_.size()));
}

/// What it takes to make a candidate, whether it is one or not.
void Descent::count_work() const {
    Index tokens = 0;
    for (const Command& command : case_->program) {
        const auto* append = std::get_if<Append>(&command);
        if (append == nullptr) continue;
        for (const auto& row : append->rows) tokens += Index(row.size());
    }
    Work::add_case(tokens, tokens * case_->spec.input_size());
}

/// The pairs that begin with the next first step; false where none is left.
bool Descent::next_pairs() {
    while (outer_position_ < outer_.size() && pairs_left_ > 0 && !is_spent_()) {
        count_work();
        const std::optional<Case> between = outer_[outer_position_++]();
        if (!between || *between == *case_ || !admissible_(*between)) continue;
        list_ = simpler_structures(std::make_shared<const Case>(*between));
        Work::add_ideas(Index(list_.size()));
        position_ = 0;
        left_ = list_.size();
        return true;
    }
    return false;
}

bool Descent::next_part() {
    switch (part_) {
        case Part::coarse:
            begin(Part::structure);
            return true;
        case Part::structure:
            begin(first_ == case_ ? Part::fresh_numbers : Part::first_numbers);
            return true;
        case Part::first_numbers:
            begin(Part::fresh_numbers);
            return true;
        case Part::fresh_numbers:
            begin(Part::pairs);
            return true;
        case Part::pairs:
            if (!next_pairs()) begin(Part::groups);
            return true;
        case Part::groups:
            begin(Part::numbers);
            return true;
        case Part::numbers:
            // Plainer numbers may let go of what held the structure.
            if (!std::exchange(stepped_, false)) return false;
            begin(Part::structure);
            return true;
    }
    return false;
}

std::shared_ptr<const Case> Descent::next() {
    do {
        if (only_numbers_ && part_ < Part::groups) begin(Part::groups);
        for (; left_ > 0; --left_, position_ = (position_ + 1) % list_.size()) {
            if (is_spent_()) return nullptr;
            count_work();
            if (part_ == Part::pairs && pairs_left_ <= 0) break;
            std::optional<Case> simpler = list_[position_]();
            if (!simpler || *simpler == *base() || !tried_.insert(hash_of(*simpler)).second)
                continue;
            if (!admissible_(*simpler)) continue;
            if (part_ == Part::pairs) --pairs_left_;
            given_ = std::make_shared<const Case>(std::move(*simpler));
            return given_;
        }
    } while (next_part());
    return nullptr;
}

Descent::Shared Descent::first_after_step() const {
    if (part_ == Part::first_numbers || part_ == Part::fresh_numbers) return given_;
    const bool of_structure =
        part_ == Part::coarse || part_ == Part::structure || part_ == Part::pairs;
    if (first_ == case_) return of_structure ? given_ : first_;
    if (part_ == Part::groups || part_ == Part::numbers) return first_;
    Shared from = first_;
    if (part_ == Part::pairs) {
        auto between = simpler_structures(from)[outer_position_ - 1]();
        if (!between) return given_;
        from = std::make_shared<const Case>(std::move(*between));
    }
    const auto ideas = part_ == Part::coarse ? coarser_structures : simpler_structures;
    auto simpler = ideas(from)[position_]();
    return simpler ? std::make_shared<const Case>(std::move(*simpler)) : given_;
}

void Descent::accept() {
    KVCHECK_ASSERT(given_ != nullptr && left_ > 0);
    const Candidate::Mark mark = list_[position_].mark;
    const bool is_number = part_ == Part::groups || part_ == Part::numbers;
    stepped_ = stepped_ || is_number;
    first_ = first_after_step();
    case_ = std::exchange(given_, nullptr);
    const bool is_coarse = part_ == Part::coarse && is_large(*case_);
    begin(is_number || is_coarse ? part_ : Part::structure);
    const auto is_before = [](const Candidate& one, const Candidate::Mark& other) {
        return one.mark < other;
    };
    position_ =
        std::size_t(std::lower_bound(list_.begin(), list_.end(), mark, is_before) - list_.begin());
    if (position_ == list_.size()) position_ = 0;
}

}  // namespace kvcheck
