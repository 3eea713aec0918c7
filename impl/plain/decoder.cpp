// SPDX-License-Identifier: Apache-2.0
// The textbook decoder (declared in decoder.hpp): read `append` first, then `layer`.
#include "impl/plain/decoder.hpp"

#include <cmath>
#include <limits>

#include "impl/plain/counting_rules.hpp"
#include "impl/plain/decoder_rows.hpp"
#include "impl/plain/session.hpp"

namespace kvcheck {
namespace {

template <class Scalar>
class PlainDecoder final : public Decoder {
    using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

    static Matrix matrix_of(const std::vector<float>& values, Index width) {
        return Eigen::Map<const Eigen::Matrix<float, -1, -1, Eigen::RowMajor>>(
                   values.data(), width == 0 ? 0 : Index(values.size()) / width, width)
            .template cast<Scalar>();
    }
    static Vector vector_of(const std::vector<float>& values) {
        return Eigen::Map<const Eigen::VectorXf>(values.data(), Index(values.size()))
            .template cast<Scalar>();
    }

    struct Affine {
        Matrix weight;  // [out][in]
        Vector bias;    // [out] or empty

        Affine(const Projection& projection, Index width)
            : weight(matrix_of(projection.weight, width)), bias(vector_of(projection.bias)) {}

        Matrix operator()(const Matrix& in) const {
            Matrix out = in * weight.transpose();
            if (bias.size() > 0) out.rowwise() += bias.transpose();
            return out;
        }
    };

    struct Layer {
        Vector attention_gain, attention_bias, mlp_gain, mlp_bias;
        Affine query, key, value, output, gate, up, down;
    };

public:
    PlainDecoder(const DecoderSpec& spec, const DecoderParameters& parameters,
                 std::shared_ptr<const DecoderRules> rules,
                 std::shared_ptr<const PlainRules> attention_rules)
        : spec_(spec),
          rules_(std::move(rules)),
          attention_rules_(std::make_shared<CountingRules>(std::move(attention_rules))),
          position_limit_(kvcheck::position_limit(spec, parameters)),
          embedding_(matrix_of(parameters.embedding, spec.model_width)),
          positions_(matrix_of(parameters.position_table, spec.model_width)),
          final_gain_(vector_of(parameters.final_norm.gain)),
          final_bias_(vector_of(parameters.final_norm.bias)),
          unembedding_(matrix_of(parameters.output_matrix(), spec.model_width)),
          rows_(spec.attention.rows) {
        for (const DecoderLayer& layer : parameters.layers) {
            const Index width = spec.model_width;
            layers_.push_back(
                {vector_of(layer.attention_norm.gain), vector_of(layer.attention_norm.bias),
                 vector_of(layer.mlp_norm.gain), vector_of(layer.mlp_norm.bias),
                 Affine(layer.query, width), Affine(layer.key, width), Affine(layer.value, width),
                 Affine(layer.output, spec.attention.attended_size()), Affine(layer.gate, width),
                 Affine(layer.up, width), Affine(layer.down, spec.hidden_width)});
            caches_.push_back(std::make_unique<PlainSession<Scalar>>(
                spec.attention, parameters.attention, attention_rules_));
        }
    }

    Status append(const DecoderCall& call, DecoderAnswer& answer) override {
        DecoderBatch batch;
        const std::string objection = rows_.admit(spec_, position_limit_, call, batch);
        if (!objection.empty()) return Status::refused(objection);
        Matrix x = embed(call, batch);
        answer = {};
        answer.taps.resize(rows_.count());
        for (std::size_t r = 0; r < rows_.count(); ++r) {
            answer.taps[r].resize(std::size_t(call.wants_taps ? batch.counts[r] : 0));
        }
        for (Index l = 0; l < spec_.layers; ++l) {
            Status status = layer(l, batch, x, answer);
            if (!status.ok()) return status;  // only of the first layer, before anything is kept
        }
        finish(batch, x, answer);
        rows_.append(batch);
        for (const Index count : batch.counts) projected_ += count;
        return Status::done();
    }

    Status apply(const Lifecycle& command) override {
        // Its learned positions and those of its layers would part.
        if (std::holds_alternative<Shift>(command))
            return Status::refused("a decoder takes no shift");
        for (auto& cache : caches_) {
            Status status = cache->apply(command);
            if (!status.ok()) return status;  // caches are alike: the first refuses, or none
        }
        rows_.apply(command);
        return Status::done();
    }

