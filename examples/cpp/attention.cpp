// SPDX-License-Identifier: Apache-2.0
// A subject in C++: causal attention with a cache, one query at a time. Copy it and put your kernel
// into attend(). Build: cmake -B build && cmake --build build; judge: build/attention
#include <cmath>
#include <vector>

#include <kvcheck/suite.hpp>

using namespace kvcheck;

class Cache final : public Session {
public:
    explicit Cache(const Spec& spec) : spec_(spec), lengths_(spec.rows), visible_(spec.rows) {}

    Status append(const AppendCall& call) override {
        const auto objection = objection_to(call, spec_, ElementType::f32, lengths_);
        if (!objection.empty()) return Status::refused(objection);
        const Index tokens = call.query.shape.extent[1];
        for (Index r = 0; r < spec_.rows; ++r) {
            for (Index t = 0; t < call.counts[r]; ++t) {
                ++lengths_[r];
                if (call.real[r * tokens + t]) visible_[r].push_back(read(call, r, t));
                for (Index h = 0; h < spec_.query_heads; ++h) attend(call, r, t, h);
            }
        }
        return Status::done();
    }
    Status reset() override { return *this = Cache(spec_), Status::done(); }
    Status numbers(std::span<RowNumbers> rows) override {
        for (std::size_t r = 0; r < rows.size(); ++r) rows[r].length = lengths_[r];
        return Status::done();
    }

private:
    struct Token {
        std::vector<float> key, value;  // [kv_heads][width]
    };

    Token read(const AppendCall& call, Index r, Index t) const {
        Token token;
        for (Index h = 0; h < spec_.kv_heads; ++h) {
            for (Index d = 0; d < spec_.key_width; ++d)
                token.key.push_back(call.key.at<float>(r, t, h, d));
            for (Index d = 0; d < spec_.value_width; ++d)
                token.value.push_back(call.value.at<float>(r, t, h, d));
        }
        return token;
    }

    /// softmax(scale q.k) v over all real tokens of row r so far.
    void attend(const AppendCall& call, Index r, Index t, Index h) const {
        const Index kv_head = h / (spec_.query_heads / spec_.kv_heads);
        const double scale = spec_.scale ? *spec_.scale : 1 / std::sqrt(double(spec_.key_width));
        std::vector<double> weights, output(spec_.value_width);
        for (const Token& token : visible_[r]) {
            double& score = weights.emplace_back();
            for (Index d = 0; d < spec_.key_width; ++d)
                score += scale * call.query.at<float>(r, t, h, d) *
                         token.key[kv_head * spec_.key_width + d];
        }
        double largest = -INFINITY, sum = 0;
        for (const double score : weights) largest = std::max(largest, score);
        for (double& weight : weights) sum += weight = std::exp(weight - largest);
        for (std::size_t k = 0; k < weights.size(); ++k)
            for (Index d = 0; d < spec_.value_width; ++d)
                output[d] +=
                    weights[k] / sum * visible_[r][k].value[kv_head * spec_.value_width + d];
        for (Index d = 0; d < spec_.value_width; ++d)
            call.output.at<float>(r, t, h, d) = float(output[d]);
    }

    Spec spec_;
    std::vector<Index> lengths_;               // of the rows, padding included
    std::vector<std::vector<Token>> visible_;  // [rows][real tokens]
};

class Attention final : public Subject {
public:
    const Capabilities& capabilities() const override {
        static const Capabilities mine = {
            .name = "cpp-example", .version = "1", .features = FeatureSet::plain_attention()};
        return mine;
    }
    Opened open(const Spec& spec, const Parameters&) override {
        if (spec.level != Level::attention)
            return {Status::refused("attention level only"), nullptr};
        return {Status::done(), std::make_unique<Cache>(spec)};
    }
};

KVCHECK_SUITE(Attention)
