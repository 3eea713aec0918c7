// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/faults.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tests/properties/capacity_faults.hpp"
#include "tests/properties/command_faults.hpp"
#include "tests/properties/fault_rules.hpp"

namespace kvcheck {
namespace {

Index tokens_of(const AppendCall& call) { return call.output.shape.extent[1]; }
bool is_empty(const AppendCall& call) { return call.output.shape.size() == 0; }

/// A subject that does its work and then something to the result.
Tamper after(std::function<void(const AppendCall&)> change) {
    Tamper tamper;
    tamper.append = [change](Session& inner, const AppendCall& call) {
        const Status status = inner.append(call);
        if (status.ok() && !is_empty(call)) change(call);
        return status;
    };
    return tamper;
}

/// A subject that honours what it should refuse, by repairing the call first.
Tamper lenient(std::function<void(AppendCall&)> repair) {
    Tamper tamper;
    tamper.append = [repair](Session& inner, const AppendCall& call) {
        AppendCall repaired = call;
        repair(repaired);
        return inner.append(repaired);
    };
    return tamper;
}

/// A subject that puts wrong counts right.
Tamper with_counts(std::function<void(std::vector<Index>& counts, Index tokens)> repair) {
    Tamper tamper;
    tamper.append = [repair](Session& inner, const AppendCall& call) {
        std::vector<Index> counts(call.counts.begin(), call.counts.end());
        repair(counts, tokens_of(call));
        AppendCall repaired = call;
        repaired.counts = counts;
        return inner.append(repaired);
    };
    return tamper;
}

template <class Rules>
Tamper with() {
    Tamper tamper;
    tamper.rules = std::make_shared<Rules>();
    return tamper;
}

Tamper doubled_output() {
    return after([](const AppendCall& call) { call.output.at<float>(0, 0, 0, 0) *= 2; });
}
Tamper mixes_rows() {
    return after([](const AppendCall& call) {
        const Index rows = call.output.shape.extent[0];
        if (call.counts[0] == 0 || call.counts[std::size_t(rows - 1)] == 0 || rows == 1) return;
        call.output.at<float>(rows - 1, 0, 0, 0) += call.value.at<float>(0, 0, 0, 0);
    });
}
Tamper reads_beyond_counts() {
    return after([](const AppendCall& call) {
        for (Index r = 0; r < call.output.shape.extent[0]; ++r) {
            const Index count = call.counts[std::size_t(r)];
            if (count == 0 || count == tokens_of(call)) continue;
            call.output.at<float>(r, 0, 0, 0) += call.value.at<float>(r, count, 0, 0);
        }
    });
}
Tamper scaled_weights() {
    return after([](const AppendCall& call) {
        if (call.weights && call.weights->shape.extent[3] > 0) {
            for (Index r = 0; r < call.weights->shape.extent[0]; ++r) {
                for (Index slot = 0; slot < call.weights->shape.extent[3]; ++slot) {
                    float& weight = call.weights->at<float>(r, 0, 0, slot);
                    weight += weight / 1024;
                }
            }
        }
    });
}
Tamper weight_of_the_future() {
    return after([](const AppendCall& call) {
        if (!call.weights) return;
        const Index slots = call.weights->shape.extent[3];
        if (tokens_of(call) > 1) call.weights->at<float>(0, 0, 0, slots - 1) += 0x1p-100F;
    });
}
Tamper forgets_last_row() {
    Tamper tamper = after([](const AppendCall& call) {
        const Index rows = call.output.shape.extent[0];
        const Index count = call.counts[std::size_t(rows - 1)];
        if (count == 0) return;
        call.output.at<float>(rows - 1, count - 1, 0, 0) = std::bit_cast<float>(0x7fc5a5a5U);
    });
    return tamper;
}
Tamper writes_past_the_end() {
    return after([](const AppendCall& call) {
        const auto& shape = call.output.shape;
        (&call.output.at<float>(shape.extent[0] - 1, tokens_of(call) - 1, shape.extent[2] - 1,
                                shape.extent[3] - 1))[1] = 1;
    });
}
Tamper changes_an_input() {
    return after(
        [](const AppendCall& call) { const_cast<float&>(call.query.at<float>(0, 0, 0, 0)) += 1; });
}
Tamper assumes_packed() {
    return lenient([](AppendCall& call) {
        const Shape& shape = call.query.shape;
        call.query.stride = {shape.extent[1] * shape.extent[2] * shape.extent[3],
                             shape.extent[2] * shape.extent[3], shape.extent[3], 1};
    });
}
Tamper ignores_offsets() {
    return lenient([](AppendCall& call) { call.query_offset.reset(); });
}
Tamper checks_first_offset_only() {
    Tamper tamper;
    tamper.append = [](Session& inner, const AppendCall& call) {
        std::vector<RowNumbers> rows(call.counts.size());
        if (!inner.numbers(rows).ok()) return inner.append(call);
        AppendCall repaired = call;
        std::vector<Index> right;
        for (const RowNumbers& row : rows) right.push_back(*row.length);
        if (call.query_offset && !call.query_offset->empty() && !right.empty()) {
            right[0] = (*call.query_offset)[0];
            repaired.query_offset = right;
        }
        return inner.append(repaired);
    };
    return tamper;
}
Tamper ignores_types() {
    return lenient([](AppendCall& call) {
        for (InputView* view : {&call.query, &call.key, &call.value}) view->type = ElementType::f32;
    });
}
Tamper ignores_the_type_of_value() {
    return lenient([](AppendCall& call) { call.value.type = call.query.type; });
}
Tamper ignores_the_tokens_of_value() {
    return lenient(
        [](AppendCall& call) { call.value.shape.extent[1] = call.query.shape.extent[1]; });
}
Tamper cuts_offsets_to_32_bits() {
    Tamper tamper;
    tamper.append = [](Session& inner, const AppendCall& call) {
        if (!call.query_offset) return inner.append(call);
        std::vector<Index> offsets(call.query_offset->begin(), call.query_offset->end());
        for (Index& offset : offsets) offset = std::int32_t(offset);
        AppendCall repaired = call;
        repaired.query_offset = offsets;
        return inner.append(repaired);
    };
    return tamper;
}
Tamper believes_the_last_count() {
    return with_counts([](std::vector<Index>& counts, Index tokens) {
        if (!counts.empty()) counts.back() = std::clamp<Index>(counts.back(), 0, tokens);
    });
}
Tamper takes_the_strides_of_key_for_value() {
    return lenient([](AppendCall& call) {
        // Where they are longer than its own, they would lead out of its memory.
        bool inside = call.value.shape == call.key.shape;
        for (std::size_t i = 0; i < call.value.stride.size(); ++i) {
            inside = inside && call.key.stride[i] <= call.value.stride[i];
        }
        if (inside) call.value.stride = call.key.stride;
    });
}
Tamper assumes_that_heads_differ() {
    return lenient([](AppendCall& call) {
        if (call.key.stride[2] == 0) call.key.stride[1] = 0;
    });
}
Tamper assumes_aligned_arrays() {
    return after([](const AppendCall& call) {
        constexpr std::uintptr_t vector_bytes = 16;
        if (std::bit_cast<std::uintptr_t>(call.query.data) % vector_bytes != 0) {
            call.output.at<float>(0, 0, 0, 0) += 1;
        }
    });
}
Tamper has_the_scale_of_the_last_session() {
    const auto width = std::make_shared<Index>(0);
    Tamper tamper = after([width](const AppendCall& call) {
        if (call.query.shape.extent[3] != *width) call.output.at<float>(0, 0, 0, 0) += 1;
    });
    tamper.open = [width](const Spec& spec) {
        *width = spec.key_width;
        return Status::done();
    };
    return tamper;
}
Tamper minds_a_reset_of_nothing() {
    const auto empty_resets = std::make_shared<int>(0);
    const auto held = std::make_shared<bool>(false);
    Tamper tamper = after([=](const AppendCall& call) {
        if (call.counts[0] == 0) return;
        *held = true;
        if (*empty_resets > 0) call.output.at<float>(0, 0, 0, 0) += 1;
    });
    tamper.lifecycle = [=](Session& inner, const Lifecycle& command) {
        if (!*held) ++*empty_resets;
        *held = false;
        return inner.apply(command);
    };
    tamper.open = [=](const Spec&) {
        *empty_resets = 0;
        *held = false;
        return Status::done();
    };
    return tamper;
}
Tamper ignores_value_width() {
    return lenient(
        [](AppendCall& call) { call.value.shape.extent[3] = call.output.shape.extent[3]; });
}
Tamper clamps_counts() {
    return with_counts([](std::vector<Index>& counts, Index tokens) {
        for (Index& count : counts) count = std::clamp<Index>(count, 0, tokens);
    });
}
Tamper forgets_on_refusal() {
    Tamper tamper;
    tamper.append = [](Session& inner, const AppendCall& call) {
        Status status = inner.append(call);
        if (!status.ok()) inner.apply(Reset{});
        return status;
    };
    return tamper;
}
Tamper counts_one_too_many() {
    Tamper tamper;
    tamper.numbers = [](Session& inner, std::span<RowNumbers> rows) {
        const Status status = inner.numbers(rows);
        for (RowNumbers& row : rows) {
            if (*row.length > 2) row.write_end = *row.write_end + 1;
        }
        return status;
    };
    return tamper;
}
Tamper exports_what_changes() {
    Tamper tamper;
    tamper.export_kv = [](Session& inner, Index row, const OutputView& key,
                          const OutputView& value) {
        const Status status = inner.export_kv(row, key, value);
        if (key.shape.extent[1] > 1) key.at<float>(0, 0, 0) += float(key.shape.extent[1]);
        return status;
    };
    return tamper;
}
Tamper exports_narrowed() {
    Tamper tamper;
    tamper.export_kv = [](Session& inner, Index row, const OutputView& key,
                          const OutputView& value) {
        const Status status = inner.export_kv(row, key, value);
        if (value.shape.size() == 0) return status;
        float& x = value.at<float>(0, value.shape.extent[1] - 1, 0);
        x = std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0xffff0000U);
        return status;
    };
    return tamper;
}
Tamper one_for_dead_rows() {
    return after([](const AppendCall& call) {
        for (Index r = 0; r < call.output.shape.extent[0]; ++r) {
            if (call.counts[std::size_t(r)] == 0) continue;
            float& x = call.output.at<float>(r, 0, 0, 0);
            if (call.real[std::size_t(r * tokens_of(call))] == 0 && (x == 0 || std::isnan(x)))
                x = 1;
        }
    });
}
Tamper keeps_memory_over_reset() {
    // A value that survives resets and shows in the outputs.
    const auto kept = std::make_shared<float>(0.0F);
    Tamper tamper = after([kept](const AppendCall& call) {
        if (call.counts[0] > 0) call.output.at<float>(0, 0, 0, 0) += *kept;
    });
    tamper.lifecycle = [kept](Session& inner, const Lifecycle& command) {
        *kept = 1;
        return inner.apply(command);
    };
    tamper.open = [kept](const Spec&) {
        *kept = 0;
        return Status::done();
    };
    return tamper;
}
Tamper drifts() {
    const auto calls = std::make_shared<int>(0);
    return after([calls](const AppendCall& call) {
        float& x = call.output.at<float>(0, 0, 0, 0);
        if (++*calls % 2 == 0) x = std::nextafter(x, 2.0F);
    });
}

}  // namespace

