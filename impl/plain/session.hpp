// SPDX-License-Identifier: Apache-2.0
// The textbook session: read `append_row` first. Internal to the textbook subject.
#pragma once

#include <optional>

#include "impl/admission.hpp"
#include "impl/plain/attention.hpp"
#include "impl/plain/narrow.hpp"
#include "impl/plain/prefixes.hpp"
#include "impl/plain/projector.hpp"
#include "impl/plain/rotation.hpp"
#include "impl/plain/row_cache.hpp"
#include "impl/plain/row_commands.hpp"
#include "impl/plain/rules.hpp"
#include "impl/plain/shift.hpp"
#include "impl/plain/shown.hpp"
#include "impl/plain/storage.hpp"
#include "impl/plain/views.hpp"
#include "impl/saved_state.hpp"
#include "impl/subject.hpp"

namespace kvcheck {

template <class Scalar>
constexpr ElementType element_of = sizeof(Scalar) == 4 ? ElementType::f32 : ElementType::f64;

template <class Scalar>
class PlainSession final : public Session {
    using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

    struct Projectors {
        Projector<Scalar> query, key, value, output;
    };

    /// One row's share of a call, ready for attention.
    struct Chunk {
        Matrix query;  // [count][H*Dk]
        Matrix key;    // [count][Hkv*Dk]
        Matrix value;  // [count][Hkv*Dv]
    };

public:
    PlainSession(const Spec& spec, const Parameters& parameters,
                 std::shared_ptr<const PlainRules> rules,
                 std::shared_ptr<PlainPrefixes<Scalar>> prefixes = nullptr)
        : spec_(spec),
          rules_(std::move(rules)),
          attention_(spec, parameters, rules_),
          fingerprint_(rules_->knows_its_parameters() ? fingerprint_of(parameters) : 0),
          rows_(std::size_t(spec.rows), RowCache<Scalar>(spec, rules_->memory())),
          prefixes_(prefixes ? std::move(prefixes)
                             : std::make_shared<PlainPrefixes<Scalar>>(rules_->prefixes())),
          positions_(position_count(spec, parameters)),
          rotary_table_(parameters.rotary_table) {
        if (spec.level == Level::attention) return;
        const Index width = spec.model_width;
        using One = Projector<Scalar>;
        projectors_.emplace(Projectors{One(parameters.query, width), One(parameters.key, width),
                                       One(parameters.value, width),
                                       One(parameters.output, spec.attended_size())});
        position_table_ = Eigen::Map<const Eigen::Matrix<float, -1, -1, Eigen::RowMajor>>(
                              parameters.position_table.data(),
                              spec.position_signal == PositionSignal::none ? 0 : positions_, width)
                              .template cast<Scalar>();
    }

    Status append(const AppendCall& call) override {
        std::vector<Index> lengths;
        for (const auto& row : rows_) lengths.push_back(row.length());
        std::string objection = objection_to(call, spec_, element_of<Scalar>, lengths);
        for (std::size_t r = 0; r < rows_.size() && objection.empty(); ++r) {
            if (rows_[r].is_finished() && call.counts[r] > 0) objection = "counts: a finished row";
        }
        if (objection.empty() && !ids_fit(call))
            objection = "a token's id is below zero, or beyond the position table";
        if (!objection.empty()) return Status::refused(objection);
        const Index past_of_first_row = lengths.front();
        const Index longest = *std::max_element(lengths.begin(), lengths.end());
        for (Index r = 0; r < spec_.rows; ++r) {
            rows_[std::size_t(r)].starts_call(longest);
            append_row(call, r, past_of_first_row);
        }
        return Status::done();
    }

    Status ask(const AppendCall& call) override {
        const std::string objection = objection_to_ask(call, spec_, element_of<Scalar>);
        if (!objection.empty()) return Status::refused(objection);
        for (Index r = 0; r < spec_.rows; ++r) ask_row(call, r);
        return Status::done();
    }

    Status apply(const Lifecycle& command) override {
        const std::string objection =
            kvcheck::apply(*rules_, command, rows_, [this](RowCache<Scalar>& row, Index by) {
                return kvcheck::shift(spec_, *rules_, rotary_table_, positions_, row, by);
            });
        if (!objection.empty()) return Status::refused(objection);
        const auto* const reset = std::get_if<Reset>(&command);
        if (reset != nullptr && !reset->row && rules_->prefixes().end_with_reset)
            prefixes_->clear();
        spec_.rows = Index(rows_.size());
        return Status::done();
    }

    Status admits(std::span<const Index> counts, bool& fits) override {
        const std::string objection = objection_to_counts(counts, spec_.rows);
        if (!objection.empty()) return Status::refused(objection);
        const AdmissionRules rules = rules_->admission();
        fits = true;
        for (std::size_t r = 0; r < (rules.every_row ? rows_.size() : 1); ++r) {
            const Index held = rules.length ? rows_[r].length() : 0;
            const bool is_over = rules.finished && rows_[r].is_finished();
            fits = fits && counts[r] <= (is_over ? 0 : spec_.capacity - held);
        }
        return Status::done();
    }

