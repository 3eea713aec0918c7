// SPDX-License-Identifier: Apache-2.0
// The comparisons (declared in judge.hpp).
#include "properties/drive/judge.hpp"

#include <algorithm>
#include <cmath>

#include "model/types/assert.hpp"
#include "model/types/ieee.hpp"
#include "properties/drive/row_table.hpp"

namespace kvcheck {
namespace {

/// The sign of a zero output is none of its bits (clause 0).
double without_sign(double output) { return output == 0 ? 0 : output; }

/// Splits an element of an output into head and element; a layer's output has no heads.
Place with_element(Place place, const Spec& spec, std::size_t index) {
    if (spec.level == Level::layer) {
        place.element = Index(index);
    } else {
        place.head = Index(index) / spec.value_width;
        place.element = Index(index) % spec.value_width;
    }
    return place;
}

/// The size of the largest score that entered an element of an output.
double score_size_of(const TokenTruth& truth, const Place& place) {
    if (truth.score_size.empty()) return 0;
    if (place.head != Place::absent) return truth.score_size[std::size_t(place.head)];
    return *std::max_element(truth.score_size.begin(), truth.score_size.end());
}

}  // namespace

void Judge::keep(Verdict failure) {
    failure_ = std::move(failure);
    failure_.variant = variant_;
    failure_.driven = driven_;
}

void Judge::fail(std::string diagnosis, const Place& place, const Evidence& evidence) {
    keep(Verdict::failed(std::move(diagnosis), ""));
    failure_.place = place;
    failure_.evidence = evidence;
    failure_.evidence->digits = digits_;
    failure_.worst_ratio = evidence.deviation.ratio;
}

void Judge::within(const Answer& right, double seen, std::string_view what, const Place& place,
                   double score_size, std::string_view diagnosis) {
    ++compared_;
    const Deviation deviation = deviation_of(seen, right, digits_);
    if (deviation.within()) {
        worst_ratio_ = std::max(worst_ratio_, deviation.ratio);
        return;
    }
    if (failed() && !(deviation.ratio > failure_.worst_ratio)) return;
    // A number that is not finite is another kind of trouble than one that is off.
    const bool finite = std::isfinite(seen) || std::isnan(right.hi);
    const std::string name(diagnosis.empty() ? what : diagnosis);
    fail(finite ? name : name + " not finite", place,
         {.kind = Evidence::Kind::answer,
          .what = what,
          .seen = seen,
          .right = right,
          .deviation = deviation,
          .score_size = score_size});
}

void Judge::same(double expected, double seen, std::string_view what, const Place& place,
                 std::string_view diagnosis) {
    ++compared_;
    if (failed() || same_bits(expected, seen)) return;
    fail(std::string(diagnosis), place,
         {.kind = Evidence::Kind::bits,
          .what = what,
          .seen = seen,
          .right = {expected, 0, 0},
          .deviation = {}});
}

void Judge::count(Index right, Index seen, std::string_view what, const Place& place) {
    ++compared_;
    if (failed() || seen == right) return;
    fail(std::string(what), place,
         {.kind = Evidence::Kind::count,
          .what = what,
          .seen = double(seen),
          .right = {double(right), 0, 0},
          .deviation = {}});
}

void Judge::fault(std::string diagnosis, std::string words, const Place& place) {
    ++compared_;
    if (failed()) return;
    keep(Verdict::failed(std::move(diagnosis), std::move(words)));
    failure_.place = place;
}

void Judge::trouble(const Run& run) {
    if (!run.trouble || failed()) return;
    keep(*run.trouble);
}

void Judge::show_row(const Judged& outputs, const Spec& spec) {
    const Place& place = failure_.place;
    if (!failed() || failure_.row != nullptr || place.slot == Place::absent) return;
    for (const Output& output : outputs) {
        const Observation& seen = output.seen();
        if (seen.command != place.command || seen.row != place.row || seen.slot() != place.slot)
            continue;
        RowTable table = row_table_of(output, spec, digits_);
        table.declares_weights = declares_weights_;
        failure_.row = std::make_shared<const RowTable>(std::move(table));
        return;
    }
}

Verdict Judge::verdict() const {
    if (failed()) return failure_;
    if (compared_ == 0) return Verdict::distrusted("nothing to compare");
    return Verdict::passed(worst_ratio_);
}

void judge_outputs(Judge& judge, const Run& run, Oracle& oracle, const OutputFilter& filter,
                   Judged::Staging staging, Answered answered) {
    judge.trouble(run);
    if (judge.failed()) return;
    const Judged outputs(run, oracle, filter, staging);
    for (const Output& output : outputs) {
        if (answered == Answered::some && !output.is_answered()) continue;
        const TokenTruth& truth = output.truth_of_output();
        if (!truth.in_domain) continue;
        const Place place = place_of(output, oracle.spec());
        if (!output.seen().written) {
            judge.fault("unwritten", "an output element was never written", place);
            break;
        }
        for (std::size_t i = 0; i < truth.output.size(); ++i) {
            const Place at = with_element(place, oracle.spec(), i);
            judge.within(truth.output[i], output.seen().output[i], "output", at,
                         score_size_of(truth, at));
        }
    }
    judge.show_row(outputs, oracle.spec());
}

void judge_same_outputs(Judge& judge, const Capabilities& capabilities, Oracle& oracle,
                        const Run& expected, const Run& run, const OutputFilter& filter,
                        Judged::Staging staging) {
    if (!capabilities.features.has(Feature::repeatable)) {
        judge_outputs(judge, run, oracle, filter, staging);
        return;
    }
    judge.trouble(expected);
    judge.trouble(run);
    if (judge.failed()) return;
    const Judged before(expected, oracle, filter, staging);
    const Judged after(run, oracle, filter, staging);
    KVCHECK_ASSERT(before.size() == after.size());
    for (std::size_t n = 0; n < after.size(); ++n) {
        KVCHECK_ASSERT(before[n].seen().slot() == after[n].seen().slot());
        const std::vector<double>& right = before[n].seen().output;
        const std::vector<double>& seen = after[n].seen().output;
        const Place place = place_of(after[n], oracle.spec());
        for (std::size_t i = 0; i < right.size(); ++i) {
            judge.same(without_sign(right[i]), without_sign(seen[i]), "output",
                       with_element(place, oracle.spec(), i), "bits");
        }
    }
    judge.show_row(after, oracle.spec());
}

}  // namespace kvcheck
