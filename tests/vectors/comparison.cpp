// SPDX-License-Identifier: Apache-2.0
#include "tests/vectors/comparison.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "impl/catalogue.hpp"
#include "model/types/ieee.hpp"
#include "oracles/matrix_form.hpp"
#include "properties/drive/sentence.hpp"
#include "tests/oracles/row_truth.hpp"
#include "tests/vectors/nearest_float.hpp"

namespace kvcheck::vectors {
namespace {

std::unique_ptr<Subject> default_subject() {
    const SubjectEntry& entry = built_in_subjects().front();
    return entry.make(std::string(entry.name));
}

std::string text_of(const Place& place) {
    return fmt::format("ONNX row {}, head {}, query {}", place.onnx_row, place.onnx_head,
                       place.onnx_query);
}

}  // namespace

Comparison::Comparison(const OnnxCase& onnx, const Said& said)
    : onnx_(onnx),
      said_(said),
      subject_(default_subject()),
      oracle_(said.test_case.spec, {}, subject_->capabilities().profile),
      rows_(segments_of(said.test_case).front()) {}

TokenTruth Comparison::truth_of(const Place& place) {
    return row_truth(oracle_, rows_[place.row])[place.slot];
}

std::size_t Comparison::element(const Place& place, Index d) const {
    return std::size_t(Index(place.head) * onnx_.value_width() + d);
}

void Comparison::oracles() {
    std::vector<std::vector<std::vector<Answer>>> matrices;
    for (const auto& row : rows_) matrices.push_back(matrix_form(said_.test_case.spec, {}, row));
    for (const Place& place : said_.places) {
        const TokenTruth truth = truth_of(place);
        ASSERT_TRUE(truth.standing.compared && truth.in_domain) << text_of(place);
        for (Index d = 0; d < onnx_.value_width(); ++d) {
            const float expected =
                onnx_.expected.at(place.onnx_row, place.onnx_head, place.onnx_query, d);
            const std::string at = fmt::format("{}, element {}", text_of(place), d);
            same(expected, truth.output[element(place, d)], "first oracle, " + at);
            same(expected, matrices[place.row][place.slot][element(place, d)],
                 "second oracle, " + at);
        }
        if (onnx_.weights) weights(place, truth.weights[place.head]);
    }
}

void Comparison::same(float expected, const Answer& answer, const std::string& place) {
    ++compared_bits_;
    // Against an oracle, -0 equals +0.
    EXPECT_EQ(expected, nearest_float(answer))
        << place << ": " << answer_text(answer) << " where ONNX has " << float_text(expected);
}

void Comparison::weights(const Place& place, const std::vector<Answer>& answers) {
    for (Index key = 0; key < onnx_.keys(); ++key) {
        // A key behind the query's slot is not seen and weighs nothing.
        const bool reached = std::size_t(key) < answers.size();
        same(onnx_.weights->at(place.onnx_row, place.onnx_head, place.onnx_query, key),
             reached ? answers[std::size_t(key)] : Answer{},
             fmt::format("first oracle, {}, weight of key {}", text_of(place), key));
    }
}

void Comparison::subject(const Case& program) {
    const Run run = drive(*subject_, program);
    Judge judge(subject_->capabilities());
    judge.trouble(run);
    ASSERT_FALSE(judge.failed()) << sentence_of(judge.verdict());
    EXPECT_EQ(run.memory_fault, "");
    for (const Place& place : said_.places) {
        const TokenTruth truth = truth_of(place);
        const auto found = std::find_if(
            run.observations.begin(), run.observations.end(), [&](const Observation& one) {
                return one.row == Index(place.row) && one.slot() == Index(place.slot);
            });
        ASSERT_NE(found, run.observations.end()) << text_of(place);
        EXPECT_TRUE(found->written) << text_of(place);
        judge.in_variant(text_of(place));
        for (Index d = 0; d < onnx_.value_width(); ++d) {
            kvcheck::Place at;
            at.element = d;
            judge.within(truth.output[element(place, d)], found->output[element(place, d)],
                         "output", at);
        }
        if (onnx_.present_key && onnx_.present_value) {
            stored(place, run.exports[place.row].stored);
        }
    }
    const Verdict verdict = judge.verdict();
    EXPECT_EQ(verdict.kind, Verdict::Kind::passed) << sentence_of(verdict);
}

void Comparison::stored(const Place& place, const StoredRow& stored) const {
    const Spec& spec = said_.test_case.spec;
    const Index ours = Index(place.head) / (spec.query_heads / spec.kv_heads);
    const Index theirs = place.onnx_head / (onnx_.query_heads() / onnx_.kv_heads());
    const auto compare = [&](const Array4& present, const std::vector<double>& slot, Index key,
                             Index our_width) {
        // Our heads may be wider; what they add lies behind.
        for (Index d = 0; d < present.extent[3]; ++d) {
            EXPECT_TRUE(same_bits(present.at(place.onnx_row, theirs, key, d),
                                  slot[std::size_t(ours * our_width + d)]))
                << text_of(place) << ", stored slot " << key << ", element " << d;
        }
    };
    for (std::size_t slot = 0; slot < rows_[place.row].size(); ++slot) {
        if (!rows_[place.row][slot].real) continue;
        compare(*onnx_.present_key, stored.key[slot], Index(slot), spec.key_width);
        compare(*onnx_.present_value, stored.value[slot], Index(slot), spec.value_width);
    }
}

}  // namespace kvcheck::vectors
