// SPDX-License-Identifier: Apache-2.0
// Clauses 3 and 4 in memory: every layout of the views, with guard zones around and gaps between
// the elements. Inputs keep their bytes, outputs are fully written, nothing else is touched, and
// the answers are right for strides that are not those of a packed array.
#include "properties/catalogue.hpp"
#include "properties/judge.hpp"

namespace kvcheck {

Verdict buffers_are_respected(Subject& subject, const Case& value, Oracle& oracle) {
    Judge judge(subject.capabilities());
    for (const auto& [layout, name] :
         {std::pair{Layout::packed, "packed"}, std::pair{Layout::gapped, "gapped"},
          std::pair{Layout::head_major, "head-major"}}) {
        DriveOptions options;
        options.layout = layout;
        const Run run = drive(subject, value, options);
        const std::string context = std::string("in ") + name + " arrays, ";
        if (!run.memory_fault.empty()) judge.fault("memory", context + run.memory_fault);
        judge.count();
        judge_outputs(judge, oracle, history_of(value), run, context);
    }
    return judge.verdict();
}

}  // namespace kvcheck
