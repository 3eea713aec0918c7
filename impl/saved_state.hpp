// SPDX-License-Identifier: Apache-2.0
// The format in which the built-in subjects save their state: a head that says what the bytes are
// and whose, the subject's own words and arrays, and a checksum. A reader takes nothing for
// granted: whatever the bytes are, it stays within them and says what is wrong.
//
//      0   8 bytes "kvcsave" and the version of the format
//      8   word: whose state it is      16  word: of which spec and parameters
//      24  word: bytes of the body      32  the body         then  word: checksum of all before
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/types/parameters.hpp"
#include "model/types/spec.hpp"

namespace kvcheck {

/// What bytes must agree on with whoever loads them.
struct StateLabel {
    std::uint64_t subject = 0;
    std::uint64_t fingerprint = 0;
};

/// Equal for equal parameters, and different where one bit of one number differs, as far as 64 bits
/// go.
std::uint64_t fingerprint_of(const Parameters& parameters);

/// `subject` names the subject's format of the body; `parameters` is their fingerprint.
StateLabel label_of(std::string_view subject, const Spec& spec, std::uint64_t parameters);

class StateWriter {
public:
    StateWriter();
    void number(Index value);
    void bytes(const void* from, std::size_t count);
    /// One byte each.
    void flags(const std::vector<bool>& flags);
    /// The whole, closed by its checksum. No call follows.
    std::vector<std::byte> sealed(const StateLabel& label);

private:
    std::vector<std::byte> state_;
};

class StateReader {
public:
    /// What to do with a state whose checksum is wrong; a mutant does not refuse it.
    enum class Sum { checked, ignored };

    StateReader(std::span<const std::byte> state, const StateLabel& label, Sum sum = Sum::checked);

    /// Empty while all is as it must be; what was read after the first trouble means nothing.
    const std::string& objection() const { return objection_; }
    bool ok() const { return objection_.empty(); }
    void object(std::string why);

    /// A number that must be from `least` to `most`; `least` where it is not.
    Index number(Index least, Index most);
    /// Copies the next `count` bytes; nothing where there are fewer.
    void bytes(void* to, std::size_t count);
    std::vector<bool> flags(Index count);
    /// Objects where something is left.
    void end();

private:
    std::span<const std::byte> left_;  // of the body
    std::string objection_;
};

}  // namespace kvcheck
