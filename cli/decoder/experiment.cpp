// SPDX-License-Identifier: Apache-2.0
// The experiment's decoder and its runs (declared in experiment.hpp).
#include "cli/decoder/experiment.hpp"

#include <algorithm>
#include <cmath>

#include "model/types/assert.hpp"
#include "properties/generators/decoder.hpp"

namespace kvcheck {
DecoderSpec study_spec(Index rows, Index capacity) {
    DecoderSpec spec;
    spec.attention.rows = rows;
    spec.attention.query_heads = spec.attention.kv_heads = 4;
    spec.attention.key_width = spec.attention.value_width = 16;
    spec.attention.capacity = capacity;
    spec.layers = 2;
    spec.model_width = 64;
    spec.hidden_width = 256;
    spec.vocabulary = 97;
    spec.position_signal = PositionSignal::learned;
    spec.positions = 512;
    spec.norm_epsilon = 1.0F / 100000;
    spec.biases = true;
    return spec;
}

DecoderParameters study_parameters() {
    const DecoderSpec spec = study_spec(1, 1);
    DecoderParameters parameters = drawn_decoder(spec, 0, study_seed);
    KVCHECK_ASSERT(parameter_count(spec, parameters) == study_parameter_count);
    return parameters;
}

std::string name_of(Precision precision) { return precision == Precision::fp32 ? "FP32" : "FP64"; }

DecoderArithmetic arithmetic_of(Precision precision) {
    constexpr int single = 24;
    constexpr int wide = 53;
    return {two_pass_profile(precision == Precision::fp32 ? single : wide), 0};
}

std::unique_ptr<Decoder> study_decoder(Precision precision, Index rows, Index capacity) {
    const auto make =
        precision == Precision::fp32 ? make_plain_decoder<float> : make_plain_decoder<double>;
    return make(study_spec(rows, capacity), study_parameters(), std::make_shared<DecoderRules>(),
                std::make_shared<PlainRules>());
}

std::unique_ptr<Decoder> broken_study_decoder(const DecoderMutant& mutant, Index capacity) {
    return make_plain_decoder<float>(study_spec(1, capacity), study_parameters(), mutant.rules,
                                     mutant.attention_rules);
}

StudyRun study_run(Decoder& decoder, const std::vector<std::vector<Index>>& rows,
                   const std::vector<Index>& chunks, bool wants_taps) {
    StudyRun run;
    run.logits.resize(rows.size());
    run.taps.resize(rows.size());
    const auto total = Index(rows.front().size());
    std::size_t next = 0;
    for (Index at = 0; at < total;) {
        const Index count = std::min(chunks[std::min(next++, chunks.size() - 1)], total - at);
        DecoderCall call;
        call.wants_taps = wants_taps;
        for (const std::vector<Index>& row : rows) {
            call.tokens.emplace_back(row.begin() + at, row.begin() + at + count);
        }
        DecoderAnswer answer;
        const Status status = decoder.append(call, answer);
        KVCHECK_ASSERT(status.ok());
        for (std::size_t r = 0; r < rows.size(); ++r) {
            for (auto& logits : answer.logits[r]) run.logits[r].push_back(std::move(logits));
            for (auto& taps : answer.taps[r]) run.taps[r].push_back(std::move(taps));
        }
        at += count;
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
        auto& layers = run.stored.emplace_back();
        while (const auto layer = decoder.stored(Index(r), Index(layers.size()))) {
            layers.push_back(*layer);
        }
    }
    return run;
}

StudyErrors errors_of(const StudyRun& run, const std::vector<ExpectedRow>& expected) {
    StudyErrors errors;
    for (std::size_t r = 0; r < run.logits.size(); ++r) {
        const ExpectedRow& right = expected[r];
        KVCHECK_ASSERT(run.logits[r].size() == right.logits.size());
        for (std::size_t t = 0; t < run.logits[r].size(); ++t) {
            errors.logits.add(run.logits[r][t], right.logits[t]);
        }
        KVCHECK_ASSERT(run.stored[r].size() == right.keys.size());
        for (std::size_t l = 0; l < run.stored[r].size(); ++l) {
            const StoredLayer& layer = run.stored[r][l];
            KVCHECK_ASSERT(layer.keys.size() == right.keys[l].size());
            for (std::size_t t = 0; t < layer.keys.size(); ++t) {
                errors.stored.add(layer.keys[t], right.keys[l][t]);
                errors.stored.add(layer.values[t], right.values[l][t]);
            }
        }
    }
    return errors;
}

double largest_difference(const StudyRun& one, const StudyRun& other) {
    double largest = 0;
    for (std::size_t r = 0; r < one.logits.size(); ++r) {
        for (std::size_t t = 0; t < one.logits[r].size(); ++t) {
            for (std::size_t v = 0; v < one.logits[r][t].size(); ++v) {
                largest = std::max(largest, std::fabs(one.logits[r][t][v] - other.logits[r][t][v]));
            }
        }
    }
    return largest;
}

StudyAnswers study_answers(const std::vector<Index>& tokens) {
    const DecoderSpec spec = study_spec(1, Index(tokens.size()));
    const DecoderParameters parameters = study_parameters();
    const DecoderTruth truth = decoder_truth(spec, parameters, real_tokens(tokens));
    return {expected_row(spec, parameters, arithmetic_of(Precision::fp32), truth),
            expected_row(spec, parameters, arithmetic_of(Precision::fp64), truth)};
}

}  // namespace kvcheck
