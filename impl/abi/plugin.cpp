// SPDX-License-Identifier: Apache-2.0
// A shared library behind the subject interface (declared in plugin.hpp): records and views
// translated to C and back.
#include "impl/abi/plugin.hpp"

#include <dlfcn.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <sstream>
#include <utility>

#include "impl/abi/c_records.hpp"
#include "model/types/error.hpp"
#include "model/types/shown.hpp"

namespace kvcheck {
namespace {

/// A buffer for the words of a refusal.
class Message {
public:
    char* data() { return text_.data(); }
    std::size_t size() const { return text_.size(); }
    Status status(int code) const {
        if (code == KVCHECK_DONE) return Status::done();
        const std::string words = shown({text_.data(), strnlen(text_.data(), text_.size())});
        if (code == KVCHECK_REFUSED) return Status::refused(words);
        return Status::died("it returned the status " + std::to_string(code) + ": " + words);
    }

private:
    std::array<char, 512> text_{};
};

/// As much of the table as its writer knew, empty beyond: nobody reads past its size.
kvcheck_plugin known_part(const kvcheck_plugin& table, const std::string& path) {
    constexpr std::size_t core = offsetof(kvcheck_plugin, get_extension);
    if (table.size < core) {
        throw InputError(path, "a table of " + std::to_string(table.size) + " bytes",
                         "at least " + std::to_string(core) + ", as far as close");
    }
    kvcheck_plugin known{};
    const bool whole = table.size >= core + sizeof known.get_extension;
    std::memcpy(&known, &table, whole ? sizeof known : core);
    return known;
}

template <class Table>
const Table* extension(const kvcheck_plugin& plugin, const char* name) {
    if (plugin.get_extension == nullptr) return nullptr;
    return static_cast<const Table*>(plugin.get_extension(name));
}

class PluginSession final : public Session {
public:
    PluginSession(const kvcheck_plugin& plugin, kvcheck_session* session)
        : plugin_(plugin), session_(session) {}
    ~PluginSession() override { PluginSession::close(); }

    Status close() override {
        if (session_ != nullptr) plugin_.close(std::exchange(session_, nullptr));
        return Status::done();
    }

    Status append(const AppendCall& call) override {
        const kvcheck_append c = c_append(call);
        Message message;
        return message.status(plugin_.append(session_, &c, message.data(), message.size()));
    }

    Status ask(const AppendCall& call) override {
        const auto* table = extension<kvcheck_cross>(plugin_, "cross/1");
        if (table == nullptr) return Session::ask(call);
        const kvcheck_append c = c_append(call);
        Message message;
        return message.status(table->ask(session_, &c, message.data(), message.size()));
    }

    Status apply(const Lifecycle& command) override {
        return std::visit([&](const auto& one) { return apply_one(one); }, command);
    }

    Status numbers(std::span<RowNumbers> rows) override {
        if (const auto* table = extension<kvcheck_numbers_of_rows>(plugin_, "numbers/1")) {
            std::vector<kvcheck_numbers> c(rows.size());
            if (table->numbers(session_, c.data()) != KVCHECK_DONE)
                return Status::refused("numbers/1");
            const auto number = [](int64_t n) {
                return n == -1 ? std::nullopt : std::optional<Index>(n);
            };
            for (std::size_t r = 0; r < rows.size(); ++r) {
                // A number that is missing here does not compile.
                const auto& [length, visible_count, retained_count, next_slot, next_id, write_end] =
                    c[r];
                rows[r] = {number(length),    number(visible_count), number(retained_count),
                           number(next_slot), number(next_id),       number(write_end)};
            }
            return Status::done();
        }
        std::vector<int64_t> lengths(rows.size(), -1);
        if (plugin_.lengths(session_, lengths.data()) != KVCHECK_DONE)
            return Status::refused("lengths");
        for (std::size_t r = 0; r < rows.size(); ++r) rows[r].length = lengths[r];
        return Status::done();
    }

