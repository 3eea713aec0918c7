// SPDX-License-Identifier: Apache-2.0
// The keys and values of one row, in memory that is allocated ahead and grows by doubling. Growth
// never changes an entry; memory beyond the length is never read. Narrow storage keeps numbers of a
// narrow format in entries of the usual width, as a book would.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "impl/plain/rules.hpp"
#include "impl/saved_state.hpp"
#include "model/types/spec.hpp"

namespace kvcheck {

template <class Scalar>
class RowCache {
public:
    using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

    RowCache(const Spec& spec, const PlainMemory& rules)
        : rules_(rules),
          heads_(spec.kv_heads),
          key_width_(spec.key_width),
          value_width_(spec.value_width),
          capacity_(spec.capacity) {}

    /// A row of its own with the same past; what is copied otherwise shares memory until it grows.
    RowCache copy() const {
        RowCache own = *this;
        own.memory_ = std::make_shared<Memory>(*memory_);
        return own;
    }

    Index length() const { return Index(real_.size()); }
    const std::vector<bool>& real() const { return real_; }
    const std::vector<bool>& evicted() const { return evicted_; }
    /// [length] the slot that each follows, -1 for none.
    const std::vector<Index>& parents() const { return parents_; }
    bool is_finished() const { return finished_; }
    /// By how much its ids are lowered.
    Index shift() const { return shift_; }
    void set_shift(Index by) { shift_ = by; }

    /// A call begins; the longest row has so many slots.
    void starts_call(Index longest) {
        if (rules_.appends == PlainMemory::Appends::behind_longest_row) end_ = longest;
    }
    /// The call has brought keys [count][Hkv*Dk] and values [count][Hkv*Dv] to slot `first` and the
    /// following.
    template <class Matrix>
    void ends_call(Index first, const Matrix& keys, const Matrix& values) {
        for (Index t = 0; t < keys.rows() && !rules_.padding_in_its_slot; ++t) {
            if (!real_[std::size_t(first + t)]) write(length() - 1, keys.row(t), values.row(t));
        }
    }

    /// Stores one token: k[Hkv*Dk], v[Hkv*Dv].
    template <class Key, class Value>
    void append(bool real, Index parent, const Key& key, const Value& value) {
        const bool at_length = rules_.appends == PlainMemory::Appends::at_length;
        const Index slot = at_length ? length() : std::max(length(), end_);
        while (slot >= allocated_ && allocated_ < capacity_) grow();
        if (slot < allocated_) write(slot, key, value);
        end_ = slot + 1;
        real_.push_back(real);
        parents_.push_back(parent);
        evicted_.push_back(false);
    }

    void truncate(Index length) {
        real_.resize(std::size_t(length));
        parents_.resize(std::size_t(length));
        evicted_.resize(std::size_t(length));
    }
    void evict(Index begin, Index end) {
        std::fill(evicted_.begin() + begin, evicted_.begin() + end, true);
    }
    void show_evicted() { evicted_.assign(evicted_.size(), false); }
    void finish() { finished_ = true; }
    /// Finished no more.
    void go_on() { finished_ = false; }
    /// Its slots have the values of another row.
    void take_values(const RowCache& other) {
        for (Index head = 0; head < heads_; ++head) {
            const Index slots = std::min(length(), other.length());
            std::copy_n(other.memory_->values.data() + head * other.allocated_ * value_width_,
                        slots * value_width_, value_at(head, 0));
        }
    }
    /// A slot more that holds what `slot` holds.
    void append_again(Index slot) {
        Vector key(heads_ * key_width_);
        Vector value(heads_ * value_width_);
        for (Index head = 0; head < heads_; ++head) {
            key.segment(head * key_width_, key_width_) = this->key(head, slot);
            value.segment(head * value_width_, value_width_) = this->value(head, slot);
        }
        append(real_[std::size_t(slot)], length() - 1, key, value);
    }

    Eigen::Map<const Vector> key(Index head, Index slot) const {
        return {memory_->keys.data() + (head * allocated_ + slot) * key_width_, key_width_};
    }
    Eigen::Map<const Vector> value(Index head, Index slot) const {
        return {memory_->values.data() + (head * allocated_ + slot) * value_width_, value_width_};
    }

    std::span<Scalar> key_numbers(Index head, Index slot) {
        return {key_at(head, slot), std::size_t(key_width_)};
    }
    std::span<Scalar> value_numbers(Index head, Index slot) {
        return {value_at(head, slot), std::size_t(value_width_)};
    }