    std::optional<StoredLayer> stored(Index row, Index layer) override {
        if (row < 0 || row >= Index(rows_.count()) || layer < 0 || layer >= spec_.layers) {
            return std::nullopt;
        }
        const auto length = length_of(row, layer);
        return length ? read_cache(row, layer, *length) : std::nullopt;
    }

    DecoderWork work() const override {
        Index elements = 0;
        std::vector<RowNumbers> numbers(rows_.count());
        for (const auto& cache : caches_) {
            if (!cache->numbers(numbers).ok()) continue;
            for (const RowNumbers& row : numbers) {
                elements += row.length.value_or(0) *
                            (spec_.attention.key_size() + spec_.attention.value_size());
            }
        }
        return {projected_, attention_rules_->scores(), elements * Index(sizeof(Scalar))};
    }

private:
    Matrix embed(const DecoderCall& call, const DecoderBatch& batch) const {
        Matrix x = Matrix::Zero(Index(rows_.count()) * batch.extent, spec_.model_width);
        for (std::size_t r = 0; r < rows_.count(); ++r) {
            for (Index t = 0; t < batch.counts[r]; ++t) {
                const Index at = Index(r) * batch.extent + t;
                if (batch.real[std::size_t(at)] == 0) continue;
                x.row(at) = embedding_.row(call.tokens[r][std::size_t(t)]);
                if (positions_.rows() == 0) continue;
                const Index id =
                    rules_->table_row(rows_.position(spec_, *attention_rules_, batch, r, t), t);
                x.row(at) += positions_.row(std::min(id, Index(positions_.rows()) - 1));
            }
        }
        return x;
    }

    /// x - mean over the root of the mean square, times the gain; RMSNorm has no mean and no bias.
    Matrix norm(const Matrix& x, const Vector& gain, const Vector& bias) const {
        Matrix y = x;
        for (Index t = 0; t < y.rows(); ++t) {
            auto row = y.row(t);
            if (spec_.norm == Norm::layer) row.array() -= row.mean();
            const Scalar square = row.squaredNorm() / Scalar(spec_.model_width);
            const Scalar deviation =
                std::sqrt(square + Scalar(rules_->epsilon(spec_.norm_epsilon)));
            // A vector of zeros has no direction, whatever is divided by.
            if (deviation > 0) row /= deviation;
            row.array() *= gain.transpose().array();
            if (bias.size() > 0) row += bias.transpose();
        }
        return y;
    }

    Scalar activated(Activation activation, Scalar gate, Scalar up) const {
        switch (activation) {
            case Activation::gelu_exact:
                return Scalar(0.5) * up * (1 + std::erf(up * Scalar(1 / std::sqrt(2.0))));
            case Activation::gelu_tanh: {
                const auto factor = Scalar(std::sqrt(2 / std::acos(-1.0)));
                return Scalar(0.5) * up *
                       (1 + std::tanh(factor * (up + Scalar(0.044715) * up * up * up)));
            }
            case Activation::swiglu:
                break;
        }
        return gate / (1 + std::exp(-gate)) * up;
    }