    Status publish(Index row, const PrefixKey& key) override {
        if (row < 0 || row >= spec_.rows) return Status::refused("no such row");
        return told(prefixes_->publish(rows_[std::size_t(row)], key));
    }

    Status reuse(Index row, const PrefixKey& key, Index& slots) override {
        if (row < 0 || row >= spec_.rows) return Status::refused("no such row");
        return told(prefixes_->reuse(rows_[std::size_t(row)], key, slots));
    }

    Status weaken_prefix_hash() override { return told(prefixes_->weaken_hash()); }

    Status numbers(std::span<RowNumbers> numbers) override {
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            const Index next = unshifted_id(spec_, rows_[r], rows_[r].length() - 1);
            numbers[r] = numbers_of(rows_[r], next - lowered(rows_[r]));
        }
        return Status::done();
    }

    Status export_kv(Index row, const OutputView& key, const OutputView& value) override {
        if (row < 0 || row >= spec_.rows) return Status::refused("export_kv: no such row");
        return told(kvcheck::export_kv(spec_, rows_[std::size_t(row)], key, value));
    }

    Status save(std::vector<std::byte>& bytes) override {
        StateWriter state;
        for (const auto& row : rows_) {
            const SavedSlots all{row.real(), row.evicted(), row.parents(), row.is_finished(),
                                 row.shift()};
            row.save(rules_->saved(spec_, all), state);
        }
        bytes = state.sealed(state_label());
        return Status::done();
    }

    /// Needs: newly opened.
    Status load(std::span<const std::byte> bytes) {
        const bool checked = rules_->checks_the_sum();
        StateReader state(bytes, state_label(),
                          checked ? StateReader::Sum::checked : StateReader::Sum::ignored);
        for (std::size_t r = 0; r < rows_.size() && state.ok(); ++r) rows_[r].load(state);
        if (state.ok()) state.end();
        return told(state.ok() ? std::string() : state.objection());
    }

    Status poison_unused(double pattern) override {
        for (auto& row : rows_) row.poison_unused(Scalar(pattern));
        return Status::done();
    }

private:
    static Status told(const std::string& objection) {
        return objection.empty() ? Status::done() : Status::refused(objection);
    }

    StateLabel state_label() const {
        const std::string_view name = sizeof(Scalar) == sizeof(float) ? "plain f32" : "plain f64";
        return label_of(name, spec_, fingerprint_);
    }

    /// What is taken off the ids of tokens to come.
    Index lowered(const RowCache<Scalar>& row) const {
        return rules_->shift().later_ids ? row.shift() : 0;
    }

    /// The row of a table, where the rules name the id before any shift.
    Index table_row(Index id, const RowCache<Scalar>& row) const {
        return std::max<Index>(id - lowered(row), 0);
    }

    /// Which of a row's slots hold real tokens once row r of the call is appended.
    std::vector<bool> real_after(const AppendCall& call, Index r) const {
        std::vector<bool> real = rows_[std::size_t(r)].real();
        const Index tokens = call.output.shape.extent[1];
        for (Index t = 0; t < call.counts[std::size_t(r)]; ++t) {
            real.push_back(call.real[std::size_t(r * tokens + t)] != 0);
        }
        return real;
    }

    /// Likewise, which slot each follows; empty where each follows the one before it.
    std::vector<Index> parents_after(const AppendCall& call, Index r) const {
        std::vector<Index> parents = rows_[std::size_t(r)].parents();
        const Index tokens = call.output.shape.extent[1];
        for (Index t = 0; t < call.counts[std::size_t(r)]; ++t) {
            const Index back = call.back ? (*call.back)[std::size_t(r * tokens + t)] : 1;
            parents.push_back(Index(parents.size()) - back);
        }
        bool is_tree = false;
        for (std::size_t slot = 0; slot < parents.size(); ++slot) {
            is_tree = is_tree || parents[slot] != Index(slot) - 1;
        }
        if (!is_tree) parents.clear();
        return parents;
    }

    bool ids_fit(const AppendCall& call) const {
        for (Index r = 0; r < spec_.rows; ++r) {
            const std::vector<bool> real = real_after(call, r);
            const std::vector<Index> parents = parents_after(call, r);
            const RowCache<Scalar>& row = rows_[std::size_t(r)];
            const Index past = row.length();
            for (Index t = 0; t < call.counts[std::size_t(r)]; ++t) {
                const TokenPlace place{spec_, t, past, real, row.evicted(), parents};
                const bool only_real = spec_.position_ids != PositionIds::slot;
                if (row.shift() > 0 && ancestors(place, only_real) < row.shift()) return false;
                if (!spec_.reads_a_table()) continue;
                const Index id = std::max(rules_->position_id(place, spec_.position_ids),
                                          rules_->key_id(place, spec_.position_ids));
                if (table_row(id, row) >= positions_) return false;
            }
        }
        return true;
    }