    Status export_kv(Index row, const OutputView& key, const OutputView& value) override {
        const auto* table = extension<kvcheck_kv_export>(plugin_, "kv_export/1");
        if (table == nullptr) return Session::export_kv(row, key, value);
        const kvcheck_view c_key = c_view(key);
        const kvcheck_view c_value = c_view(value);
        return table->export_kv(session_, row, &c_key, &c_value) == KVCHECK_DONE
                   ? Status::done()
                   : Status::refused("kv_export/1");
    }

    Status poison_unused(double pattern) override {
        const auto* table = extension<kvcheck_poison_unused>(plugin_, "poison_unused/1");
        if (table == nullptr) return Session::poison_unused(pattern);
        return table->poison_unused(session_, pattern) == KVCHECK_DONE
                   ? Status::done()
                   : Status::refused("poison_unused/1");
    }

    Status save(std::vector<std::byte>& bytes) override {
        const auto* table = extension<kvcheck_save>(plugin_, "save/1");
        if (table == nullptr) return Session::save(bytes);
        bytes.clear();
        const auto write = [](void* to, const void* from, std::size_t count) {
            const auto* const first = static_cast<const std::byte*>(from);
            auto& all = *static_cast<std::vector<std::byte>*>(to);
            all.insert(all.end(), first, first + count);
        };
        Message message;
        return message.status(table->save(session_, write, &bytes, message.data(), message.size()));
    }

    Status publish(Index row, const PrefixKey& key) override {
        const auto* table = extension<kvcheck_prefix_reuse>(plugin_, "prefix_reuse/1");
        if (table == nullptr) return Session::publish(row, key);
        const std::string revision(key.revision);
        const kvcheck_prefix_key c = c_key(key, revision);
        Message message;
        return message.status(table->publish(session_, row, &c, message.data(), message.size()));
    }

    Status reuse(Index row, const PrefixKey& key, Index& slots) override {
        const auto* table = extension<kvcheck_prefix_reuse>(plugin_, "prefix_reuse/1");
        if (table == nullptr) return Session::reuse(row, key, slots);
        const std::string revision(key.revision);
        const kvcheck_prefix_key c = c_key(key, revision);
        Message message;
        return message.status(
            table->reuse(session_, row, &c, &slots, message.data(), message.size()));
    }

    Status admits(std::span<const Index> counts, bool& fits) override {
        const auto* table = extension<kvcheck_admission>(plugin_, "admission/1");
        if (table == nullptr) return Session::admits(counts, fits);
        std::int32_t said = 0;
        Message message;
        Status status = message.status(table->admits(session_, counts.data(), Index(counts.size()),
                                                     &said, message.data(), message.size()));
        if (status.ok() && said != 0 && said != 1)
            return Status::died("fits: " + std::to_string(said) + ", expected 0 or 1");
        fits = said == 1;
        return status;
    }

    Status weaken_prefix_hash() override {
        const auto* table = extension<kvcheck_weak_prefix_hash>(plugin_, "weak_prefix_hash/1");
        if (table == nullptr) return Session::weaken_prefix_hash();
        return table->weaken_prefix_hash(session_) == KVCHECK_DONE
                   ? Status::done()
                   : Status::refused("weak_prefix_hash/1");
    }

private:
    /// One function of an extension that takes the session, `arguments` and room for a message; a
    /// refusal where the plug-in lacks it.
    template <class Table, class Function, class Command, class... Arguments>
    Status ask(const char* name, Function Table::*function, const Command& command,
               const Arguments&... arguments) {
        const auto* table = extension<Table>(plugin_, name);
        if (table == nullptr) return Session::apply(command);
        Message message;
        return message.status(
            (table->*function)(session_, arguments..., message.data(), message.size()));
    }

