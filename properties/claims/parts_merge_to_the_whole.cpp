// SPDX-License-Identifier: Apache-2.0
// Clause 17: the keys of every row are dealt out to several objects, and what these yield, merged
// by their log-sum-exps in fifty digits, is what one object yields over all keys. Another object's
// keys are padding to it, and padded queries are computed; so each runs the same program. At layer
// level only one head reaches the output, since several are merged apart.
#include <algorithm>
#include <memory>

#include "model/case_hash.hpp"
#include "model/types/ieee.hpp"
#include "oracles/merge.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

/// Which part holds a slot.
using Deal = std::function<Index(Index slot)>;

/// The tokens that a part does not hold become padding.
Case part_of(const Case& whole, const Deal& deal, Index part) {
    Case test_case = whole;
    for_each_token(test_case, [&](const TokenSite& site, Token& token) {
        token.real = token.real && deal(site.slot) == part;
    });
    return test_case;
}

/// The output projection takes in one head and drops all others.
void keep_one_head(Case& test_case, Index head) {
    const Spec& spec = test_case.spec;
    std::vector<float>& weight = test_case.parameters.output.weight;  // [D][H*Dv]
    for (std::size_t i = 0; i < weight.size(); ++i) {
        const Index column = Index(i) % spec.attended_size();
        if (column / spec.value_width != head) weight[i] = 0;
    }
}

/// A run of a part, and what is right of its outputs.
struct PartRun {
    Run run;
    std::unique_ptr<Judged> outputs;
};

bool any_output(const Output&) { return true; }

struct Dealt {
    Subject& subject;
    const Case& whole;
    Oracle& oracle;  // of the whole, and of its parts

    std::vector<PartRun> run(Judge& judge, const Deal& deal, Index parts) const {
        std::vector<PartRun> runs;
        for (Index part = 0; part < parts && !judge.failed(); ++part) {
            const Case test_case = part_of(whole, deal, part);
            if (!subject.capabilities().features.has_all(features_of(test_case))) return {};
            DriveOptions options = asked_for(test_case);
            options.log_sum_exp = true;
            auto& one = runs.emplace_back(PartRun{drive(subject, test_case, options), nullptr});
            judge.trouble(one.run);
        }
        for (PartRun& one : runs)
            one.outputs =
                std::make_unique<Judged>(one.run, oracle, any_output, Judged::Staging::none);
        return runs;
    }
};

/// Elements `begin` ... `end` - 1 of an output, which belong to one head.
struct Head {
    Index number;
    std::size_t begin, end;
};

/// At layer level the one that is kept.
std::vector<Head> heads_of(const Spec& spec, Index kept) {
    if (spec.level == Level::layer) return {{kept, 0, std::size_t(spec.model_width)}};
    std::vector<Head> heads;
    const auto width = std::size_t(spec.value_width);
    for (Index h = 0; h < spec.query_heads; ++h)
        heads.push_back({h, std::size_t(h) * width, std::size_t(h + 1) * width});
    return heads;
}

template <class Values>
Values elements(const Values& values, const Head& head) {
    return {values.begin() + std::ptrdiff_t(head.begin), values.begin() + std::ptrdiff_t(head.end)};
}

/// What the parts that hold a key the query sees have shown of one head; empty where a correct
/// program may overflow in one of them.
std::vector<KeyPart> shown_by(Judge& judge, const std::vector<PartRun>& runs, std::size_t n,
                              const Head& head, const Place& place) {
    std::vector<KeyPart> parts;
    for (const PartRun& one : runs) {
        const Output& output = (*one.outputs)[n];
        const double seen = output.seen().log_sum_exp[std::size_t(head.number)];
        const TokenTruth& truth = output.truth();
        if (!truth.in_domain) return {};
        if (truth.standing.dead) {
            if (!std::isinf(seen) || seen > 0)
                judge.fault("log-sum-exp over no keys",
                            "a log-sum-exp over no keys: got " + float_text(float(seen)) +
                                ", must be minus infinity",
                            place);
            continue;
        }
        KeyPart& part = parts.emplace_back();
        part.log_sum_exp = seen;
        part.right = truth.log_sum_exp[std::size_t(head.number)];
        part.output = elements(output.seen().output, head);
        part.right_output = elements(truth.output, head);
    }
    return parts;
}

