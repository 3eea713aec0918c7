// SPDX-License-Identifier: Apache-2.0
// Clauses 3 and 4 in memory: every layout of the views, the arrays of a call alike and each in
// another one, beginning anywhere between two 64-byte boundaries; guards around and gaps between
// the elements. Inputs keep their bytes, outputs are fully written, nothing else is touched, and
// the answers are right for strides that are not those of a packed array. Heads that share their
// memory are tried with a case whose key and value heads are equal.
#include <fmt/format.h>

#include "properties/catalogue.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

Arrangement all_in(Layout layout, Index offset) {
    Arrangement arrangement;
    arrangement.layout.fill(layout);
    arrangement.offset = offset;
    return arrangement;
}

/// Query, key, value and output in four different layouts; `turn` says which has which.
Arrangement each_its_own(Index turn, Index offset) {
    static const std::array<Layout, 4> layouts = {Layout::packed, Layout::head_major, Layout::fused,
                                                  Layout::gapped};
    Arrangement arrangement;
    arrangement.offset = offset;
    for (std::size_t i = 0; i < call_role_count; ++i) {
        arrangement.layout[i] = layouts[(i + std::size_t(turn)) % layouts.size()];
    }
    return arrangement;
}

}  // namespace

Verdict buffers_are_respected(Subject& subject, const Case& test_case, Oracle& oracle) {
    Judge judge(subject.capabilities());
    const auto judge_in = [&](const Case& called, const Arrangement& arrangement,
                              std::string_view name) {
        DriveOptions options;
        options.arrangement = arrangement;
        const Run run = drive(subject, called, options);
        judge.in_variant(
            fmt::format("in {} arrays, {} elements from a boundary", name, arrangement.offset));
        if (!run.memory_fault.empty()) judge.fault("memory", run.memory_fault);
        judge.holds();
        judge_outputs(judge, run, oracle);
    };
    // Each case tries a few of all pairs of layout and offset; many cases try them all.
    const CaseSize size = size_of(test_case);
    const Spec& spec = test_case.spec;
    Index turn = size.tokens + size.commands + spec.key_width + spec.query_heads;
    const Index offsets = subject.capabilities().element == ElementType::f32 ? 16 : 8;
    const auto next_offset = [&] { return turn++ % offsets; };
    judge_in(test_case, all_in(Layout::packed, 0), "packed");
    for (const Layout layout :
         {Layout::packed, Layout::head_major, Layout::fused, Layout::gapped}) {
        judge_in(test_case, all_in(layout, next_offset()), name_of(layout));
    }
    // A small case tries every turn, so that shrinking does not end where only a turn happens to
    // fit.
    constexpr Index small = 6;
    const Index turns = size.rows * size.tokens <= small ? 4 : 1;
    for (Index n = 0; n < turns; ++n) {
        const Index offset = next_offset();
        judge_in(test_case, each_its_own(turn, offset), "variously placed");
    }
    if (spec.level == Level::attention && spec.kv_heads > 1) {
        Arrangement shared;
        shared.layout[std::size_t(Role::key)] = Layout::broadcast;
        shared.layout[std::size_t(Role::value)] = Layout::broadcast;
        shared.offset = next_offset();
        judge_in(with_equal_kv_heads(test_case), shared, "shared-head");
    }
    return judge.verdict();
}

}  // namespace kvcheck
