// SPDX-License-Identifier: Apache-2.0
// A subject in C++: causal attention with a cache; your kernel goes into attend(). Build and judge:
// cmake -B build && cmake --build build && build/attention
#include <algorithm>
#include <cmath>
#include <kvcheck/suite.hpp>
#include <numeric>
#include <vector>

using namespace kvcheck;

class Cache final : public Session {
public:
    explicit Cache(const Spec& spec) : spec_(spec), rows_(spec.rows) {}

    Status append(const AppendCall& call) override {
        std::vector<Index> lengths;
        for (const Row& row : rows_) lengths.push_back(Index(row.seen.size()));
        const auto objection = objection_to(call, spec_, ElementType::f32, lengths);
        if (!objection.empty()) return Status::refused(objection);
        const Index tokens = call.query.shape.extent[1];
        for (Index r = 0; r < spec_.rows; ++r) {
            for (Index t = 0; t < call.counts[r]; ++t) {
                keep(call, r, t, call.real[r * tokens + t] != 0);
                for (Index h = 0; h < spec_.query_heads; ++h) attend(call, r, t, h);
            }
        }
        return Status::done();
    }
    Status apply(const Lifecycle& command) override {
        if (const auto* reset = std::get_if<Reset>(&command)) return truncate(reset->row, 0);
        if (const auto* cut = std::get_if<Truncate>(&command))
            return truncate(cut->row, cut->length);
        if (const auto* reorder = std::get_if<Reorder>(&command)) return go_on_as(reorder->sources);
        if (const auto* fork = std::get_if<Fork>(&command)) {
            std::vector<Index> sources(rows_.size());
            std::iota(sources.begin(), sources.end(), Index{0});
            sources.push_back(fork->row);
            return go_on_as(sources);
        }
        if (const auto* evict = std::get_if<Evict>(&command)) return hide(*evict);
        return Session::apply(command);
    }
    Status numbers(std::span<RowNumbers> rows) override {
        for (std::size_t r = 0; r < rows.size(); ++r) rows[r].length = Index(rows_[r].seen.size());
        return Status::done();
    }

private:
    struct Row {
        std::vector<bool> seen;           // [slots]: real and not evicted
        std::vector<float> keys, values;  // [slots][kv_heads][width]
    };

    Status truncate(std::optional<Index> row, Index length) {
        if (row && (*row < 0 || *row >= spec_.rows)) return Status::refused("no such row");
        const Index begin = row.value_or(0), end = row ? *row + 1 : spec_.rows;
        for (Index r = begin; r < end; ++r)
            if (length < 0 || length > Index(rows_[r].seen.size()))
                return Status::refused("no such length");
        for (Index r = begin; r < end; ++r) {
            rows_[r].seen.resize(length);
            rows_[r].keys.resize(length * spec_.kv_heads * spec_.key_width);
            rows_[r].values.resize(length * spec_.kv_heads * spec_.value_width);
        }
        return Status::done();
    }
    Status go_on_as(const std::vector<Index>& sources) {
        std::vector<Row> rows;
        for (const Index source : sources) {
            if (source < 0 || source >= spec_.rows) return Status::refused("no such row");
            rows.push_back(rows_[source]);
        }
        if (rows.empty()) return Status::refused("no source");
        rows_ = std::move(rows);
        spec_.rows = Index(rows_.size());
        return Status::done();
    }
    Status hide(const Evict& evict) {
        if (evict.row < 0 || evict.row >= spec_.rows) return Status::refused("no such row");
        auto& seen = rows_[evict.row].seen;
        if (evict.begin < 0 || evict.begin >= evict.end || evict.end > Index(seen.size()))
            return Status::refused("no such slots");
        std::fill(seen.begin() + evict.begin, seen.begin() + evict.end, false);
        return Status::done();
    }

    void keep(const AppendCall& call, Index r, Index t, bool real) {
        rows_[r].seen.push_back(real);
        for (Index h = 0; h < spec_.kv_heads; ++h) {
            for (Index d = 0; d < spec_.key_width; ++d)
                rows_[r].keys.push_back(call.key.at<float>(r, t, h, d));
            for (Index d = 0; d < spec_.value_width; ++d)
                rows_[r].values.push_back(call.value.at<float>(r, t, h, d));
        }
    }
    /// softmax(scale q.k) v over all tokens of row r so far that are seen.
    void attend(const AppendCall& call, Index r, Index t, Index h) const {
        const Index dk = spec_.key_width, dv = spec_.value_width, heads = spec_.kv_heads;
        const Index head = h * heads / spec_.query_heads;
        const auto& [seen, keys, values] = rows_[r];
        const double scale = spec_.scale ? *spec_.scale : 1 / std::sqrt(double(dk));
        std::vector<double> weight(seen.size()), output(dv);
        double largest = -INFINITY, sum = 0;
        for (std::size_t k = 0; k < seen.size(); ++k) {
            if (!seen[k]) continue;
            for (Index d = 0; d < dk; ++d)
                weight[k] +=
                    scale * call.query.at<float>(r, t, h, d) * keys[(k * heads + head) * dk + d];
            largest = std::max(largest, weight[k]);
        }
        for (std::size_t k = 0; k < seen.size(); ++k)
            if (seen[k]) sum += weight[k] = std::exp(weight[k] - largest);
        for (std::size_t k = 0; k < seen.size(); ++k)
            for (Index d = 0; seen[k] && d < dv; ++d)
                output[d] += weight[k] / sum * values[(k * heads + head) * dv + d];
        for (Index d = 0; d < dv; ++d) call.output.at<float>(r, t, h, d) = float(output[d]);
    }

    Spec spec_;  // its rows: as many as there are now
    std::vector<Row> rows_;
};

class Attention final : public Subject {
    const Capabilities& capabilities() const override {
        // What attend() keeps, so that small faults show; another kernel has another profile.
        static const Capabilities mine{
            "cpp-example", "1",
            FeatureSet::plain_attention() |
                FeatureSet{Feature::reset_row, Feature::truncate, Feature::truncate_row,
                           Feature::reorder, Feature::varying_rows, Feature::fork, Feature::evict},
            ElementType::f32, two_pass_profile(24)};
        return mine;
    }
    Opened open(const Spec& spec, const Parameters&) override {
        if (spec.level != Level::attention) return {Status::refused("attention only"), nullptr};
        return {Status::done(), std::make_unique<Cache>(spec)};
    }
};
KVCHECK_SUITE(Attention)