void judge_query(Judge& judge, const Output& whole, const std::vector<PartRun>& runs, std::size_t n,
                 const Spec& spec, const std::vector<Head>& heads) {
    const TokenTruth& truth = whole.truth();
    if (!truth.in_domain || truth.standing.dead) return;
    Place place = place_of(whole, spec);
    for (const Head& head : heads) {
        place.head = head.number;
        place.element = Place::absent;
        const std::vector<KeyPart> parts = shown_by(judge, runs, n, head, place);
        if (parts.empty()) continue;
        const std::vector<double> seen = merged(parts);
        const std::vector<Answer> right = bounded_by(parts, elements(truth.output, head));
        for (std::size_t i = 0; i < seen.size(); ++i) {
            place.element = Index(i);
            judge.within(right[i], seen[i], "merged output", place);
        }
    }
}

/// Slots by turns, and in ranges of which the second is empty, in three to five parts.
std::vector<std::pair<Deal, std::string>> deals_of(Index parts, Index longest) {
    const Index range = std::max<Index>((longest + parts - 2) / (parts - 1), 1);
    return {{[=](Index slot) { return slot % parts; }, "by turns"},
            {[=](Index slot) { return slot / range + (slot / range > 0 ? 1 : 0); },
             "in ranges, of which the second is empty"}};
}

}  // namespace

Verdict parts_merge_to_the_whole(Subject& subject, const Case& test_case, Oracle& oracle) {
    const Spec& given = test_case.spec;
    const bool counts = given.position_ids == PositionIds::visible_count || given.anchors;
    if (given.sinks) return Verdict::distrusted("a sink is left to who merges");
    if (counts) return Verdict::distrusted("its positions, or anchors, count real tokens");
    // What is computed must be finite.
    const auto is_padding = [](const TokenSite&, const Token& token) { return !token.real; };
    Case whole = with_contents(test_case, 0, is_padding);
    whole.spec.padded_query = PaddedQuery::computed;
    const Index kept = Index(hash_of(test_case) % std::uint64_t(given.query_heads));
    keep_one_head(whole, kept);
    const std::vector<Head> heads = heads_of(whole.spec, kept);
    const Capabilities& capabilities = subject.capabilities();
    Oracle of_parts(whole.spec, whole.parameters, capabilities.profile, oracle.evaluation(),
                    stored_keys_of(capabilities.features));
    Judge judge(capabilities);
    constexpr Index least_parts = 3;
    const Index parts = least_parts + Index(hash_of(test_case) % 3);
    // Of the whole only the order of its outputs is used, and what is right of them.
    const Run shape = drive(subject, whole, outputs_only());
    judge.trouble(shape);
    if (judge.failed()) return judge.verdict();
    const Judged outputs(shape, of_parts, any_output, Judged::Staging::none);
    for (const auto& [deal, words] : deals_of(parts, longest_row(whole))) {
        judge.in_variant("dealt out to " + std::to_string(parts) + " parts " + words);
        const auto runs = Dealt{subject, whole, of_parts}.run(judge, deal, parts);
        if (judge.failed()) break;
        if (runs.empty()) continue;
        for (std::size_t n = 0; n < outputs.size(); ++n) {
            if (outputs[n].is_answered() && outputs[n].seen().token().token.real)
                judge_query(judge, outputs[n], runs, n, whole.spec, heads);
        }
    }
    oracle.count(of_parts.counts());
    return judge.verdict();
}

}  // namespace kvcheck
