// SPDX-License-Identifier: Apache-2.0
// Calls made and answers written down (declared in drive.hpp).
#include "properties/drive/drive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>

#include "model/types/assert.hpp"
#include "model/types/enum_names.hpp"
#include "model/types/shown.hpp"
#include "model/types/spec_fields.hpp"
#include "oracles/work.hpp"

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
    : subject_(subject),
      capabilities_(subject.capabilities()),
      spec_(spec),
      parameters_(parameters),
      options_(options),
      state_(spec, position_count(spec, parameters)) {
    const Status status = guarded([&] {
        Opened opened = subject.open(spec, parameters);
        session_ = std::move(opened.session);
        if (opened.status.ok() && !session_) return Status::died("open returned no session");
        return opened.status;
    });
    if (status.ok()) {
        if (options.weak_prefix_hash && capabilities_.features.has(Feature::weak_prefix_hash)) {
            const Status weak = guarded([&] { return session_->weaken_prefix_hash(); });
            if (!weak.ok()) trouble(weak, "weaken_prefix_hash");
        }
        return;
    }
    trouble(status, "open");
    // Once the case is small, these are what the subject does not take.
    const FeatureSet asked = needed_by(spec).without({Feature::attention, Feature::layer});
    if (status.kind == Status::Kind::refused && !asked.empty()) {
        run_.trouble->hint =
            fmt::format("its spec asks at {} level for {}, which the subject declares",
                        name_of(spec.level), names_of(asked, ", "));
    }
}

Drive::Drive(const Drive& other, std::span<const std::byte> saved)
    : subject_(other.subject_),
      capabilities_(other.capabilities_),
      spec_(other.spec_),
      parameters_(other.parameters_),
      options_(other.options_),
      state_(other.state_),
      labels_(other.labels_),
      commands_(other.commands_) {
    state_.prefixes().clear();
    load(saved);
}

void Drive::load(std::span<const std::byte> saved) {
    const Status status = guarded([&] {
        Opened opened = subject_.load(spec_, parameters_, saved);
        session_ = std::move(opened.session);
        if (opened.status.ok() && !session_) return Status::died("load returned no session");
        return opened.status;
    });
    if (!status.ok()) trouble(status, "load");
}

std::vector<std::byte> Drive::save() {
    std::vector<std::byte> bytes;
    if (in_trouble()) return bytes;
    const Status status = guarded([&] { return session_->save(bytes); });
    if (!status.ok()) trouble(status, "save");
    return bytes;
}

void Drive::reload() {
    if (!options_.export_every_step) record_stored();
    const std::vector<std::byte> saved = save();
    if (in_trouble()) return;
    if (const Status status = close(); !status.ok()) return trouble(status, "close");
    session_.reset();
    load(saved);
}

Status Drive::attempt_load(const Spec& spec, const Parameters& parameters,
                           std::span<const std::byte> bytes) {
    return guarded([&] { return subject_.load(spec, parameters, bytes).status; });
}

Status Drive::close() {
    return guarded([&] { return session_->close(); });
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
    std::visit(Overload{[&](const Append& append) { apply_append(append); },
                        [&](const Reload&) {
                            reload();
                            state_.apply(command);
                        },
                        [&](const auto&) { ask_for(command); }},
               command);
    ++commands_;
    if (in_trouble()) return;
    if (options_.numbers_every_step) run_.numbers.push_back(numbers());
    if (options_.export_every_step) record_stored();
}

void Drive::ask_for(const Command& command) {
    if (!options_.export_every_step) record_stored();
    const Status status = ask(command);
    if (!status.ok()) trouble(status, std::string(name_of(command)));
    if (in_trouble()) return;
    state_.apply(command);
    spec_.rows = state_.row_count();  // of the calls that follow
}

/// Needs: neither an append nor a reload, which are more than one call, or bring tokens.
Status Drive::ask(const Command& command) {
    KVCHECK_ASSERT(!std::holds_alternative<Append>(command) &&
                   !std::holds_alternative<Reload>(command));
    return std::visit(
        Overload{[](const Append&) { return Status(); }, [](const Reload&) { return Status(); },
                 [&](const Publish& publish) {
                     const bool is_there = publish.row >= 0 && publish.row < state_.row_count();
                     const OwnPrefixKey key =
                         key_of(is_there ? state_.row(publish.row) : History());
                     return guarded([&] { return session_->publish(publish.row, key.view()); });
                 },
                 [&](const Reuse& reuse) { return ask_to_reuse(reuse); },
                 [&](const auto& one) { return guarded([&] { return session_->apply(one); }); }},
        command);
}