    Status apply_one(const Reset& reset) {
        if (reset.row) {
            return ask("reset_row/1", &kvcheck_reset_row::reset_row, reset, *reset.row);
        }
        Message message;
        return message.status(plugin_.reset(session_, message.data(), message.size()));
    }
    Status apply_one(const Truncate& truncate) {
        // To the plug-in this row would mean all of them.
        if (truncate.row == every_row) return Status::refused("no such row");
        return ask("truncate/1", &kvcheck_truncate::truncate, truncate,
                   truncate.row.value_or(every_row), truncate.length);
    }
    Status apply_one(const Reorder& reorder) {
        return ask("reorder/1", &kvcheck_reorder::reorder, reorder, reorder.sources.data(),
                   Index(reorder.sources.size()));
    }
    Status apply_one(const Fork& fork) {
        return ask("fork/1", &kvcheck_fork::fork, fork, fork.row);
    }
    Status apply_one(const Finish& finish) {
        return ask("finish/1", &kvcheck_finish::finish, finish, finish.row);
    }
    Status apply_one(const Evict& evict) {
        return ask("evict/1", &kvcheck_evict::evict, evict, evict.row, evict.begin, evict.end);
    }

    Status apply_one(const Shift& shift) {
        return ask("shift/1", &kvcheck_shift::shift, shift, shift.row, shift.by);
    }

    static constexpr Index every_row = -1;

    const kvcheck_plugin& plugin_;
    kvcheck_session* session_;
};

class PluginSubject final : public Subject {
public:
    PluginSubject(const kvcheck_plugin& plugin, const std::string& path) : plugin_(plugin) {
        capabilities_.name = shown(plugin.name != nullptr ? plugin.name : path);
        capabilities_.version = shown(plugin.version != nullptr ? plugin.version : "");
        if (plugin.element != KVCHECK_F32 && plugin.element != KVCHECK_F64) {
            throw InputError(path + ": element", std::to_string(plugin.element),
                             "KVCHECK_F32 or KVCHECK_F64");
        }
        capabilities_.element = plugin.element == KVCHECK_F64 ? ElementType::f64 : ElementType::f32;
        capabilities_.profile = profile_of_digits(plugin.element == KVCHECK_F64 ? 53 : 24);
        std::istringstream text(plugin.features != nullptr ? plugin.features : "");
        const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
        capabilities_.features = features_of_list(words, [&](const std::string& word) {
            throw InputError(path + ": features", word, "names that `kvcheck list` shows");
        });
        if (const std::string both = contradiction_in(capabilities_.features); !both.empty())
            throw InputError(path + ": features", both, "one of them");
        require(path, Feature::reset_row, "reset_row/1");
        require(path, Feature::truncate, "truncate/1");
        require(path, Feature::truncate_row, "truncate/1");
        require(path, Feature::reorder, "reorder/1");
        require(path, Feature::fork, "fork/1");
        require(path, Feature::finish, "finish/1");
        require(path, Feature::evict, "evict/1");
        require(path, Feature::shift, "shift/1");
        require(path, Feature::save, "save/1");
        require(path, Feature::cross, "cross/1");
        require(path, Feature::admission, "admission/1");
        require(path, Feature::prefix_reuse, "prefix_reuse/1");
        require(path, Feature::weak_prefix_hash, "weak_prefix_hash/1");
        require(path, Feature::weights, "weights/1");
        require(path, Feature::log_sum_exp, "log_sum_exp/1");
        require(path, Feature::kv_export, "kv_export/1");
        require(path, Feature::poison_unused, "poison_unused/1");
        if (const auto* c = extension<kvcheck_profile>(plugin, "profile/1")) adopt(*c, path);
    }

    const Capabilities& capabilities() const override { return capabilities_; }

    Opened open(const Spec& spec, const Parameters& parameters) override {
        return opened(spec, parameters,
                      [&](auto... arguments) { return plugin_.open(arguments...); });
    }

