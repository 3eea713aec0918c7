// SPDX-License-Identifier: Apache-2.0
// Clause 8: the same tokens in every split of splits_of(), the uncached full pass among them,
// against one truth. Each side lies within its bound, so any two splits differ by at most the sum.
#include "properties/catalogue.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {

Verdict chunks_do_not_matter(Subject& subject, const Case& value, Oracle& oracle) {
    Judge judge(subject.capabilities());
    const auto history = history_of(value);
    Index longest = 0;
    for (const Epoch& epoch : history) {
        for (const RowTokens& row : epoch) longest = std::max(longest, Index(row.size()));
    }
    for (const auto& chunks : splits_of(longest)) {
        const Case split = with_chunks(value, chunks);
        if (!subject.capabilities().features.has_all(features_of(split))) continue;
        judge_outputs(judge, oracle, history, drive(subject, split),
                      "in chunks of " + chunks_text(chunks) + ", ");
    }
    return judge.verdict();
}

}  // namespace kvcheck
