// SPDX-License-Identifier: Apache-2.0
// The way down from a failing case: which simpler case is tried next. Whether it fails is for the
// caller to find out; the descent depends on nothing else, so that the same answers give the same
// way. It keeps, besides the case itself, the same case with the numbers it began with, and makes
// one with fresh numbers: where plain numbers hide a fault in fewer tokens, others may show it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_set>
#include <vector>

#include "properties/search/shrink.hpp"

namespace kvcheck {

class Descent {
public:
    /// `admissible` says which cases may be tried at all, `is_spent` when to give up: of a large
    /// case many ideas come to nothing, and they cost, too.
    Descent(
        Case start, std::function<bool(const Case&)> admissible,
        std::function<bool()> is_spent = [] { return false; });

    /// The next case to try, each at most once; null where no simpler one is left.
    std::shared_ptr<const Case> next();
    /// The case that was given last fails, too: goes on from there.
    void accept();
    /// From now on only numbers are made plainer: what is left of a budget is for them.
    void turn_to_numbers() { only_numbers_ = true; }

private:
    using Shared = std::shared_ptr<const Case>;
    /// The parts of a round, in order. A step of one of the first five begins a new round.
    enum class Part { coarse, structure, first_numbers, fresh_numbers, pairs, groups, numbers };

    void begin(Part part);
    bool next_pairs();
    bool next_part();
    const Shared& base() const;
    /// The case with the numbers of the start, after the step that was just taken.
    Shared first_after_step() const;

    void count_work() const;

    std::function<bool(const Case&)> admissible_;
    std::function<bool()> is_spent_;
    Shared case_;
    Shared first_;  // the same structure with the numbers of the start
    Shared fresh_;  // likewise with numbers that all differ
    Shared given_;
    std::unordered_set<std::uint64_t> tried_;

    Part part_ = Part::coarse;
    bool only_numbers_ = false;
    bool stepped_ = false;  // a number was made plainer in this round
    std::vector<Candidate> list_;
    std::size_t position_ = 0;
    std::size_t left_ = 0;          // candidates until the list was walked through once
    std::vector<Candidate> outer_;  // the first steps of pairs; the list has the second ones
    std::size_t outer_position_ = 0;
    int pairs_left_;
};

}  // namespace kvcheck