    Status layer(Index l, const DecoderBatch& batch, Matrix& x, DecoderAnswer& answer) {
        const Layer& layer = layers_[std::size_t(l)];
        const Matrix normed = norm(x, layer.attention_gain, layer.attention_bias);
        Matrix stored_input = normed;
        for_each_row(batch, l, [&](const CallPlace& place, Index begin) {
            if (rules_->stores_normed(place)) return;
            stored_input.middleRows(begin, place.tokens) = x.middleRows(begin, place.tokens);
        });
        Matrix query = layer.query(normed);
        Matrix key = layer.key(stored_input);
        Matrix value = layer.value(stored_input);
        Matrix attended = Matrix::Zero(x.rows(), spec_.attention.attended_size());
        Status status = attend(l, batch, query, key, value, attended);
        if (!status.ok()) return status;
        const Matrix projected = layer.output(attended);
        Matrix residual = x + projected;
        for_each_row(batch, l, [&](const CallPlace& place, Index begin) {
            if (rules_->adds_residual(place)) return;
            residual.middleRows(begin, place.tokens) = projected.middleRows(begin, place.tokens);
        });
        const Matrix mlp_normed = norm(residual, layer.mlp_gain, layer.mlp_bias);
        const Matrix up = layer.up(mlp_normed);
        const bool gated = spec_.activation == Activation::swiglu;
        const Matrix gate = gated ? layer.gate(mlp_normed) : Matrix();
        Matrix active(up.rows(), up.cols());
        for_each_row(batch, l, [&](const CallPlace& place, Index begin) {
            const Activation activation = rules_->activation(place, spec_.activation);
            const bool swaps = gated && rules_->swaps_gate(place);
            for (Index t = begin; t < begin + place.tokens; ++t) {
                for (Index i = 0; i < up.cols(); ++i) {
                    // Without a gate only a mutant asks for SwiGLU.
                    const Scalar g = gated ? gate(t, i) : up(t, i);
                    const bool is_silu = !gated && activation == Activation::swiglu;
                    const Scalar u = is_silu ? Scalar(1) : up(t, i);
                    active(t, i) = activated(activation, swaps ? u : g, swaps ? g : u);
                }
            }
        });
        const Matrix down = layer.down(active);
        const Matrix output = residual + down;
        for (std::size_t r = 0; r < rows_.count(); ++r) {
            for (std::size_t t = 0; t < answer.taps[r].size(); ++t) {
                LayerTrace<double>& taps = answer.taps[r][t].layers.emplace_back();
                const Index at = Index(r) * batch.extent + Index(t);
                taps.input = numbers_of(x, at);
                taps.normed = numbers_of(normed, at);
                taps.query = numbers_of(query, at);
                taps.key = numbers_of(key, at);
                taps.value = numbers_of(value, at);
                taps.attended = numbers_of(attended, at);
                taps.projected = numbers_of(projected, at);
                taps.residual = numbers_of(residual, at);
                taps.mlp_normed = numbers_of(mlp_normed, at);
                if (gated) taps.gate = numbers_of(gate, at);
                taps.up = numbers_of(up, at);
                taps.activated = numbers_of(active, at);
                taps.down = numbers_of(down, at);
                taps.output = numbers_of(output, at);
            }
            show_cache(l, batch, r, answer.taps[r]);
        }
        x = output;
        return Status::done();
    }

    /// The last entries of the cache that the layer uses, which this call has made.
    void show_cache(Index l, const DecoderBatch& batch, std::size_t r,
                    std::vector<TokenTaps>& taps) {
        if (taps.empty()) return;
        const Index used = rules_->cache_of({l, batch.past[r], batch.counts[r]});
        const auto length = length_of(Index(r), used);
        const auto cache = length ? read_cache(Index(r), used, *length) : std::nullopt;
        for (std::size_t t = 0; t < taps.size() && cache; ++t) {
            const std::size_t slot = std::size_t(batch.past[r]) + t;
            if (slot >= cache->keys.size()) return;
            taps[t].layers[std::size_t(l)].stored_key = cache->keys[slot];
            taps[t].layers[std::size_t(l)].stored_value = cache->values[slot];
        }
    }

    template <class Visit>
    void for_each_row(const DecoderBatch& batch, Index l, const Visit& visit) const {
        for (std::size_t r = 0; r < rows_.count(); ++r) {
            if (batch.counts[r] == 0) continue;
            visit(CallPlace{l, batch.past[r], batch.counts[r]}, Index(r) * batch.extent);
        }
    }

    Status attend(Index l, const DecoderBatch& batch, Matrix& query, Matrix& key, Matrix& value,
                  Matrix& attended) {
        const Spec& spec = spec_.attention;
        const auto rows = Index(rows_.count());
        const auto view = [&](Matrix& matrix, Index heads, Index width) {
            InputView seen;
            seen.data = reinterpret_cast<const std::byte*>(matrix.data());
            seen.type = element_of<Scalar>;
            seen.shape = {rows, batch.extent, heads, width};
            seen.stride = {batch.extent * heads * width, heads * width, width, 1};
            return seen;
        };
        AppendCall call;
        call.counts = batch.counts;
        call.query = view(query, spec.query_heads, spec.key_width);
        call.key = view(key, spec.kv_heads, spec.key_width);
        call.value = view(value, spec.kv_heads, spec.value_width);
        call.real = batch.real;
        const InputView output = view(attended, spec.query_heads, spec.value_width);
        call.output = {reinterpret_cast<std::byte*>(attended.data()), output.type, output.shape,
                       output.stride};
        const CallPlace place{l, batch.past[0], batch.counts[0]};
        auto& cache = caches_[std::size_t(rules_->cache_of(place))];
        Status status = cache->append(call);
        if (!status.ok() || rules_->keeps(place)) return status;
        for (Index r = 0; r < rows; ++r) {
            const auto length = length_of(r, l);
            if (!length || *length == 0) continue;
            Status cut = cache->apply(Truncate{*length - batch.counts[std::size_t(r)], r});
            if (!cut.ok()) return cut;
        }
        return status;
    }

