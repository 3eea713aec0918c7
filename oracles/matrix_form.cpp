// SPDX-License-Identifier: Apache-2.0
// Full matrices (declared in matrix_form.hpp). It shares no line with the reference on purpose.
#include "oracles/matrix_form.hpp"

#include "model/types/assert.hpp"
#include "oracles/number.hpp"

namespace kvcheck {
namespace {

/// A dense matrix of wide numbers with just the operations that the formulas name.
struct Matrix {
    Index rows = 0;
    Index columns = 0;
    std::vector<BinaryNumber> entries;

    Matrix(Index r, Index c) : rows(r), columns(c), entries(std::size_t(r * c), BinaryNumber(0)) {}
    BinaryNumber& operator()(Index r, Index c) { return entries[std::size_t(r * columns + c)]; }
    const BinaryNumber& operator()(Index r, Index c) const {
        return entries[std::size_t(r * columns + c)];
    }
};

Matrix operator*(const Matrix& a, const Matrix& b) {
    KVCHECK_ASSERT(a.columns == b.rows);
    Matrix product(a.rows, b.columns);
    for (Index i = 0; i < a.rows; ++i) {
        for (Index k = 0; k < a.columns; ++k) {
            if (a(i, k) == 0) continue;  // selections are sparse
            for (Index j = 0; j < b.columns; ++j) product(i, j) += a(i, k) * b(k, j);
        }
    }
    return product;
}

Matrix transposed(const Matrix& a) {
    Matrix result(a.columns, a.rows);
    for (Index i = 0; i < a.rows; ++i) {
        for (Index j = 0; j < a.columns; ++j) result(j, i) = a(i, j);
    }
    return result;
}

Matrix from_floats(const std::vector<float>& values, Index rows, Index columns) {
    Matrix result(rows, columns);
    for (Index i = 0; i < rows * columns; ++i) {
        result.entries[std::size_t(i)] = BinaryNumber(values[std::size_t(i)]);
    }
    return result;
}

/// Columns [begin, begin + width) of every token's input as a matrix [slots][width]; zero where the
/// token is padding and `all` is false.
Matrix input_columns(const std::vector<Token>& tokens, Index begin, Index width, bool all) {
    Matrix result(Index(tokens.size()), width);
    for (Index t = 0; t < result.rows; ++t) {
        const Token& token = tokens[std::size_t(t)];
        if (!token.real && !all) continue;
        for (Index d = 0; d < width; ++d) {
            result(t, d) = BinaryNumber(token.input[std::size_t(begin + d)]);
        }
    }
    return result;
}

/// X W^T + 1 b^T.
Matrix affine(const Matrix& x, const Projection& projection) {
    const Index out = Index(projection.weight.size()) / x.columns;
    Matrix y = x * transposed(from_floats(projection.weight, out, x.columns));
    if (projection.bias.empty()) return y;
    Matrix ones(x.rows, 1);
    for (BinaryNumber& entry : ones.entries) entry = 1;
    const Matrix shift = ones * from_floats(projection.bias, 1, out);
    for (std::size_t i = 0; i < y.entries.size(); ++i) y.entries[i] += shift.entries[i];
    return y;
}

/// The matrix that picks one head's columns out of all heads' (clause 2).
Matrix head_selection(Index heads, Index width, Index head) {
    Matrix selection(heads * width, width);
    for (Index d = 0; d < width; ++d) selection(head * width + d, d) = 1;
    return selection;
}

/// R of (I - P) R = I, where row i of P has a one in the column of the parent of token i: row i of
/// R has a one for each token of its path (clause 16).
Matrix paths_of(const std::vector<Token>& tokens) {
    const Index n = Index(tokens.size());
    Matrix paths(n, n);
    for (Index i = 0; i < n; ++i) {
        const Index parent = i - tokens[std::size_t(i)].back;
        for (Index j = 0; j < i && parent >= 0; ++j) paths(i, j) = paths(parent, j);
        paths(i, i) = 1;
    }
    return paths;
}

/// How many tokens each has before it on its path, of all or of the real ones.
std::vector<Index> counts_before(const std::vector<Token>& tokens, bool only_real) {
    const Matrix paths = paths_of(tokens);
    std::vector<Index> counts;
    for (Index i = 0; i < paths.rows; ++i) {
        Index count = 0;
        for (Index j = 0; j < i; ++j) {
            if (paths(i, j) != 0 && (tokens[std::size_t(j)].real || !only_real)) ++count;
        }
        counts.push_back(count);
    }
    return counts;
}

/// The position id of every token (clause 5).
std::vector<Index> ids_of(const Spec& spec, const std::vector<Token>& tokens) {
    return counts_before(tokens, spec.position_ids == PositionIds::visible_count);
}

/// P with one row per token: a one in the column of its position id.
Matrix position_selection(const std::vector<Index>& ids, Index positions) {
    Matrix selection(Index(ids.size()), positions);
    for (Index t = 0; t < selection.rows; ++t) selection(t, ids[std::size_t(t)]) = 1;
    return selection;
}

/// The paths, which without branches are the lower triangle, with the columns of padded tokens
/// taken out (clause 3). With a window, a band of it, and the whole columns of the anchors. Each
/// row loses what had been evicted (clause 10).
Matrix mask_of(const Spec& spec, const std::vector<Token>& tokens,
               const std::vector<EvictedSlots>& hidden) {
    Matrix mask = paths_of(tokens);
    const std::vector<Index> depths = counts_before(tokens, false);
    const std::vector<Index> reals = counts_before(tokens, true);
    for (Index row = 0; row < mask.rows; ++row) {
        for (Index column = 0; column <= row; ++column) {
            const auto key = std::size_t(column);
            const Index distance = depths[std::size_t(row)] - depths[key];
            const bool is_banded = spec.window && reals[key] >= spec.anchors.value_or(0);
            const bool is_gone = !hidden.empty() && hidden[std::size_t(row)].has(depths[key]);
            if (!tokens[key].real || is_gone || (is_banded && distance >= *spec.window)) {
                mask(row, column) = 0;
            }
        }
    }
    return mask;
}

/// The rotary table with one row per token, that of its id; without rows where nothing is turned.
/// Ids beyond the table, of which a shift leaves distances only, begin anew after four quarters.
Matrix angles_of(const Spec& spec, const Parameters& parameters, std::vector<Index> ids) {
    const Index width = spec.turned_width();
    if (width == 0) return {0, 0};
    const Index positions = Index(parameters.rotary_table.size()) / width;
    for (Index& id : ids) id = id < positions ? id : id % 4;
    return position_selection(ids, positions) *
           from_floats(parameters.rotary_table, positions, width);
}

/// Each row of one head times the transpose of its token's rotation R, which is the identity but
/// for a block of two by two for each pair: x R^T (clause 5).
Matrix turned(const Spec& spec, const Matrix& x, const Matrix& angles) {
    if (angles.rows == 0) return x;
    const Index pairs = angles.columns / 2;
    const bool adjacent = spec.rotary == Rotary::adjacent;
    const Index stride = adjacent ? 2 : 1;       // from one pair to the next
    const Index partner = adjacent ? 1 : pairs;  // from the first to the second of a pair
    Matrix result(x.rows, x.columns);
    for (Index t = 0; t < x.rows; ++t) {
        Matrix rotation(x.columns, x.columns);
        for (Index d = 0; d < x.columns; ++d) rotation(d, d) = 1;
        for (Index i = 0; i < pairs; ++i) {
            const Index a = i * stride;
            const Index b = a + partner;
            rotation(a, a) = rotation(b, b) = angles(t, i);
            rotation(b, a) = angles(t, pairs + i);
            rotation(a, b) = -angles(t, pairs + i);
        }
        Matrix row(1, x.columns);
        for (Index d = 0; d < x.columns; ++d) row(0, d) = x(t, d);
        row = row * transposed(rotation);
        for (Index d = 0; d < x.columns; ++d) result(t, d) = row(0, d);
    }
    return result;
}

/// The number with these bits, the sign left out, in a format with so many bits of fraction; the
/// bits of infinity mean the power of two that follows the largest number.
BinaryNumber number_of(Index bits, int fraction_bits, int bias) {
    const Index one = Index{1} << fraction_bits;
    const Index exponent = bits / one;
    const Index digits = exponent == 0 ? bits % one : one + bits % one;
    return ldexp(BinaryNumber(digits), int(std::max<Index>(exponent, 1)) - bias - fraction_bits);
}

/// Each row, which is one head of a token, as integers times its largest entry over 127: the
/// integer with which the product is nearest, found by trying all (clause 13).
Matrix quantised(const Matrix& x) {
    Matrix result(x.rows, x.columns);
    for (Index t = 0; t < x.rows; ++t) {
        BinaryNumber largest = 0;
        for (Index d = 0; d < x.columns; ++d) {
            if (abs(x(t, d)) > largest) largest = abs(x(t, d));
        }
        const BinaryNumber scale = largest / 127;
        for (Index d = 0; d < x.columns; ++d) {
            // Even ones first, which keep their place where an odd one is as near.
            for (int first = -126; first >= -127; --first) {
                for (int code = first; code <= 127; code += 2) {
                    const BinaryNumber product = scale * code;
                    const bool is_first = code == -126;
                    if (is_first || abs(product - x(t, d)) < abs(result(t, d) - x(t, d)))
                        result(t, d) = product;
                }
            }
        }
    }
    return result;
}

/// Each entry at its place among all numbers of the format, which are in the order of their bits:
/// the nearer of the two beside it, or the one whose bits are even (clause 13).
Matrix stored(const Spec& spec, Matrix x) {
    if (spec.storage == Storage::element) return x;
    if (spec.storage == Storage::int8) return quantised(x);
    const bool is_half = spec.storage == Storage::fp16;
    const int fraction_bits = is_half ? 10 : 7;
    const int bias = is_half ? 15 : 127;
    for (BinaryNumber& entry : x.entries) {
        const BinaryNumber size = abs(entry);
        Index below = 0;
        Index above = Index(2 * bias + 1) << fraction_bits;
        while (above - below > 1) {
            const Index middle = (below + above) / 2;
            (number_of(middle, fraction_bits, bias) <= size ? below : above) = middle;
        }
        const BinaryNumber down = size - number_of(below, fraction_bits, bias);
        const BinaryNumber up = number_of(above, fraction_bits, bias) - size;
        const bool falls = down < up || (down == up && below % 2 == 0);
        const BinaryNumber found = number_of(falls ? below : above, fraction_bits, bias);
        entry = entry < 0 ? BinaryNumber(-found) : found;
    }
    return x;
}

/// c (e^2t - 1) / (e^2t + 1), t = s / c: the hyperbolic tangent by its definition.
BinaryNumber capped(const BinaryNumber& score, const std::optional<float>& cap) {
    if (!cap) return score;
    const BinaryNumber c(*cap);
    const BinaryNumber falling = exp(BinaryNumber(-2 * abs(score) / c));
    const BinaryNumber size = c * (1 - falling) / (1 + falling);
    return score < 0 ? BinaryNumber(-size) : size;
}

/// a_ij = mask_ij / sum_k mask_ik exp(s_ik - s_ij): the softmax without a maximum. Where a
/// difference is beyond every exponent the sum is infinite and the weight zero. A sink is a column
/// more that is left out of the result.
Matrix softmax(const Matrix& scores, const Matrix& mask, const std::optional<float>& sink) {
    Matrix weights(scores.rows, scores.columns);
    for (Index i = 0; i < scores.rows; ++i) {
        for (Index j = 0; j < scores.columns; ++j) {
            if (mask(i, j) == 0) continue;
            BinaryNumber sum = 0;
            for (Index k = 0; k < scores.columns; ++k) {
                if (mask(i, k) != 0)
                    sum += BinaryNumber(exp(BinaryNumber(scores(i, k) - scores(i, j))));
            }
            if (sink) sum += BinaryNumber(exp(BinaryNumber(*sink - scores(i, j))));
            weights(i, j) = 1 / sum;
        }
    }
    return weights;
}

}  // namespace

std::vector<std::vector<Answer>> matrix_form(const Spec& spec, const Parameters& parameters,
                                             const std::vector<Token>& tokens,
                                             const std::vector<EvictedSlots>& hidden,
                                             StoredKeys stored_keys,
                                             const std::vector<Index>& shifted) {
    const bool all = spec.padded_query == PaddedQuery::computed;
    Matrix query(0, 0);
    Matrix key(0, 0);
    Matrix value(0, 0);
    if (spec.level == Level::layer) {
        Matrix x = input_columns(tokens, 0, spec.model_width, all);
        if (spec.position_signal != PositionSignal::none) {
            const Index positions = position_count(spec, parameters);
            std::vector<Index> lowered = ids_of(spec, tokens);
            for (std::size_t t = 0; t < shifted.size(); ++t) lowered[t] -= shifted[t];
            const Matrix signal = position_selection(lowered, positions) *
                                  from_floats(parameters.position_table, positions, x.columns);
            for (std::size_t i = 0; i < x.entries.size(); ++i) x.entries[i] += signal.entries[i];
        }
        query = affine(x, parameters.query);
        key = affine(x, parameters.key);
        value = affine(x, parameters.value);
    } else {
        query = input_columns(tokens, 0, spec.query_size(), all);
        key = input_columns(tokens, spec.query_size(), spec.key_size(), false);
        value =
            input_columns(tokens, spec.query_size() + spec.key_size(), spec.value_size(), false);
    }
    const BinaryNumber scale = spec.scale ? BinaryNumber(*spec.scale)
                                          : BinaryNumber(1 / sqrt(BinaryNumber(spec.key_width)));
    const Matrix mask = mask_of(spec, tokens, hidden);
    const std::vector<Index> ids = ids_of(spec, tokens);
    const Matrix angles = angles_of(spec, parameters, ids);
    Matrix attended(Index(tokens.size()), spec.attended_size());
    const Index group = spec.query_heads / spec.kv_heads;
    for (Index head = 0; head < spec.query_heads; ++head) {
        const Matrix own_query = query * head_selection(spec.query_heads, spec.key_width, head);
        const Matrix own_key = key * head_selection(spec.kv_heads, spec.key_width, head / group);
        const Matrix q = turned(spec, own_query, angles);
        const Matrix k = stored_keys == StoredKeys::rotated
                             ? stored(spec, turned(spec, own_key, angles))
                             : turned(spec, stored(spec, own_key), angles);
        const Matrix v =
            stored(spec, value * head_selection(spec.kv_heads, spec.value_width, head / group));
        Matrix scores = q * transposed(k);
        for (BinaryNumber& score : scores.entries) score = capped(score * scale, spec.softcap);
        if (spec.slopes) {
            const BinaryNumber slope(parameters.slopes[std::size_t(head)]);
            for (Index i = 0; i < scores.rows; ++i) {
                for (Index j = 0; j < scores.columns; ++j) {
                    scores(i, j) += slope * BinaryNumber(ids[std::size_t(j)] - ids[std::size_t(i)]);
                }
            }
        }
        std::optional<float> sink;
        if (spec.sinks) sink = parameters.sinks[std::size_t(head)];
        const Matrix o = softmax(scores, mask, sink) * v;
        for (Index t = 0; t < o.rows; ++t) {
            for (Index d = 0; d < o.columns; ++d) {
                attended(t, head * spec.value_width + d) = o(t, d);
            }
        }
    }
    if (spec.level == Level::layer) attended = affine(attended, parameters.output);

    std::vector<std::vector<Answer>> outputs;
    for (Index t = 0; t < attended.rows; ++t) {
        std::vector<Answer>& row = outputs.emplace_back();
        for (Index i = 0; i < attended.columns; ++i) {
            const auto hi = static_cast<double>(attended(t, i));
            row.push_back({hi, static_cast<double>(BinaryNumber(attended(t, i) - hi)), 0});
        }
    }
    return outputs;
}

}  // namespace kvcheck