    void reset() {
        truncate(0);
        finished_ = false;
        shift_ = 0;
        end_ = 0;
    }

    /// Writes `row`, which says what is kept of these slots, and their keys and values.
    void save(const SavedSlots& row, StateWriter& state) const {
        const auto slots = Index(row.real.size());
        state.number(slots);
        state.flags(row.real);
        state.flags(row.evicted);
        state.flags({row.finished});
        state.number(row.shift);
        for (Index slot = 0; slot < slots; ++slot) {
            const bool is_known = slot < Index(row.parents.size());
            state.number(is_known ? row.parents[std::size_t(slot)] : slot - 1);
            for (Index head = 0; head < heads_; ++head) {
                // Slots that are made up hold zeros.
                const bool held = slot < length();
                const Vector key = held ? Vector(this->key(head, slot)) : Vector::Zero(key_width_);
                const Vector value =
                    held ? Vector(this->value(head, slot)) : Vector::Zero(value_width_);
                state.bytes(key.data(), std::size_t(key_width_) * sizeof(Scalar));
                state.bytes(value.data(), std::size_t(value_width_) * sizeof(Scalar));
            }
        }
    }

    /// Reads what save() wrote into a row without tokens.
    void load(StateReader& state) {
        const Index slots = state.number(0, capacity_);
        const std::vector<bool> real = state.flags(slots);
        const std::vector<bool> evicted = state.flags(slots);
        const bool finished = state.flags(1).front();
        const Index shift = state.number(0, extent_max);
        Vector key(heads_ * key_width_);
        Vector value(heads_ * value_width_);
        for (std::size_t slot = 0; slot < real.size() && state.ok(); ++slot) {
            const Index parent = state.number(-1, Index(slot) - 1);
            for (Index head = 0; head < heads_; ++head) {
                state.bytes(key.data() + head * key_width_,
                            std::size_t(key_width_) * sizeof(Scalar));
                state.bytes(value.data() + head * value_width_,
                            std::size_t(value_width_) * sizeof(Scalar));
            }
            append(real[slot], parent, key, value);
        }
        if (!state.ok()) return;
        evicted_ = evicted;
        finished_ = finished;
        shift_ = shift;
    }

    void poison_unused(Scalar pattern) {
        for (Index head = 0; head < heads_; ++head) {
            std::fill(key_at(head, length()), key_at(head, allocated_), pattern);
            std::fill(value_at(head, length()), value_at(head, allocated_), pattern);
        }
    }

private:
    struct Memory {
        std::vector<Scalar> keys;    // [heads][allocated][key_width]
        std::vector<Scalar> values;  // [heads][allocated][value_width]
    };

    Scalar* key_at(Index head, Index slot) {
        return memory_->keys.data() + (head * allocated_ + slot) * key_width_;
    }
    Scalar* value_at(Index head, Index slot) {
        return memory_->values.data() + (head * allocated_ + slot) * value_width_;
    }

    template <class Key, class Value>
    void write(Index slot, const Key& key, const Value& value) {
        for (Index head = 0; head < heads_; ++head) {
            std::copy_n(key.data() + head * key_width_, key_width_, key_at(head, slot));
            std::copy_n(value.data() + head * value_width_, value_width_, value_at(head, slot));
        }
    }

    void grow() {
        constexpr Index allocated_first = 4;
        const Index larger = std::min(capacity_, std::max(allocated_first, 2 * allocated_));
        std::vector<Scalar> keys(std::size_t(heads_ * larger * key_width_));
        std::vector<Scalar> values(std::size_t(heads_ * larger * value_width_));
        const Index step = rules_.heads_apart ? larger : allocated_;
        for (Index head = 0; head < heads_; ++head) {
            std::copy_n(key_at(head, 0), allocated_ * key_width_,
                        keys.data() + head * step * key_width_);
            std::copy_n(value_at(head, 0), allocated_ * value_width_,
                        values.data() + head * step * value_width_);
        }
        memory_ = std::make_shared<Memory>(Memory{std::move(keys), std::move(values)});
        allocated_ = larger;
    }

    PlainMemory rules_;
    Index heads_;
    Index key_width_;
    Index value_width_;
    Index capacity_;
    Index allocated_ = 0;
    std::shared_ptr<Memory> memory_ = std::make_shared<Memory>();
    std::vector<bool> real_;      // [length]
    std::vector<Index> parents_;  // [length]
    std::vector<bool> evicted_;   // [length]
    bool finished_ = false;
    Index shift_ = 0;
    Index end_ = 0;  // of what was appended last
};

}  // namespace kvcheck
