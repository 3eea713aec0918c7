// SPDX-License-Identifier: Apache-2.0
// The names of verdicts (declared in verdict.hpp).
#include "oracles/verdict.hpp"

namespace kvcheck {

std::string_view name_of(Verdict::Kind kind) {
    switch (kind) {
        case Verdict::Kind::passed:
            return "passed";
        case Verdict::Kind::failed:
            return "failed";
        case Verdict::Kind::skipped:
            return "skipped";
        case Verdict::Kind::distrusted:
            return "distrusted";
        case Verdict::Kind::crashed:
            return "crashed";
        case Verdict::Kind::timed_out:
            return "timed out";
        case Verdict::Kind::flaky:
            return "flaky";
        case Verdict::Kind::dependent:
            return "depends on earlier calls";
    }
    return "unknown";
}

}  // namespace kvcheck
