// SPDX-License-Identifier: Apache-2.0
// What a part of the shrinker offers for a case, made, and what must be true of all of it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/types/error.hpp"
#include "properties/search/shrink.hpp"

namespace kvcheck {

using ListCandidates = std::vector<Candidate> (*)(const std::shared_ptr<const Case>& base);
using AddCandidates = void (*)(const std::shared_ptr<const Case>& base, Candidates& list);

/// Every `step`-th of some candidates, in order; nothing where an idea does not apply.
inline std::vector<std::optional<Case>> made(const std::vector<Candidate>& list, std::size_t step) {
    std::vector<std::optional<Case>> cases;
    for (std::size_t n = 0; n < list.size(); n += step) cases.push_back(list[n]());
    return cases;
}

inline std::vector<std::optional<Case>> offered(const Case& base, ListCandidates candidates,
                                                std::size_t step = 1) {
    return made(candidates(std::make_shared<const Case>(base)), step);
}

/// Of one part of the structure.
inline std::vector<std::optional<Case>> offered(const Case& base, AddCandidates add,
                                                std::size_t step = 1) {
    Candidates list;
    add(std::make_shared<const Case>(base), list);
    return made(list.take(), step);
}

/// All of these are among what is offered; in which order, and what besides, is not claimed.
template <class... Texts>
auto Offers(Texts... texts) {
    return testing::IsSupersetOf(std::set<std::string>{texts...});
}

/// True where a subject may be given the case; false where validate() refuses it, in words.
inline bool is_admissible(const Case& test_case) {
    try {
        validate(test_case);
    } catch (const InputError&) {
        return false;
    }
    return true;
}

/// How complicated a case is in the respects in which a part makes it simpler.
using Size = std::vector<long>;

/// Simpler in at least one respect, and more complicated in none.
inline bool is_simpler(const Size& candidate, const Size& base) {
    bool simpler = false;
    for (std::size_t i = 0; i < base.size(); ++i) {
        if (candidate[i] > base[i]) return false;
        simpler = simpler || candidate[i] < base[i];
    }
    return simpler;
}

}  // namespace kvcheck
