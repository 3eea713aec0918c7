// SPDX-License-Identifier: Apache-2.0
// A subject in C++: causal attention with a cache; your kernel goes into attend(). Build and judge:
// cmake -B build && cmake --build build && build/attention
#include <cmath>
#include <kvcheck/suite.hpp>
#include <vector>

using namespace kvcheck;

class Cache final : public Session {
public:
    explicit Cache(const Spec& spec)
        : spec_(spec), lengths_(spec.rows), keys_(spec.rows), values_(spec.rows) {}

    Status append(const AppendCall& call) override {
        const auto objection = objection_to(call, spec_, ElementType::f32, lengths_);
        if (!objection.empty()) return Status::refused(objection);
        const Index tokens = call.query.shape.extent[1];
        for (Index r = 0; r < spec_.rows; ++r) {
            for (Index t = 0; t < call.counts[r]; ++t) {
                if (call.real[r * tokens + t]) keep(call, r, t);
                ++lengths_[r];
                for (Index h = 0; h < spec_.query_heads; ++h) attend(call, r, t, h);
            }
        }
        return Status::done();
    }
    Status apply(const Lifecycle& command) override {
        const auto* reset = std::get_if<Reset>(&command);
        if (reset == nullptr || reset->row) return Session::apply(command);
        *this = Cache(spec_);
        return Status::done();
    }
    Status numbers(std::span<RowNumbers> rows) override {
        for (std::size_t r = 0; r < rows.size(); ++r) rows[r].length = lengths_[r];
        return Status::done();
    }

private:
    void keep(const AppendCall& call, Index r, Index t) {
        for (Index h = 0; h < spec_.kv_heads; ++h) {
            for (Index d = 0; d < spec_.key_width; ++d)
                keys_[r].push_back(call.key.at<float>(r, t, h, d));
            for (Index d = 0; d < spec_.value_width; ++d)
                values_[r].push_back(call.value.at<float>(r, t, h, d));
        }
    }
    /// softmax(scale q.k) v over all real tokens of row r so far.
    void attend(const AppendCall& call, Index r, Index t, Index h) const {
        const Index dk = spec_.key_width, dv = spec_.value_width, heads = spec_.kv_heads;
        const Index head = h * heads / spec_.query_heads;
        const double scale = spec_.scale ? *spec_.scale : 1 / std::sqrt(double(dk));
        std::vector<double> weight(keys_[r].size() / (heads * dk)), output(dv);
        double largest = -INFINITY, sum = 0;
        for (std::size_t k = 0; k < weight.size(); ++k) {
            for (Index d = 0; d < dk; ++d)
                weight[k] += scale * call.query.at<float>(r, t, h, d) *
                             keys_[r][(k * heads + head) * dk + d];
            largest = std::max(largest, weight[k]);
        }
        for (double& w : weight) {
            w = std::exp(w - largest);
            sum += w;
        }
        for (std::size_t k = 0; k < weight.size(); ++k)
            for (Index d = 0; d < dv; ++d)
                output[d] += weight[k] / sum * values_[r][(k * heads + head) * dv + d];
        for (Index d = 0; d < dv; ++d) call.output.at<float>(r, t, h, d) = float(output[d]);
    }

    Spec spec_;
    std::vector<Index> lengths_;                     // of the rows, padding included
    std::vector<std::vector<float>> keys_, values_;  // [rows][real tokens * kv_heads * width]
};

class Attention final : public Subject {
    const Capabilities& capabilities() const override {
        // What attend() keeps, so that small faults show; another kernel has another profile.
        static const Capabilities mine{"cpp-example", "1", FeatureSet::plain_attention(),
                                       ElementType::f32, two_pass_profile(24)};
        return mine;
    }
    Opened open(const Spec& spec, const Parameters&) override {
        if (spec.level != Level::attention) return {Status::refused("attention only"), nullptr};
        return {Status::done(), std::make_unique<Cache>(spec)};
    }
};
KVCHECK_SUITE(Attention)