/// What is found must be what the contract says, to a slot: all that follows depends on it.
Status Drive::ask_to_reuse(const Reuse& reuse) {
    const History* const named = state_.prefixes().named(reuse.of);
    const History wanted = named ? named->up_to(std::min(reuse.slots, named->length())) : History();
    // A command that must be refused may name what was never published: no key is empty.
    const OwnPrefixKey key = named ? key_of(wanted) : OwnPrefixKey{{0}, {1}};
    Index slots = 0;
    Status status = attempt_reuse(reuse.row, key.view(), slots);
    const Index right = state_.prefixes().longest(wanted).length();
    if (status.ok() && slots != right && !run_.trouble) {
        run_.trouble = Verdict::failed(
            "reuse", fmt::format("reuse by row {} found {} slots of the {} that were asked for; "
                                 "the longest published prefix of them has {}",
                                 reuse.row, slots, wanted.length(), right));
    }
    return status;
}

Status Drive::attempt_reuse(Index row, const PrefixKey& key, Index& slots) {
    return guarded([&] { return session_->reuse(row, key, slots); });
}

Status Drive::attempt_admission(const std::vector<Index>& counts, bool& fits) {
    return guarded([&] { return session_->admits(counts, fits); });
}

Run Drive::finish() {
    if (!options_.export_every_step) record_stored();
    if (session_) {
        const Status status = close();
        if (!status.ok()) trouble(status, "close");
    }
    return std::move(run_);
}

std::vector<RowNumbers> Drive::numbers() {
    std::vector<RowNumbers> numbers(std::size_t(state_.row_count()));
    if (in_trouble()) return numbers;
    const Status status = guarded([&] { return session_->numbers(numbers); });
    if (!status.ok()) trouble(status, "numbers");
    return numbers;
}

std::optional<StoredRow> Drive::stored_row(Index row) {
    const Index length = state_.row(row).length();
    Work::add_call(spec_, 0, length);
    GuardedArray key(capabilities_.element, {spec_.kv_heads, length, spec_.key_width});
    GuardedArray value(capabilities_.element, {spec_.kv_heads, length, spec_.value_width});
    key.seal();
    value.seal();
    const Status status =
        guarded([&] { return session_->export_kv(row, key.output(), value.output()); });
    if (!status.ok()) {
        trouble(status, "export_kv of row " + std::to_string(row));
        return std::nullopt;
    }
    std::string fault;
    if (!key.only_elements_changed() || !value.only_elements_changed()) {
        fault = "export_kv wrote outside the arrays it was given";
    }
    if (fault.empty()) fault = session_->memory_fault();
    if (!fault.empty()) run_.memory_fault = fault;
    StoredRow stored{state_.row(row), {}, {}, capabilities_.features.has(Feature::rotated_keys)};
    const auto read = [&](const GuardedArray& array, Index width, auto& entries) {
        for (Index slot = 0; slot < length; ++slot) {
            auto& entry = entries.emplace_back(std::size_t(spec_.kv_heads * width));
            for (Index h = 0; h < spec_.kv_heads; ++h) {
                const std::span<double> all = entry;
                array.read({h, slot}, all.subspan(std::size_t(h * width), std::size_t(width)));
            }
        }
    };
    read(key, spec_.key_width, stored.key);
    read(value, spec_.value_width, stored.value);
    return stored;
}

std::vector<StoredRow> Drive::stored() {
    std::vector<StoredRow> rows;
    if (!capabilities_.features.has(Feature::kv_export)) return rows;
    for (Index r = 0; r < state_.row_count() && !in_trouble(); ++r) {
        if (auto row = stored_row(r)) rows.push_back(std::move(*row));
    }
    return rows;
}

void Drive::record_stored() {
    Index row = 0;
    for (StoredRow& stored : stored())
        run_.exports.push_back({commands_, row++, std::move(stored)});
}

CallOptions Drive::call_options(const Append& append) const {
    CallOptions options;
    options.element = capabilities_.element;
    options.arrangement = options_.arrangement;
    options.beyond_count = options_.beyond_count.value_or(std::numeric_limits<float>::quiet_NaN());
    options.with_weights = asks_for_weights();
    options.with_log_sum_exp = asks_for_log_sum_exp();
    for (Index r = 0; r < state_.row_count(); ++r) {
        const Index count = Index(append.rows[std::size_t(r)].size());
        options.slots = std::max(options.slots, state_.row(r).length() + count);
    }
    return options;
}

