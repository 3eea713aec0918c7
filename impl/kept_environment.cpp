// SPDX-License-Identifier: Apache-2.0
// A border around every call of a subject (declared in kept_environment.hpp).
#include "impl/kept_environment.hpp"

#include "impl/float_environment.hpp"

namespace kvcheck {
namespace {

/// What a subject and its sessions share.
class Border {
public:
    explicit Border(const FloatEnvironment& own) : own_(own) {}

    /// Makes a call in the subject's environment; whatever happens, the caller's returns.
    template <class Call>
    auto cross(std::string_view name, const Call& call) {
        const Back back{*this, name, {}};
        own_.install();
        return call();
    }

    /// The first fault since it was last asked for.
    std::string take_fault() { return std::exchange(fault_, {}); }

private:
    struct Back {
        Border& border;
        std::string_view name;
        FloatEnvironment callers;
        ~Back() {
            const std::string changed = border.own_.difference(FloatEnvironment());
            callers.install();
            if (changed.empty() || !border.fault_.empty()) return;
            border.fault_ = std::string(name) + " changed " + changed +
                            ", which belongs to its caller (the floating-point environment)";
        }
    };

    FloatEnvironment own_;
    std::string fault_;
};

class KeptSession final : public Session {
public:
    KeptSession(std::shared_ptr<Border> border, std::unique_ptr<Session> inner)
        : border_(std::move(border)), inner_(std::move(inner)) {}
    ~KeptSession() override {
        border_->cross("close", [&] { inner_.reset(); });
    }

    Status append(const AppendCall& call) override {
        Status status = border_->cross("append", [&] { return inner_->append(call); });
        fault_ = inner_->memory_fault();
        if (fault_.empty()) fault_ = border_->take_fault();
        return status;
    }
    Status apply(const Lifecycle& command) override {
        return border_->cross(name_of(command), [&] { return inner_->apply(command); });
    }
    Status numbers(std::span<RowNumbers> rows) override {
        return border_->cross("numbers", [&] { return inner_->numbers(rows); });
    }
    Status export_kv(Index row, const OutputView& key, const OutputView& value) override {
        return border_->cross("export_kv", [&] { return inner_->export_kv(row, key, value); });
    }
    Status poison_unused(double pattern) override {
        return border_->cross("poison_unused", [&] { return inner_->poison_unused(pattern); });
    }
    Status save(std::vector<std::byte>& bytes) override {
        return border_->cross("save", [&] { return inner_->save(bytes); });
    }
    Status ask(const AppendCall& call) override {
        Status status = border_->cross("ask", [&] { return inner_->ask(call); });
        fault_ = inner_->memory_fault();
        if (fault_.empty()) fault_ = border_->take_fault();
        return status;
    }
    Status publish(Index row, const PrefixKey& key) override {
        return border_->cross("publish", [&] { return inner_->publish(row, key); });
    }
    Status reuse(Index row, const PrefixKey& key, Index& slots) override {
        return border_->cross("reuse", [&] { return inner_->reuse(row, key, slots); });
    }
    Status admits(std::span<const Index> counts, bool& fits) override {
        return border_->cross("admits", [&] { return inner_->admits(counts, fits); });
    }
    Status weaken_prefix_hash() override {
        return border_->cross("weaken_prefix_hash", [&] { return inner_->weaken_prefix_hash(); });
    }
    Status close() override {
        return border_->cross("close", [&] { return inner_->close(); });
    }
    std::string memory_fault() const override { return fault_; }

private:
    std::shared_ptr<Border> border_;
    std::unique_ptr<Session> inner_;
    std::string fault_;
};

class KeptSubject final : public Subject {
public:
    KeptSubject(std::unique_ptr<Subject> inner, const FloatEnvironment& own)
        : border_(std::make_shared<Border>(own)), inner_(std::move(inner)) {}

    const Capabilities& capabilities() const override { return inner_->capabilities(); }
    Opened open(const Spec& spec, const Parameters& parameters) override {
        return kept(border_->cross("open", [&] { return inner_->open(spec, parameters); }));
    }
    Opened load(const Spec& spec, const Parameters& parameters,
                std::span<const std::byte> bytes) override {
        return kept(border_->cross("load", [&] { return inner_->load(spec, parameters, bytes); }));
    }
    bool restart() override { return inner_->restart(); }
    Status finish() override { return inner_->finish(); }

private:
    Opened kept(Opened opened) const {
        if (opened.session)
            opened.session = std::make_unique<KeptSession>(border_, std::move(opened.session));
        return opened;
    }

    std::shared_ptr<Border> border_;
    std::unique_ptr<Subject> inner_;
};

}  // namespace

std::unique_ptr<Subject> in_its_own_environment(
    const std::function<std::unique_ptr<Subject>()>& load) {
    const FloatEnvironment ours;
    struct Back {
        const FloatEnvironment& environment;
        ~Back() { environment.install(); }
    } back{ours};
    std::unique_ptr<Subject> subject = load();
    const FloatEnvironment own;
    return std::make_unique<KeptSubject>(std::move(subject), own);
}

}  // namespace kvcheck
