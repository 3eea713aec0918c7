// SPDX-License-Identifier: Apache-2.0
// The experiment of kvcheck decoder-study as data: one small decoder of 145,280 parameters, driven
// in chunks, every logit and every cached key and value beside the answers of the oracle.
#pragma once

#include <string>
#include <vector>

#include "impl/mutants/decoder.hpp"
#include "oracles/decoder/expected.hpp"

namespace kvcheck {

constexpr Index study_parameter_count = 145280;
constexpr Index study_positions = 24;
constexpr std::uint64_t study_seed = 24;

/// Width 64, 4 heads of 16, MLP 256, vocabulary 97, 512 learned positions, 2 layers, biases, a
/// matrix of its own for the logits.
DecoderSpec study_spec(Index rows, Index capacity);
DecoderParameters study_parameters();

/// Numbers of one decoder under test and its declared arithmetic.
enum class Precision { fp32, fp64 };
std::string name_of(Precision precision);
DecoderArithmetic arithmetic_of(Precision precision);
std::unique_ptr<Decoder> study_decoder(Precision precision, Index rows, Index capacity);
/// In FP32, of one row.
std::unique_ptr<Decoder> broken_study_decoder(const DecoderMutant& mutant, Index capacity);

/// What a decoder answered to rows of tokens, appended in chunks.
struct StudyRun {
    std::vector<std::vector<std::vector<double>>> logits;  // [rows][tokens][V]
    std::vector<std::vector<StoredLayer>> stored;          // [rows][layers]
    std::vector<std::vector<TokenTaps>> taps;              // [rows][tokens], where asked for
};
/// `chunks` are the counts of the first calls; the last of them is repeated for what is left.
StudyRun study_run(Decoder& decoder, const std::vector<std::vector<Index>>& rows,
                   const std::vector<Index>& chunks, bool wants_taps = false);

/// Errors of a run's logits and stored keys and values.
struct StudyErrors {
    WorstError logits, stored;
};
StudyErrors errors_of(const StudyRun& run, const std::vector<ExpectedRow>& expected);

/// The largest difference of a logit between two runs of the same tokens.
double largest_difference(const StudyRun& one, const StudyRun& other);

/// The answers for a row, in both precisions.
struct StudyAnswers {
    ExpectedRow fp32, fp64;
    const ExpectedRow& of(Precision precision) const {
        return precision == Precision::fp32 ? fp32 : fp64;
    }
};
StudyAnswers study_answers(const std::vector<Index>& tokens);

}  // namespace kvcheck
