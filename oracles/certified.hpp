// SPDX-License-Identifier: Apache-2.0
// The truth in double arithmetic with a certificate: beside each value how far it may be from the
// exact one, and a lower bound of the error bound. docs/error_bound.md derives both in section 13;
// the equation numbers are the page's. Where the certificate cannot be given (numbers that are not
// finite, a domain rule nearly met, scores that double does not resolve) there is no answer, and
// the reference is asked. For subjects in float; shares with the reference the decisions of the
// model (rules.hpp) and the bound, and none of the arithmetic.
#pragma once

#include <memory>
#include <optional>

#include "model/rules.hpp"
#include "oracles/error_bound.hpp"
#include "oracles/truth.hpp"

namespace kvcheck {

class Certified {
public:
    /// A vector in double, a lower bound of how far a correct program's own may be from the exact
    /// one, and how far the doubles may be from it. An exact vector has neither of the two.
    struct Ball {
        std::vector<double> value;
        std::vector<double> radius;
        std::vector<double> doubt;

        bool is_exact() const { return radius.empty(); }
        double radius_at(std::size_t i) const { return is_exact() ? 0 : radius[i]; }
        double doubt_at(std::size_t i) const { return is_exact() ? 0 : doubt[i]; }
    };

    /// Whether a correct program stays in range, and whether that was decided with a margin.
    struct Domain {
        bool inside = true;
        bool clear = true;

        void expect_below(double size, double limit);
        void add(const Domain& more) {
            inside = inside && more.inside;
            clear = clear && more.clear;
        }
    };

    /// One token, projected, as later queries read it.
    struct Read {
        const Node* node = nullptr;
        Ball query;                    // at layer level only
        Ball key, value;               // empty where padding
        std::vector<double> key_sums;  // [Hkv] sum_d |k_d|+
        Domain domain;
    };

    /// Keeps a reference: `parameters` outlives it.
    Certified(const Spec& spec, const Parameters& parameters, const NumericProfile& profile);
    ~Certified();
    Certified(const Certified&) = delete;
    Certified& operator=(const Certified&) = delete;

    /// Keeps a pointer to the token.
    Read read(const Node& node) const;
    static StoredTruth stored(const Read& read);
    /// Takes a subject's stored values as exact.
    void adopt_key(const std::vector<double>& key, Read& read) const;
    void adopt_value(const std::vector<double>& value, Read& read) const;

    /// What the last token of a row gets, which is given as its path; nothing where there is no
    /// certificate. `asking` is that token, where it sees other keys than the one that was read
    /// or stands in another slot.
    /// Weights and their sums only where they are wanted. The reads of real tokens outlive this
    /// object.
    std::optional<TokenTruth> answer(const std::vector<const Read*>& row, const Node& asking,
                                     bool weights);

private:
    class Panels;
    struct Scores;
    struct Weights;
    /// A token that the query sees.
    struct Key {
        const Read* read;    // null where all of it are exact floats
        const float* key;    // then: of the head, [Dk]
        const float* value;  // likewise, [Dv]
        double key_sum;      // of the head, as in Read
    };

    Ball with_position(Ball x, const Node& node, Domain& domain) const;
    Ball projected(const Projection& projection, const Ball& in, Domain& domain) const;
    void sum_keys(Read& read) const;
    Scores scores(const std::vector<Key>& keys, const Ball& query, Index head) const;
    void add_biases(const std::vector<const Read*>& row, const std::vector<std::size_t>& visible,
                    Index head, Scores& scores) const;
    void add_sink(Index head, Scores& scores) const;
    void answer_head(const std::vector<const Read*>& row, const std::vector<std::size_t>& visible,
                     const Node& asking, const Ball& query, Index head, bool weights,
                     TokenTruth& truth, Ball& attended, Domain& domain) const;
    void answer_weights(const QueryBound& bound, const QueryFacts& facts, const Weights& weights,
                        const std::vector<std::size_t>& visible, TokenTruth& truth,
                        Domain& domain) const;
    void bound_outputs(const QueryBound& bound, const Weights& weights,
                       const std::vector<Key>& keys, Index head, Ball& attended,
                       Domain& domain) const;

    Spec spec_;
    const Parameters& parameters_;
    Rules<double> rules_;
    Rounding rounding_;
    double scale_;
    std::unique_ptr<Panels> panels_;
};

}  // namespace kvcheck