    Opened load(const Spec& spec, const Parameters& parameters,
                std::span<const std::byte> bytes) override {
        const auto* table = extension<kvcheck_save>(plugin_, "save/1");
        if (table == nullptr) return Subject::load(spec, parameters, bytes);
        return opened(spec, parameters, [&](auto* c, auto* p, auto... rest) {
            return table->load(c, p, bytes.data(), bytes.size(), rest...);
        });
    }

private:
    template <class Open>
    Opened opened(const Spec& spec, const Parameters& parameters, const Open& open) const {
        const kvcheck_spec c = c_spec(spec);
        const kvcheck_parameters p = c_parameters(spec, parameters);
        kvcheck_session* session = nullptr;
        Message message;
        const Status status =
            message.status(open(&c, &p, &session, message.data(), message.size()));
        if (!status.ok()) return {status, nullptr};
        return {status, std::make_unique<PluginSession>(plugin_, session)};
    }

    void require(const std::string& path, Feature feature, const char* name) const {
        if (!capabilities_.features.has(feature) || extension<void>(plugin_, name) != nullptr)
            return;
        throw InputError(
            path, "the feature " + std::string(name_of(feature)) + " without the extension " + name,
            "the extension, or features without it");
    }

    void adopt(const kvcheck_profile& c, const std::string& path) {
        NumericProfile& profile = capabilities_.profile;
        // A field that is missing here does not compile; the digits follow from the element type.
        auto& [digits, flush_to_zero, exp_ulps, log_ulps, tanh_ulps, divide_ulps, scale_roundings,
               difference_roundings, shift_roundings, rescale_block, merge_levels,
               merge_without_division, reference_slack, score_input_error, weight_error,
               position_table_error] = profile;
        flush_to_zero = c.flush_to_zero != 0;
        exp_ulps = c.exp_ulps;
        log_ulps = c.log_ulps;
        if (c.tanh_ulps != 0) tanh_ulps = c.tanh_ulps;
        divide_ulps = c.divide_ulps;
        scale_roundings = c.scale_roundings;
        difference_roundings = c.difference_roundings;
        shift_roundings = c.shift_roundings;
        rescale_block = c.rescale_block;
        merge_levels = c.merge_levels;
        merge_without_division = c.merge_without_division != 0;
        reference_slack = c.reference_slack;
        score_input_error = c.score_input_error;
        weight_error = c.weight_error;
        position_table_error = c.position_table_error;
        validate(profile, path + ": profile/1");
    }

    const kvcheck_plugin plugin_;
    Capabilities capabilities_;
};

}  // namespace

std::unique_ptr<Subject> make_plugin(const std::string& path) {
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        std::string why = dlerror();
        if (why.rfind(path + ": ", 0) == 0) why.erase(0, path.size() + 2);
        throw InputError(path, why, "a shared library that can be loaded");
    }
    using Entry = const kvcheck_plugin* (*)();
    const auto entry = reinterpret_cast<Entry>(dlsym(library, "kvcheck_plugin_entry"));
    if (entry == nullptr)
        throw InputError(path, "no such symbol", "the symbol kvcheck_plugin_entry");
    const kvcheck_plugin* const table = entry();
    if (table == nullptr)
        throw InputError(path, "NULL from kvcheck_plugin_entry", "a plug-in table");
    if (table->abi_version != KVCHECK_ABI_VERSION) {
        throw InputError(path, "interface version " + std::to_string(table->abi_version),
                         "version " + std::to_string(KVCHECK_ABI_VERSION));
    }
    const kvcheck_plugin plugin = known_part(*table, path);
    if (plugin.open == nullptr || plugin.append == nullptr || plugin.reset == nullptr ||
        plugin.lengths == nullptr || plugin.close == nullptr) {
        throw InputError(path, "a table with empty entries",
                         "open, append, reset, lengths and close");
    }
    return std::make_unique<PluginSubject>(plugin, path);
}

}  // namespace kvcheck
