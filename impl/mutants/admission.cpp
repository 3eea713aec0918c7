// SPDX-License-Identifier: Apache-2.0
// Faults of what is said to fit (declared in admission.hpp).
#include "impl/mutants/admission.hpp"

#include "impl/mutants/broken.hpp"

namespace kvcheck {
namespace {

/// What a row holds already takes no room.
class AdmissionIgnoresLengths final : public PlainRules {
    AdmissionRules admission() const override { return {.length = false}; }
};

/// A finished row has the room that it had.
class AdmissionIgnoresFinish final : public PlainRules {
    AdmissionRules admission() const override { return {.finished = false}; }
};

/// The first row is asked for all of them.
class AdmissionOfFirstRow final : public PlainRules {
    AdmissionRules admission() const override { return {.every_row = false}; }
};

}  // namespace

std::vector<MutantEntry> mutants_of_admission() {
    return {
        {{"admission_ignores_lengths", "what a row holds takes no room",
          broken<AdmissionIgnoresLengths>},
         "admission_is_as_append",
         {1, 1, 1, 1},
         "a slot that is taken",
         default_cases},
        {{"admission_ignores_finish", "a finished row has room", broken<AdmissionIgnoresFinish>},
         "admission_is_as_append",
         {1, 1, 0, 1},
         "a row that is finished",
         default_cases},
        {{"admission_of_first_row", "the first row's room is that of all",
          broken<AdmissionOfFirstRow>},
         "admission_is_as_append",
         {2, 1, 0, 0},
         "a second row",
         default_cases},
    };
}

}  // namespace kvcheck