    std::optional<Index> length_of(Index row, Index layer) const {
        std::vector<RowNumbers> numbers(rows_.count());
        if (!caches_[std::size_t(layer)]->numbers(numbers).ok()) return std::nullopt;
        return numbers[std::size_t(row)].length;
    }

    std::optional<StoredLayer> read_cache(Index row, Index layer, Index length) const {
        const Spec& spec = spec_.attention;
        std::vector<Scalar> keys(std::size_t(length * spec.key_size()));
        std::vector<Scalar> values(std::size_t(length * spec.value_size()));
        const auto view = [&](std::vector<Scalar>& numbers, Index width) {
            OutputView out;
            out.data = reinterpret_cast<std::byte*>(numbers.data());
            out.type = element_of<Scalar>;
            out.shape = {spec.kv_heads, length, width};
            out.stride = {width, spec.kv_heads * width, 1, 0};  // by slots
            return out;
        };
        const Status status = caches_[std::size_t(layer)]->export_kv(
            row, view(keys, spec.key_width), view(values, spec.value_width));
        if (!status.ok()) return std::nullopt;
        StoredLayer stored;
        for (Index slot = 0; slot < length; ++slot) {
            const auto k = keys.begin() + slot * spec.key_size();
            const auto v = values.begin() + slot * spec.value_size();
            stored.keys.emplace_back(k, k + spec.key_size());
            stored.values.emplace_back(v, v + spec.value_size());
        }
        return stored;
    }

    void finish(const DecoderBatch& batch, const Matrix& x, DecoderAnswer& answer) const {
        Matrix normed = norm(x, final_gain_, final_bias_);
        for_each_row(batch, spec_.layers, [&](const CallPlace& place, Index begin) {
            if (rules_->ends_with_norm(place)) return;
            normed.middleRows(begin, place.tokens) = x.middleRows(begin, place.tokens);
        });
        const Matrix logits = normed * unembedding_.transpose();
        answer.logits.resize(rows_.count());
        for (std::size_t r = 0; r < rows_.count(); ++r) {
            for (Index t = 0; t < batch.counts[r]; ++t) {
                const Index at = Index(r) * batch.extent + t;
                answer.logits[r].push_back(numbers_of(logits, at));
                if (answer.taps[r].empty()) continue;
                TokenTaps& taps = answer.taps[r][std::size_t(t)];
                taps.normed = numbers_of(normed, at);
                taps.logits = answer.logits[r].back();
            }
        }
    }

    static std::vector<double> numbers_of(const Matrix& matrix, Index row) {
        return {matrix.row(row).begin(), matrix.row(row).end()};
    }

    DecoderSpec spec_;
    std::shared_ptr<const DecoderRules> rules_;
    std::shared_ptr<const CountingRules> attention_rules_;
    Index position_limit_;
    Matrix embedding_;  // [V][D]
    Matrix positions_;  // [positions][D] or empty
    Vector final_gain_, final_bias_;
    Matrix unembedding_;  // [V][D]
    std::vector<Layer> layers_;
    std::vector<std::unique_ptr<PlainSession<Scalar>>> caches_;  // [layers]
    DecoderRows rows_;
    Index projected_ = 0;
};

}  // namespace

template <class Scalar>
std::unique_ptr<Decoder> make_plain_decoder(const DecoderSpec& spec,
                                            const DecoderParameters& parameters,
                                            std::shared_ptr<const DecoderRules> rules,
                                            std::shared_ptr<const PlainRules> attention_rules) {
    validate(spec);
    validate(spec, parameters);
    return std::make_unique<PlainDecoder<Scalar>>(spec, parameters, std::move(rules),
                                                  std::move(attention_rules));
}

template std::unique_ptr<Decoder> make_plain_decoder<float>(const DecoderSpec&,
                                                            const DecoderParameters&,
                                                            std::shared_ptr<const DecoderRules>,
                                                            std::shared_ptr<const PlainRules>);
template std::unique_ptr<Decoder> make_plain_decoder<double>(const DecoderSpec&,
                                                             const DecoderParameters&,
                                                             std::shared_ptr<const DecoderRules>,
                                                             std::shared_ptr<const PlainRules>);

}  // namespace kvcheck
