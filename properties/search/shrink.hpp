// SPDX-License-Identifier: Apache-2.0
// Simpler cases than a given one, simplest ideas first: the program, then rows, heads and widths,
// then tokens, of which there are most, when each try has become cheap, then the spec and the
// padding, then the numbers towards 0, 1, -1, 2, 0.5 and short decimals. Every step goes down one
// fixed order, so that shrinking ends and shrinking twice changes nothing. In which order they are
// tried is for descent.hpp, whether a step still fails for the search to find out.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "model/case.hpp"

namespace kvcheck {

/// A case that is made when it is asked for; nothing where the idea does not apply.
struct Candidate {
    /// Where the idea stands among all ideas: the pass, then up to five numbers of its own. The
    /// same idea has the same mark for every case, so that a walk over the ideas can go on where it
    /// was when a step was taken.
    using Mark = std::array<Index, 6>;

    Mark mark;
    bool is_coarse = false;  // leaves a small part of something, and few ideas are so
    std::function<std::optional<Case>()> make;

    std::optional<Case> operator()() const { return make(); }
};

/// Candidates in the order of their marks.
class Candidates {
public:
    /// From now on candidates belong to the next pass.
    void begin_pass() { mark_ = {mark_[0] + 1}; }
    /// From now on they stand here in the pass; never less than before.
    void mark(Index first, Index second = 0, Index third = 0, Index fourth = 0, Index fifth = 0) {
        mark_ = {mark_[0], first, second, third, fourth, fifth};
    }
    template <class Make>
    void add(Make make, bool is_coarse = false) {
        list_.push_back({mark_, is_coarse, std::move(make)});
    }

    std::vector<Candidate> take() { return std::move(list_); }

private:
    Candidate::Mark mark_{};
    std::vector<Candidate> list_;
};

/// Fewer and plainer things, whatever the numbers are: two cases that differ in numbers alone have
/// the same candidates, one by one.
std::vector<Candidate> simpler_structures(const std::shared_ptr<const Case>& base);
/// Of these the coarse ones: some dozens, by which a large case gets small before it is tried
/// hundreds of times. Where they do not help, what makes it large is what matters.
std::vector<Candidate> coarser_structures(const std::shared_ptr<const Case>& base);
/// The same structure with small numbers in which neighbours differ; what is not finite stays.
Case with_fresh_numbers(const Case& base);
/// Plainer numbers, many at once.
std::vector<Candidate> plainer_groups(const std::shared_ptr<const Case>& base);
/// Plainer numbers, one by one.
std::vector<Candidate> plainer_numbers(const std::shared_ptr<const Case>& base);

// The parts of simpler_structures in their order; shrink_*.cpp.
void add_simpler_programs(const std::shared_ptr<const Case>& base, Candidates& list);
void add_simpler_shapes(const std::shared_ptr<const Case>& base, Candidates& list);
void add_fewer_tokens(const std::shared_ptr<const Case>& base, Candidates& list);
void add_simpler_specs(const std::shared_ptr<const Case>& base, Candidates& list);

/// Neighbouring things [begin, begin + size) of `whole`.
struct Neighbours {
    Index begin;
    Index size;
    bool inner;      // neither at the beginning nor at the end
    bool is_coarse;  // not inner, and at least a quarter of the whole
};
/// The stretches whose removal is worth a try, those at either end first, and long ones before
/// short ones: of few things every stretch but the whole, of many things every short length and
/// some of the long ones, side by side.
std::vector<Neighbours> removals(Index whole);

/// How complicated a number is; shrinking only ever lowers it.
int rank_of(float number);

}  // namespace kvcheck