/// What a call costs, as if it were honoured.
void Drive::count_work(const Append& append) const {
    Index tokens = 0;
    Index pairs = 0;
    for (Index r = 0; r < state_.row_count() && r < Index(append.rows.size()); ++r) {
        const Index count = Index(append.rows[std::size_t(r)].size());
        tokens += count;
        pairs += count * state_.row(r).length() + count * (count + 1) / 2;
    }
    Work::add_call(spec_, tokens, pairs);
}

Status Drive::call(const Append& append, const CallMemory& memory) {
    count_work(append);
    Status status = guarded([&] { return session_->append(memory.call()); });
    memory_fault_ = memory.fault();
    if (memory_fault_.empty()) memory_fault_ = session_->memory_fault();
    if (!memory_fault_.empty()) run_.memory_fault = memory_fault_;
    return status;
}

void Drive::apply_append(const Append& append) {
    if (options_.poison_unused && capabilities_.features.has(Feature::poison_unused)) {
        const Status status =
            guarded([&] { return session_->poison_unused(*options_.poison_unused); });
        if (!status.ok()) return trouble(status, "poison_unused");
    }
    const CallMemory memory(spec_, append, call_options(append));
    const Status status = call(append, memory);
    if (!status.ok()) return trouble(status, "append (command " + std::to_string(commands_) + ")");
    record(append, memory);
}

void Drive::record(const Append& append, const CallMemory& memory) {
    const bool with_weights = asks_for_weights();
    for (Index r = 0; r < state_.row_count(); ++r) {
        History history = state_.row(r);
        const auto& tokens = append.rows[std::size_t(r)];
        const Index length = history.length() + Index(tokens.size());
        for (Index t = 0; t < Index(tokens.size()); ++t) {
            history = history.with(tokens[std::size_t(t)]);
            labels_.add(*history.last());
            Observation& seen = run_.observations.emplace_back();
            seen.command = commands_;
            seen.row = r;
            seen.history = history;
            seen.output = memory.output(r, t);
            seen.written = memory.is_written(r, t);
            if (asks_for_log_sum_exp()) seen.log_sum_exp = memory.log_sum_exp(r, t);
            for (Index h = 0; h < spec_.query_heads && with_weights; ++h) {
                seen.weights.push_back(memory.weights(r, h, t, length));
            }
        }
        state_.row(r) = history;
    }
}

Status Drive::attempt(const Append& append, const Damage& damage) {
    return call(append, CallMemory(spec_, append, call_options(append), &damage));
}

Status Drive::attempt(const Command& command) {
    memory_fault_.clear();
    return ask(command);
}

CallOptions Drive::ask_options() const {
    CallOptions options;
    options.element = capabilities_.element;
    options.arrangement = options_.arrangement;
    options.beyond_count = std::numeric_limits<float>::quiet_NaN();
    return options;
}

Status Drive::ask(const CallMemory& memory) {
    Status status = guarded([&] { return session_->ask(memory.call()); });
    memory_fault_ = memory.fault();
    if (memory_fault_.empty()) memory_fault_ = session_->memory_fault();
    if (!memory_fault_.empty()) run_.memory_fault = memory_fault_;
    return status;
}

void Drive::ask(const std::vector<std::vector<Token>>& queries) {
    if (in_trouble()) return;
    const CallMemory memory(spec_, Append{queries, std::nullopt}, ask_options());
    const Status status = ask(memory);
    if (!status.ok())
        return trouble(status, "ask (after command " + std::to_string(commands_) + ")");
    for (Index r = 0; r < state_.row_count(); ++r) {
        const auto& row = queries[std::size_t(r)];
        for (Index t = 0; t < Index(row.size()); ++t) {
            Observation& seen = asked_.emplace_back();
            seen.command = commands_;
            seen.row = r;
            seen.history = state_.row(r).with_query(row[std::size_t(t)].input);
            seen.output = memory.output(r, t);
            seen.written = memory.is_written(r, t);
        }
    }
}

Status Drive::attempt_ask(const std::vector<std::vector<Token>>& queries, const Damage& damage) {
    const CallMemory memory(spec_, Append{queries, std::nullopt}, ask_options(), &damage);
    return ask(memory);
}

Run drive(Subject& subject, const Case& test_case, const DriveOptions& options) {
    Drive session(subject, test_case.spec, test_case.parameters, options);
    for (const Command& command : test_case.program) session.apply(command);
    return session.finish();
}

}  // namespace kvcheck
