// SPDX-License-Identifier: Apache-2.0
// In which arithmetic outputs were judged, and which one a run asks for.
#pragma once

#include "model/types/spec.hpp"

namespace kvcheck {

/// How right answers are computed. Whatever the choice, only fifty digits say that a number is
/// wrong, and subjects of double arithmetic meet nothing else.
enum class Evaluation {
    exact,          // fifty digits
    certified,      // double with a certificate; fifty digits where that does not decide
    cross_checked,  // the same, and each certificate is held against the fifty digits
};

/// How many numbers were judged by which answers.
struct EvaluationCounts {
    Index certified = 0;
    Index escalated = 0;      // by fifty digits, because the certificate did not decide
    Index exact = 0;          // by fifty digits, because they were asked for
    Index cross_checked = 0;  // certified answers that were held against fifty digits

    void add(const EvaluationCounts& more) {
        certified += more.certified;
        escalated += more.escalated;
        exact += more.exact;
        cross_checked += more.cross_checked;
    }
};

}  // namespace kvcheck
