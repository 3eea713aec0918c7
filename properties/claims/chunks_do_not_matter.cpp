// SPDX-License-Identifier: Apache-2.0
// Clause 8: the same tokens in every split of splits_of(), the uncached full pass among them,
// against one truth. Each side lies within its bound, so any two splits differ by at most the sum.
#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {

Verdict chunks_do_not_matter(Subject& subject, const Case& test_case, Oracle& oracle) {
    Judge judge(subject.capabilities());
    Index longest = 0;
    for (const Segment& segment : segments_of(test_case)) {
        longest = std::max(longest, longest_row(segment));
    }
    for (const auto& chunks : splits_of(longest)) {
        const Case split = with_chunks(test_case, chunks);
        if (!subject.capabilities().features.has_all(features_of(split))) continue;
        judge.in_variant("in chunks of " + chunks_text(chunks));
        judge_outputs(judge, drive(subject, split, asked_for(split)), oracle);
    }
    Verdict verdict = judge.verdict();
    // Where one call for all gives right answers, the split is what matters.
    const Case whole = with_chunks(test_case, {longest});
    const bool is_tried = subject.capabilities().features.has_all(features_of(whole));
    if (verdict.diagnosis == "output" && is_tried) {
        Judge of_one_call(subject.capabilities());
        judge_outputs(of_one_call, drive(subject, whole, asked_for(whole)), oracle);
        if (!of_one_call.failed()) verdict.diagnosis = "split";
    }
    return verdict;
}

}  // namespace kvcheck
