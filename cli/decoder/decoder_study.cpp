// SPDX-License-Identifier: Apache-2.0
// kvcheck decoder-study: a decoder of two layers with a cache each, every logit and every cached
// key and value in twelve configurations, beside numbers that others published of a decoder of the
// same shape; two faults that must be far outside; and what a cache saves, counted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/decoder/accounting.hpp"
#include "cli/decoder/experiment.hpp"
#include "cli/terminal.hpp"
#include "oracles/decoder/taps.hpp"
#include "properties/decoder/decoder_claims.hpp"
#include "properties/generators/decoder.hpp"

namespace kvcheck {
namespace {

// Of the published experiment, with weights of its own.
constexpr double published_fp32 = 834 / 1e9;
constexpr double published_fp64 = 155 / 1e17;
constexpr double published_restarted = 1.894;
constexpr double published_mask = 0.394;
/// A negative control must be this far outside the bound.
constexpr double control_factor_min = 1000;

using Rows = std::vector<std::vector<Index>>;

class Study {
public:
    Study()
        : tokens_{drawn_tokens(study_spec(1, 1), study_positions, study_seed + 1),
                  drawn_tokens(study_spec(1, 1), study_positions, study_seed + 2)} {
        for (const std::vector<Index>& row : tokens_) answers_.push_back(study_answers(row));
    }

    Exit run() {
        head();
        configurations();
        prefills();
        six_tokens();
        controls();
        faults();
        programs();
        accounts();
        say(failures_ == 0
                ? std::string("\nall within their bounds, both controls outside, all faults "
                              "named, all counts as the formulas say\n")
                : fmt::format("\n{} of these did not hold\n", failures_));
        return failures_ == 0 ? Exit::held : Exit::failed;
    }

private:
    static void head() {
        const DecoderSpec spec = study_spec(1, study_positions);
        say(fmt::format(
            "A decoder of {} layers, width {}, {} heads of {}, MLP {}, vocabulary {}, {} learned "
            "positions, biases, logits by a matrix of its own: {} parameters. Drawn weights.\n\n",
            spec.layers, spec.model_width, spec.attention.query_heads, spec.attention.key_width,
            spec.hidden_width, spec.vocabulary, spec.positions,
            parameter_count(spec, study_parameters())));
    }

    std::vector<ExpectedRow> expected(Precision precision, std::size_t rows) const {
        std::vector<ExpectedRow> right;
        for (std::size_t r = 0; r < rows; ++r) right.push_back(answers_[r].of(precision));
        return right;
    }

    Rows tokens(std::size_t rows) const {
        return {tokens_.begin(), tokens_.begin() + std::ptrdiff_t(rows)};
    }

    void expect(bool holds) { failures_ += holds ? 0 : 1; }

    void configurations() {
        say(fmt::format(
            "{} positions in chunks, against one uncached pass and against fifty digits "
            "(bounds of logits alone, docs/error_bound.md, section 15)\n",
            study_positions));
        say("  batch  chunk  format  cached - full  logit error  / bound  K/V error  / bound  "
            "shape of K and V\n");
        for (const Precision precision : {Precision::fp32, Precision::fp64}) {
            double difference = 0;
            for (const Index rows : {1, 2}) {
                for (const Index chunk : {1, 2, 5}) {
                    difference = std::max(difference, configuration(precision, rows, chunk));
                }
            }
            const double published = precision == Precision::fp32 ? published_fp32 : published_fp64;
            say(fmt::format("  largest, {}: {:.2e}; published {:.2e}\n", name_of(precision),
                            difference, published));
        }
    }

    double configuration(Precision precision, Index rows, Index chunk) {
        const Rows given = tokens(std::size_t(rows));
        const auto decoder = study_decoder(precision, rows, study_positions);
        const StudyRun cached = study_run(*decoder, given, {chunk});
        const auto uncached = study_decoder(precision, rows, study_positions);
        const StudyRun full = study_run(*uncached, given, {study_positions});
        const double difference = largest_difference(cached, full);
        const StudyErrors errors = errors_of(cached, expected(precision, std::size_t(rows)));
        expect(errors.logits.ratio <= 1 && errors.stored.ratio <= 1);
        const DecoderSpec spec = study_spec(rows, study_positions);
        const auto shape = fmt::format(
            "[{}, {}, {}, {}]", cached.stored.size(), spec.attention.kv_heads,
            cached.stored.front().front().keys.size(),
            Index(cached.stored.front().front().keys.front().size()) / spec.attention.kv_heads);
        const auto shape_asked = fmt::format("[{}, 4, {}, 16]", rows, study_positions);
        expect(shape == shape_asked && cached.stored.front().size() == 2);
        say(fmt::format(
            "  {:>5}  {:>5}  {:>6}  {:>13.2e}  {:>11.2e}  {:>7.4f}  {:>9.2e}  {:>7.4f}  "
            "{} in {} layers\n",
            rows, chunk, name_of(precision), difference, errors.logits.error, errors.logits.ratio,
            errors.stored.error, errors.stored.ratio, shape, cached.stored.front().size()));
        return difference;
    }

    void prefills() {
        say("\na prefill, then one token at a time (FP32)\n");
        for (const Index prefill : {1, 4, 8}) {
            const auto decoder = study_decoder(Precision::fp32, 1, study_positions);
            const StudyErrors errors = errors_of(study_run(*decoder, tokens(1), {prefill, 1}),
                                                 expected(Precision::fp32, 1));
            expect(errors.logits.ratio <= 1 && errors.stored.ratio <= 1);
            say(
                fmt::format("  prefill {}   logit error {:.2e}, {:.4f} of the bound; K/V {:.2e}, "
                            "{:.4f}\n",
                            prefill, errors.logits.error, errors.logits.ratio, errors.stored.error,
                            errors.stored.ratio));
        }
    }

