// SPDX-License-Identifier: Apache-2.0
#include "properties/drive/drive.hpp"

#include <algorithm>
#include <exception>
#include <limits>

#include "model/types/shown.hpp"

namespace kvcheck {
namespace {

/// Runs one call of the subject; whatever escapes it is its death.
template <class Call>
Status guarded(Call&& call) {
    try {
        return call();
    } catch (const std::exception& error) {
        return Status::died("it threw: " + shown(error.what()));
    } catch (...) {
        return Status::died("it threw something that is no std::exception");
    }
}

}  // namespace

Drive::Drive(Subject& subject, const Spec& spec, const Parameters& parameters,
             const DriveOptions& options)
    : capabilities_(subject.capabilities()),
      spec_(spec),
      options_(options),
      lengths_(std::size_t(spec.rows), 0) {
    run_.tokens.emplace_back(std::size_t(spec.rows));
    const Status status = guarded([&] {
        Opened opened = subject.open(spec, parameters);
        session_ = std::move(opened.session);
        if (opened.status.ok() && !session_) return Status::died("open returned no session");
        return opened.status;
    });
    if (!status.ok()) trouble(status, "open");
}

void Drive::trouble(const Status& status, const std::string& call) {
    if (run_.trouble) return;
    switch (status.kind) {
        case Status::Kind::died:
            run_.trouble = status.by_others ? Verdict::killed(call + ": " + status.message)
                                            : Verdict::crashed(call + ": " + status.message);
            break;
        case Status::Kind::timed_out:
            run_.trouble = Verdict::timed_out(call + ": " + status.message);
            break;
        default:
            run_.trouble = Verdict::failed(
                "refusal",
                call + " was refused although the contract admits it: " + status.message);
    }
}

void Drive::apply(const Command& command) {
    if (in_trouble()) return;
    if (const auto* append = std::get_if<Append>(&command)) {
        apply(*append);
    } else {
        if (!options_.export_every_step) run_.stored.push_back(stored());
        const Status status = guarded([&] { return session_->reset(); });
        if (!status.ok()) return trouble(status, "reset");
        std::fill(lengths_.begin(), lengths_.end(), 0);
        run_.tokens.emplace_back(std::size_t(spec_.rows));
    }
    end_step();
}

void Drive::end_step() {
    ++commands_;
    if (in_trouble()) return;
    if (options_.numbers_every_step) run_.numbers.push_back(numbers());
    if (options_.export_every_step) run_.stored.push_back(stored());
}

Run Drive::finish() {
    if (!in_trouble() && !options_.export_every_step) run_.stored.push_back(stored());
    if (session_) {
        const Status status = guarded([&] { return session_->close(); });
        if (!status.ok()) trouble(status, "close");
    }
    return std::move(run_);
}

std::vector<RowNumbers> Drive::numbers() {
    std::vector<RowNumbers> numbers(lengths_.size());
    if (in_trouble()) return numbers;
    const Status status = guarded([&] { return session_->numbers(numbers); });
    if (!status.ok()) trouble(status, "numbers");
    return numbers;
}

std::vector<StoredRow> Drive::stored() {
    std::vector<StoredRow> rows;
    if (in_trouble() || !capabilities_.features.has(Feature::kv_export)) return rows;
    const ElementType element = capabilities_.element;
    for (Index r = 0; r < spec_.rows; ++r) {
        const Index length = lengths_[std::size_t(r)];
        GuardedArray key(element, {spec_.kv_heads, length, spec_.key_width});
        GuardedArray value(element, {spec_.kv_heads, length, spec_.value_width});
        key.seal();
        value.seal();
        const Status status =
            guarded([&] { return session_->export_kv(r, key.output(), value.output()); });
        if (!status.ok()) {
            trouble(status, "export_kv of row " + std::to_string(r));
            return rows;
        }
        if (!key.only_elements_changed() || !value.only_elements_changed()) {
            run_.memory_fault = "export_kv wrote outside the arrays it was given";
        }
        StoredRow& row = rows.emplace_back();
        for (Index slot = 0; slot < length; ++slot) {
            auto& keys = row.key.emplace_back();
            auto& values = row.value.emplace_back();
            for (Index h = 0; h < spec_.kv_heads; ++h) {
                for (Index d = 0; d < spec_.key_width; ++d) keys.push_back(key.get({h, slot, d}));
                for (Index d = 0; d < spec_.value_width; ++d) {
                    values.push_back(value.get({h, slot, d}));
                }
            }
        }
    }
    return rows;
}

CallOptions Drive::call_options(const Append& append) const {
    CallOptions options;
    options.element = capabilities_.element;
    options.arrangement = options_.arrangement;
    options.beyond_count = options_.beyond_count.value_or(std::numeric_limits<float>::quiet_NaN());
    options.with_weights = capabilities_.features.has(Feature::weights);
    for (std::size_t r = 0; r < lengths_.size(); ++r) {
        options.slots = std::max(options.slots, lengths_[r] + Index(append.rows[r].size()));
    }
    return options;
}

Status Drive::call(const CallMemory& memory) {
    Status status = guarded([&] { return session_->append(memory.call()); });
    std::string fault = memory.fault();
    if (fault.empty()) fault = session_->memory_fault();
    if (!fault.empty()) run_.memory_fault = fault;
    return status;
}

void Drive::apply(const Append& append) {
    if (options_.poison_unused && capabilities_.features.has(Feature::poison_unused)) {
        const Status status =
            guarded([&] { return session_->poison_unused(*options_.poison_unused); });
        if (!status.ok()) return trouble(status, "poison_unused");
    }
    const CallMemory memory(spec_, append, call_options(append));
    const Status status = call(memory);
    if (!status.ok()) return trouble(status, "append (command " + std::to_string(commands_) + ")");
    record(append, memory);
}

void Drive::record(const Append& append, const CallMemory& memory) {
    const bool with_weights = capabilities_.features.has(Feature::weights);
    for (Index r = 0; r < spec_.rows; ++r) {
        const Index count = Index(append.rows[std::size_t(r)].size());
        const Index length = lengths_[std::size_t(r)] += count;
        for (Index t = 0; t < count; ++t) {
            Seen& seen = run_.tokens.back()[std::size_t(r)].emplace_back();
            for (Index i = 0; i < spec_.output_size(); ++i) {
                seen.output.push_back(memory.output(r, t, i));
                seen.written = seen.written && memory.is_written(r, t, i);
            }
            for (Index h = 0; h < spec_.query_heads && with_weights; ++h) {
                auto& weights = seen.weights.emplace_back();
                for (Index slot = 0; slot < length; ++slot) {
                    weights.push_back(memory.weight(r, h, t, slot));
                }
            }
        }
    }
}

Status Drive::attempt(const Append& append, const Damage& damage) {
    return call(CallMemory(spec_, append, call_options(append), &damage));
}

Run drive(Subject& subject, const Case& value, const DriveOptions& options) {
    Drive session(subject, value.spec, value.parameters, options);
    for (const Command& command : value.program) session.apply(command);
    return session.finish();
}

}  // namespace kvcheck
