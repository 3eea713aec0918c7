// SPDX-License-Identifier: Apache-2.0
// The ways of damage (declared in damaged_state.hpp).
#include "properties/drive/damaged_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "model/types/hash.hpp"

namespace kvcheck {
namespace {

using Bytes = std::vector<std::byte>;

class Damages {
public:
    Damages(const Bytes& saved, std::uint64_t seed)
        : saved_(saved), state_(mixed(seed, fnv_basis)) {}

    std::vector<DamagedState> all() {
        for (const std::size_t size : {std::size_t{0}, std::size_t{1}, saved_.size() / 2,
                                       below(saved_.size()), saved_.size() - 1}) {
            add(fmt::format("cut to {} of {} bytes", size, saved_.size()),
                [&](Bytes& bytes) { bytes.resize(std::min(size, bytes.size())); });
        }
        add("with a byte more", [](Bytes& bytes) { bytes.push_back(std::byte{0}); });
        add("twice in a row",
            [](Bytes& bytes) { bytes.insert(bytes.end(), bytes.begin(), bytes.end()); });
        if (saved_.empty()) return std::move(list_);
        flip(0);
        flip(saved_.size() - 1);
        constexpr int flips = 4;
        for (int n = 0; n < flips; ++n) flip(below(saved_.size()));
        fill(std::byte{0});
        fill(std::byte{0xff});
        exchange_words();
        // What may be a length, or how many.
        for (const Index change : {1, -1, 1 << 16}) change_word(change);
        return std::move(list_);
    }

private:
    using Index = std::int64_t;
    static constexpr std::size_t word_bytes = sizeof(Index);

    std::size_t below(std::size_t end) {
        state_ = mixed(list_.size() + 1, state_);
        return std::size_t((state_ >> 16U) % std::max<std::uint64_t>(end, 1));
    }
    std::size_t words() const { return saved_.size() / word_bytes; }

    template <class Change>
    void add(std::string what, const Change& change) {
        DamagedState damaged{std::move(what), saved_};
        change(damaged.bytes);
        if (damaged.bytes != saved_) list_.push_back(std::move(damaged));
    }

    void flip(std::size_t place) {
        const std::size_t bit = below(8);
        add(fmt::format("with bit {} of byte {} flipped", bit, place),
            [&](Bytes& bytes) { bytes[place] ^= std::byte(1U << bit); });
    }

    void fill(std::byte value) {
        const std::size_t begin = below(saved_.size());
        const std::size_t end = std::min(saved_.size(), begin + 1 + below(2 * word_bytes));
        add(fmt::format("with bytes {} to {} made {}", begin, end, std::to_integer<int>(value)),
            [&](Bytes& bytes) {
                std::fill(bytes.begin() + Index(begin), bytes.begin() + Index(end), value);
            });
    }

    void exchange_words() {
        const std::size_t a = below(words()) * word_bytes;
        const std::size_t b = below(words()) * word_bytes;
        if (words() < 2) return;
        add(fmt::format("with the words at {} and {} exchanged", a, b), [&](Bytes& bytes) {
            const auto first = bytes.begin() + Index(a);
            std::swap_ranges(first, first + Index(a == b ? 0 : word_bytes),
                             bytes.begin() + Index(b));
        });
    }

    void change_word(Index change) {
        const std::size_t place = below(words()) * word_bytes;
        if (words() == 0) return;
        add(fmt::format("with {} added to the word at {}", change, place), [&](Bytes& bytes) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data() + place, word_bytes);
            word += std::uint64_t(change);
            std::memcpy(bytes.data() + place, &word, word_bytes);
        });
    }

    const Bytes& saved_;
    std::uint64_t state_;
    std::vector<DamagedState> list_;
};

}  // namespace

std::vector<DamagedState> damaged_states(const std::vector<std::byte>& saved, std::uint64_t seed) {
    return Damages(saved, seed).all();
}

}  // namespace kvcheck