    void append_row(const AppendCall& call, Index r, Index past_of_first_row) {
        RowCache<Scalar>& cache = rows_[std::size_t(r)];
        const Index count = call.counts[std::size_t(r)];
        const Index past = cache.length();
        const std::vector<bool> real = real_after(call, r);
        const std::vector<bool> evicted = cache.evicted();
        const std::vector<Index> parents = parents_after(call, r);
        const auto place_of = [&](Index t) {
            return TokenPlace{spec_, t, past, real, evicted, parents, past_of_first_row};
        };
        Chunk chunk =
            spec_.level == Level::layer ? project(call, r, count, place_of) : read(call, r, count);
        for (Index t = 0; t < count && spec_.rotary != Rotary::none; ++t) {
            const TokenPlace place = place_of(t);
            const PositionIds ids = spec_.position_ids;
            rotate(chunk.query.row(t), table_row(rules_->position_id(place, ids), cache));
            rotate(chunk.key.row(t), table_row(rules_->key_id(place, ids), cache));
        }
        for (Index t = 0; t < count; ++t) {
            cache.append(real[std::size_t(past + t)], place_of(t).parent(), chunk.key.row(t),
                         chunk.value.row(t));
        }
        const bool is_narrow = spec_.storage != Storage::element;
        const bool at_once = rules_->stores_before_it_attends();
        if (is_narrow) narrow(cache, spec_, *rules_, Stored::key, past);
        if (is_narrow && at_once) narrow(cache, spec_, *rules_, Stored::value, past);
        cache.ends_call(past, chunk.key, chunk.value);
        const Matrix attended = attend(call, r, chunk.query, place_of);
        if (is_narrow && !at_once) narrow(cache, spec_, *rules_, Stored::value, past);
        write_row<Scalar>(call.output, r, projectors_ ? projectors_->output(attended) : attended);
    }

    /// The queries stand behind the row's last slot, where they see all of it.
    void ask_row(const AppendCall& call, Index r) {
        const AskRules rules = rules_->ask();
        const RowCache<Scalar>& cache = rows_[std::size_t(r)];
        Spec spec = spec_;
        if (!rules.window) spec.window.reset();
        std::vector<bool> real = cache.real();
        if (rules.padding) real.assign(real.size(), true);
        const Index count = call.counts[std::size_t(r)];
        const Matrix query = projectors_ ? projectors_->query(read_x<Scalar>(call.x, r, count))
                                         : read_row<Scalar>(call.query, r, count);
        const std::vector<Index> parents;
        const Index past = rules.causal ? 0 : cache.length();
        const Matrix attended = attend(AppendCall(), r, query, [&](Index t) {
            return TokenPlace{spec, t, past, real, cache.evicted(), parents};
        });
        write_row<Scalar>(call.output, r, projectors_ ? projectors_->output(attended) : attended);
    }

    /// Of queries [count][H*Dk] of row r, whose places are place_of(t): [count][H*Dv].
    template <class PlaceOf>
    Matrix attend(const AppendCall& call, Index r, const Matrix& query,
                  const PlaceOf& place_of) const {
        Matrix attended(query.rows(), spec_.attended_size());
        for (Index t = 0; t < query.rows(); ++t) {
            for (Index head = 0; head < spec_.query_heads; ++head) {
                attended.row(t).segment(head * spec_.value_width, spec_.value_width) =
                    attention_(call, r, head, rows_[std::size_t(r)], place_of(t),
                               query.row(t).segment(head * spec_.key_width, spec_.key_width));
            }
        }
        return attended;
    }

    template <class Heads>
    void rotate(Heads heads, Index id) const {
        kvcheck::rotate<Scalar>(spec_, rules_->rotation(spec_),
                                rotary_table_.data() + id * spec_.turned_width(), heads);
    }

    template <class PlaceOf>
    Chunk project(const AppendCall& call, Index r, Index count, const PlaceOf& place_of) const {
        Matrix x = read_x<Scalar>(rules_->queries(call.x), r, count);
        for (Index t = 0; t < count && spec_.position_signal != PositionSignal::none; ++t) {
            x.row(t) += position_table_.row(table_row(
                rules_->position_id(place_of(t), spec_.position_ids), rows_[std::size_t(r)]));
        }
        return {projectors_->query(x), projectors_->key(x), projectors_->value(x)};
    }

    Chunk read(const AppendCall& call, Index r, Index count) const {
        return {read_row<Scalar>(rules_->queries(call.query), r, count),
                read_row<Scalar>(call.key, r, count), read_row<Scalar>(call.value, r, count)};
    }

    Spec spec_;
    std::shared_ptr<const PlainRules> rules_;
    PlainAttention<Scalar> attention_;
    std::uint64_t fingerprint_;  // of the parameters
    std::vector<RowCache<Scalar>> rows_;
    std::shared_ptr<PlainPrefixes<Scalar>> prefixes_;
    std::optional<Projectors> projectors_;  // layer level only
    Index positions_;                       // rows of the tables
    std::vector<float> rotary_table_;       // [positions][w]
    Matrix position_table_;                 // [positions][D]
};

}  // namespace kvcheck
