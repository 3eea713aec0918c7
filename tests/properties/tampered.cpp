// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/tampered.hpp"

#include <algorithm>

#include "impl/plain/plain.hpp"

namespace kvcheck {
namespace {

class TamperedSession final : public Session {
public:
    TamperedSession(std::unique_ptr<Session> inner, const Tamper& tamper)
        : inner_(std::move(inner)), tamper_(tamper) {}

    Status append(const AppendCall& call) override {
        return tamper_.append ? tamper_.append(*inner_, call) : inner_->append(call);
    }
    Status apply(const Lifecycle& command) override {
        return tamper_.lifecycle ? tamper_.lifecycle(*inner_, command) : inner_->apply(command);
    }
    Status numbers(std::span<RowNumbers> rows) override {
        return tamper_.numbers ? tamper_.numbers(*inner_, rows) : inner_->numbers(rows);
    }
    Status export_kv(Index row, const OutputView& key, const OutputView& value) override {
        return tamper_.export_kv ? tamper_.export_kv(*inner_, row, key, value)
                                 : inner_->export_kv(row, key, value);
    }
    Status poison_unused(double pattern) override { return inner_->poison_unused(pattern); }
    Status save(std::vector<std::byte>& bytes) override {
        return tamper_.save ? tamper_.save(*inner_, bytes) : inner_->save(bytes);
    }

    Status ask(const AppendCall& call) override { return inner_->ask(call); }
    Status publish(Index row, const PrefixKey& key) override { return inner_->publish(row, key); }
    Status reuse(Index row, const PrefixKey& key, Index& slots) override {
        return inner_->reuse(row, key, slots);
    }
    Status admits(std::span<const Index> counts, bool& fits) override {
        return inner_->admits(counts, fits);
    }
    Status weaken_prefix_hash() override { return inner_->weaken_prefix_hash(); }

private:
    std::unique_ptr<Session> inner_;
    const Tamper& tamper_;
};

class TamperedSubject final : public Subject {
public:
    explicit TamperedSubject(Tamper tamper)
        : tamper_(std::move(tamper)),
          inner_(make_plain<float>("tampered", tamper_.rules)),
          capabilities_(inner_->capabilities()) {
        if (tamper_.unbounded) capabilities_.features.add(Feature::capacity_unbounded);
        if (tamper_.evicts_but) capabilities_.features.add(Feature::capacity_evicted);
        if (tamper_.capabilities) tamper_.capabilities(capabilities_);
    }

    const Capabilities& capabilities() const override { return capabilities_; }
    Opened open(const Spec& spec, const Parameters& parameters) override {
        if (tamper_.open) {
            const Status status = tamper_.open(spec);
            if (!status.ok()) return {status, nullptr};
        }
        return wrapped(inner_->open(inner_spec(spec), parameters));
    }

    Opened load(const Spec& spec, const Parameters& parameters,
                std::span<const std::byte> bytes) override {
        return wrapped(inner_->load(inner_spec(spec), parameters, bytes));
    }

private:
    /// What the textbook is given for it.
    Spec inner_spec(const Spec& spec) const {
        Spec inner = spec;
        if (tamper_.evicts_but) {
            const Index kept = std::max<Index>(spec.capacity + *tamper_.evicts_but, 1);
            inner.window = std::min(spec.window.value_or(kept), kept);
        }
        if (tamper_.unbounded || tamper_.evicts_but) inner.capacity = extent_max;
        return inner;
    }
    Opened wrapped(Opened opened) const {
        if (!opened.session) return opened;
        opened.session = std::make_unique<TamperedSession>(std::move(opened.session), tamper_);
        return opened;
    }

    Tamper tamper_;
    std::unique_ptr<Subject> inner_;
    Capabilities capabilities_;
};

}  // namespace

std::unique_ptr<Subject> tampered(Tamper tamper) {
    return std::make_unique<TamperedSubject>(std::move(tamper));
}

}  // namespace kvcheck