const std::vector<Fault>& faults() {
    static const std::vector<Fault> list = {
        {"DoubledOutput", "outputs_match_the_oracle", doubled_output},
        {"ChunkLocalMask", "chunks_do_not_matter", with<ChunkLocal>},
        {"SeesNext", "future_is_invisible", with<SeesNext>},
        {"LeftBehindButMasked", "window_forgets", with<LeftBehindButMasked>},
        {"OtherBranchesButMasked", "branches_do_not_mix", with<OtherBranchesButMasked>},
        {"TakesAnyParent", "wrong_call_is_refused", takes_any_parent},
        {"ZeroTimesNan", "padding_is_invisible", with<ZeroInsteadOfSkipped>},
        {"ReadsBeyondCounts", "unused_memory_is_invisible", reads_beyond_counts},
        {"MixesRows", "rows_do_not_mix", mixes_rows},
        {"CountsOneTooMany", "cache_grows_exactly", counts_one_too_many},
        {"EarlierEntriesChange", "cache_grows_exactly", exports_what_changes},
        {"IgnoresOffsets", "wrong_offset_is_refused", ignores_offsets},
        {"ChecksFirstOffsetOnly", "wrong_offset_is_refused", checks_first_offset_only},
        {"ForgetsOnRefusedOffset", "wrong_offset_is_refused", forgets_on_refusal},
        {"IgnoresTypes", "wrong_call_is_refused", ignores_types},
        {"IgnoresTheTypeOfValue", "wrong_call_is_refused", ignores_the_type_of_value},
        {"IgnoresTheTokensOfValue", "wrong_call_is_refused", ignores_the_tokens_of_value},
        {"BelievesTheLastCount", "wrong_call_is_refused", believes_the_last_count},
        {"CutsOffsetsTo32Bits", "wrong_offset_is_refused", cuts_offsets_to_32_bits},
        {"HasTheScaleOfTheLastSession", "rows_do_not_mix", has_the_scale_of_the_last_session},
        {"TakesTheStridesOfKeyForValue", "buffers_are_respected",
         takes_the_strides_of_key_for_value},
        {"AssumesThatHeadsDiffer", "buffers_are_respected", assumes_that_heads_differ},
        {"AssumesAlignedArrays", "buffers_are_respected", assumes_aligned_arrays},
        {"LetsADecoderOverrun", "wrong_call_is_refused", lets_a_decoder_overrun},
        {"BeginsAnewBeyondItsCapacity", "capacity_is_as_declared", begins_anew_beyond_its_capacity},
        {"KeepsOneSlotTooMany", "capacity_is_as_declared", keeps_one_slot_too_many},
        {"KeepsOneSlotTooFew", "capacity_is_as_declared", keeps_one_slot_too_few},
        {"DeclaresToBeUnboundedAndRefuses", "capacity_is_as_declared",
         declares_to_be_unbounded_and_refuses},
        {"MindsAResetOfNothing", "outputs_match_the_oracle", minds_a_reset_of_nothing},
        {"IgnoresValueWidth", "wrong_call_is_refused", ignores_value_width},
        {"ClampsCounts", "wrong_call_is_refused", clamps_counts},
        {"ForgetsOnRefusedCall", "wrong_call_is_refused", forgets_on_refusal},
        {"ScaledWeights", "weights_match_the_oracle", scaled_weights},
        {"WeightOfTheFuture", "weights_match_the_oracle", weight_of_the_future},
        {"ScaledWeightsDoNotSumToOne", "rows_normalise", scaled_weights},
        {"LogSumExpInBase2", "lse_matches_the_oracle", with<LogSumExpInBase2>},
        {"MergesInBase2", "parts_merge_to_the_whole", with<LogSumExpInBase2>},
        {"StoresNarrowed", "stored_kv_matches_the_oracle", exports_narrowed},
        {"OneForDeadRows", "dead_rows_are_as_declared", one_for_dead_rows},
        {"ResetsAllRowsForOne", "outputs_match_the_oracle", resets_all_rows_for_one},
        {"EvictsThreeSlotsAtMost", "evicted_is_hidden", evicts_three_slots_at_most},
        {"TruncatesTooMuch", "truncate_undoes_append", truncates_too_much},
        {"IgnoresACutThatIsTooLong", "wrong_command_is_refused", ignores_a_cut_that_is_too_long},
        {"ReordersBackwards", "reorder_is_replay", reorders_backwards},
        {"ForkSharesMemory", "forks_do_not_mix", with<ForkSharesMemory>},
        {"FinishesNothing", "finished_rows_stay", finishes_nothing},
        {"ShiftTurnsKeysOn", "shifts_add_up", with<ShiftTurnsKeysOn>},
        {"AdmitsByCapacity", "admission_is_as_append", with<AdmitsByCapacity>},
        {"AskIsCausal", "asks_see_every_key", with<AskIsCausal>},
        {"PrefixSharesMemory", "reuse_is_replay", with<PrefixSharesMemory>},
        {"TrustsTheHashOfAPrefix", "other_prefix_is_refused", with<TrustsTheHashOfAPrefix>},
        {"ForgetsWhatItSaved", "saved_is_continued", forgets_what_it_saved},
        {"LoadsDamagedStates", "bad_save_is_refused", with<LoadsDamagedStates>},
        {"EvictedButMasked", "evicted_is_hidden", with<EvictedButMasked>},
        {"KeepsMemoryOverReset", "reset_is_fresh", keeps_memory_over_reset},
        {"Drifts", "same_call_same_bits", drifts},
        {"ForgetsLastRow", "buffers_are_respected", forgets_last_row},
        {"WritesPastTheEnd", "buffers_are_respected", writes_past_the_end},
        {"ChangesAnInput", "buffers_are_respected", changes_an_input},
        {"AssumesPacked", "buffers_are_respected", assumes_packed},
    };
    return list;
}

std::vector<Fault> harmless_faults() {
    std::vector<Fault> list = faults();
    std::erase_if(list, [](const Fault& fault) {
        const std::string_view name = fault.name;
        return name == "WritesPastTheEnd" || name == "AssumesPacked" ||
               name == "ChecksFirstOffsetOnly";
    });
    return list;
}

}  // namespace kvcheck
