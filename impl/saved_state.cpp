// SPDX-License-Identifier: Apache-2.0
// Head, body and checksum (declared in saved_state.hpp).
#include "impl/saved_state.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "model/types/arrays.hpp"
#include "model/types/hash.hpp"
#include "model/types/json.hpp"

namespace kvcheck {
namespace {

constexpr std::uint64_t word_bytes = sizeof(std::uint64_t);
constexpr std::size_t head_words = 4;
constexpr std::size_t head_bytes = head_words * word_bytes;
constexpr std::string_view magic = "kvcsave";
constexpr char version = 1;

std::uint64_t word_at(std::span<const std::byte> bytes, std::size_t place) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + place, std::min(bytes.size() - place, sizeof word));
    return word;
}

/// Two states that differ in one word never have the same. Turned at each step: a product keeps its
/// highest bit to itself, and two signs in a row would cancel.
std::uint64_t checksum(std::span<const std::byte> bytes) {
    std::uint64_t hash = mixed(bytes.size(), fnv_basis);
    for (std::size_t place = 0; place < bytes.size(); place += word_bytes)
        hash = std::rotl(mixed(word_at(bytes, place), hash), 29);
    return hash;
}

/// What is wrong with the bytes before the body is read.
std::string objection_to(std::span<const std::byte> state, const StateLabel& label,
                         StateReader::Sum sum) {
    if (state.size() < head_bytes + word_bytes) return "the state is cut off in its head";
    if (std::memcmp(state.data(), magic.data(), magic.size()) != 0) return "this is no saved state";
    const int found = std::to_integer<int>(state[magic.size()]);
    if (found != version) {
        return "the state has format " + std::to_string(found) + ", and " +
               std::to_string(int(version)) + " is read";
    }
    if (word_at(state, 3 * word_bytes) != state.size() - head_bytes - word_bytes)
        return "the state is cut off, or too long";
    const std::size_t end = state.size() - word_bytes;
    const bool is_whole = checksum(state.first(end)) == word_at(state, end);
    if (!is_whole && sum == StateReader::Sum::checked) return "the state is damaged";
    if (word_at(state, word_bytes) != label.subject) return "another subject saved this state";
    if (word_at(state, 2 * word_bytes) != label.fingerprint)
        return "the state belongs to another spec or to other parameters";
    return {};
}

}  // namespace

std::uint64_t fingerprint_of(const Parameters& parameters) {
    std::uint64_t hash = fnv_basis;
    for (const ParameterArray& array : parameter_arrays()) {
        const std::vector<float>& numbers = array.in(parameters);
        hash = mixed(numbers.size(), hash);
        for (const float number : numbers) hash = mixed(std::bit_cast<std::uint32_t>(number), hash);
    }
    return hash;
}

StateLabel label_of(std::string_view subject, const Spec& spec, std::uint64_t parameters) {
    return {fnv1a(subject), mixed(parameters, fnv1a(to_json(spec, Decimals::exact).dump()))};
}

StateWriter::StateWriter() : state_(head_bytes) {}

void StateWriter::number(Index value) { bytes(&value, sizeof value); }

void StateWriter::bytes(const void* from, std::size_t count) {
    const auto* const first = static_cast<const std::byte*>(from);
    state_.insert(state_.end(), first, first + count);
}

void StateWriter::flags(const std::vector<bool>& flags) {
    for (const bool flag : flags) state_.push_back(std::byte(flag ? 1 : 0));
}

std::vector<std::byte> StateWriter::sealed(const StateLabel& label) {
    std::memcpy(state_.data(), magic.data(), magic.size());
    state_[magic.size()] = std::byte(version);
    const std::uint64_t words[] = {label.subject, label.fingerprint, state_.size() - head_bytes};
    std::memcpy(state_.data() + word_bytes, words, sizeof words);
    const std::uint64_t sum = checksum(state_);
    bytes(&sum, sizeof sum);
    return std::move(state_);
}

StateReader::StateReader(std::span<const std::byte> state, const StateLabel& label, Sum sum)
    : objection_(objection_to(state, label, sum)) {
    if (ok()) left_ = state.subspan(head_bytes, state.size() - head_bytes - word_bytes);
}

void StateReader::object(std::string why) {
    if (ok()) objection_ = std::move(why);
}

Index StateReader::number(Index least, Index most) {
    Index value = least;
    bytes(&value, sizeof value);
    if (value >= least && value <= most) return value;
    object("the state holds " + std::to_string(value) + " where " + std::to_string(least) + " to " +
           std::to_string(most) + " may stand");
    return least;
}

void StateReader::bytes(void* to, std::size_t count) {
    if (count > left_.size()) return object("the state ends too early");
    if (count > 0) std::memcpy(to, left_.data(), count);
    left_ = left_.subspan(count);
}

std::vector<bool> StateReader::flags(Index count) {
    std::vector<bool> flags;
    for (Index n = 0; n < count && ok(); ++n) {
        std::uint8_t byte = 0;
        bytes(&byte, 1);
        if (byte > 1) object("the state holds a flag that is neither 0 nor 1");
        flags.push_back(byte == 1);
    }
    flags.resize(std::size_t(count));
    return flags;
}

void StateReader::end() {
    if (!left_.empty()) object("the state goes on where it should end");
}

}  // namespace kvcheck