    void six_tokens() {
        const std::vector<Index> ids = {12, 7, 31, 4, 9, 18};
        constexpr Index prefill = 4;
        const StudyAnswers answers = study_answers(ids);
        say(fmt::format("\nsix tokens, ids {}: a prefill of {}, then 2 at positions 4 and 5\n",
                        fmt::join(ids, " "), prefill));
        for (const Precision precision : {Precision::fp32, Precision::fp64}) {
            const auto decoder = study_decoder(precision, 1, Index(ids.size()));
            const StudyRun run = study_run(*decoder, {ids}, {prefill, 2});
            const StudyErrors errors = errors_of(run, {answers.of(precision)});
            expect(errors.logits.ratio <= 1 && errors.stored.ratio <= 1);
            say(fmt::format(
                "  {}   logit error {:.2e}, {:.4f} of the bound; K/V {:.2e}, {:.4f}; "
                "logit 0 at positions 4 and 5: {:.6f}, {:.6f}\n",
                name_of(precision), errors.logits.error, errors.logits.ratio, errors.stored.error,
                errors.stored.ratio, run.logits[0][4][0], run.logits[0][5][0]));
        }
    }

    void controls() {
        say("\nnegative controls, the same weights and tokens in chunks of 5 (FP32)\n");
        const auto control = [&](const std::string& what, double published,
                                 const std::unique_ptr<Decoder>& decoder) {
            constexpr Index chunk = 5;
            const StudyErrors errors =
                errors_of(study_run(*decoder, tokens(1), {chunk}), expected(Precision::fp32, 1));
            expect(errors.logits.ratio >= control_factor_min);
            say(fmt::format("  {:<34} logit error {:.3f}, {:.1e} times the bound; published {}\n",
                            what, errors.logits.error, errors.logits.ratio, published));
        };
        control("positions restarted in each chunk", published_restarted,
                broken_study_decoder(decoder_mutant("restarted_table"), study_positions));
        control("mask without the chunk's offset", published_mask,
                broken_study_decoder(decoder_mutant("mask_without_offset"), study_positions));
    }

    void faults() {
        constexpr Index length = 12;
        constexpr Index prefill = 5;
        const std::vector<Index> ids(tokens_[0].begin(), tokens_[0].begin() + length);
        const ExpectedRow right = study_answers(ids).fp32;
        say(
            fmt::format("\nfaults planted into the same decoder, {} tokens in chunks of {}, 1 and "
                        "{}: the first operation whose taps are wrong, and the logits alone\n",
                        length, prefill, length - prefill - 1));
        for (const DecoderMutant& mutant : decoder_mutants()) {
            const DecoderSpec spec = study_spec(1, length);
            if (!mutant.applies_to(spec)) continue;
            const auto decoder = broken_study_decoder(mutant, length);
            const StudyRun run =
                study_run(*decoder, {ids}, {prefill, 1, length - prefill - 1}, true);
            const TapVerdict verdict =
                check_taps(spec, study_parameters(), arithmetic_of(Precision::fp32),
                           real_tokens(ids), run.taps[0]);
            WorstError logits;
            for (std::size_t t = 0; t < ids.size(); ++t) {
                logits.add(run.logits[0][t], right.logits[t]);
            }
            const auto named =
                verdict.first ? name_of(verdict.first->operation) : std::string_view("none");
            expect(named == mutant.shown_by);
            expect(mutant.below_rounding || logits.ratio > 1);
            say(fmt::format("  {:<22} {:<24} logits {:.1e} times the bound{}\n", mutant.name, named,
                            logits.ratio, mutant.below_rounding ? ", below rounding" : ""));
        }
    }

    void programs() {
        constexpr std::uint64_t cases = 40;
        say(fmt::format(
            "\n{} random programs of calls and commands on random decoders, with padding, "
            "grouped heads, rotary positions, slopes, windows\n",
            cases));
        for (const Precision precision : {Precision::fp32, Precision::fp64}) {
            WorstError logits;
            WorstError caches;
            Index failed = 0;
            for (std::uint64_t n = 0; n < cases; ++n) {
                Draw draw(SplitMix{study_seed + n});
                const DecoderCase drawn = draw_decoder_case(draw);
                const auto make = precision == Precision::fp32 ? make_plain_decoder<float>
                                                               : make_plain_decoder<double>;
                const auto decoder =
                    make(drawn.spec, drawn.parameters, std::make_shared<DecoderRules>(),
                         std::make_shared<PlainRules>());
                const DecoderVerdict verdict =
                    judge_decoder(drawn, arithmetic_of(precision), drive_decoder(*decoder, drawn));
                failed += verdict.first ? 1 : 0;
                logits.add(verdict.logits);
                caches.add(verdict.caches);
            }
            expect(failed == 0);
            say(
                fmt::format("  {}   {} failed; {} logits, worst {:.4f} of the bound; {} keys and "
                            "values, {:.4f}\n",
                            name_of(precision), failed, logits.numbers, logits.ratio,
                            caches.numbers, caches.ratio));
        }
    }

    void accounts() {
        say("\ncounted by the decoder itself, and by the formula\n");
        for (const Account& account : decoder_accounts()) {
            expect(account.holds());
            say(fmt::format("  {:<46} {:>8} {} {:<26}{}\n", account.what, account.counted,
                            account.holds() ? "=" : "!=", account.formula,
                            account.holds() ? "" : fmt::format(" = {}", account.expected)));
        }
    }

    Rows tokens_;
    std::vector<StudyAnswers> answers_;  // [rows]
    Index failures_ = 0;
};

}  // namespace

Exit decoder_study() { return Study().run(); }

}  // namespace kvcheck
