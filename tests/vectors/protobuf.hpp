// SPDX-License-Identifier: Apache-2.0
// The protobuf wire format, as far as files of other projects need it: a message is a list of
// numbered fields, each an integer, four or eight bytes, or a run of bytes that may be a message
// again. Total over bytes: whatever is malformed is an InputError, nothing is read outside the
// bytes at hand, and no recursion is left to them. Groups, which protobuf gave up, are refused.
// What the numbers of the fields mean is not known here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kvcheck::vectors {

class Message {
public:
    /// Parses one level; keeps views into `bytes`, which must outlive it. `place` opens messages.
    Message(std::string_view bytes, std::string place);

    const std::string& place() const { return place_; }

    /// The elements of a repeated field, packed or not, in order.
    std::vector<std::uint64_t> integers(std::uint64_t number) const;
    std::vector<float> floats(std::uint64_t number) const;
    /// Strings, byte arrays or messages.
    std::vector<std::string_view> runs(std::uint64_t number) const;

    /// A field that may be given once; protobuf lets the last one win.
    std::uint64_t integer_or(std::uint64_t number, std::uint64_t absent) const;
    std::string string_or(std::uint64_t number, const std::string& absent) const;

    [[noreturn]] void fail(const std::string& found, const std::string& expected) const;

private:
    enum class Kind : std::uint8_t { varint = 0, eight_bytes = 1, run = 2, four_bytes = 5 };

    struct Field {
        std::uint64_t number = 0;
        Kind kind = Kind::varint;
        std::uint64_t integer = 0;  // varint
        std::string_view bytes;     // the other kinds
    };

    std::uint64_t take_varint(std::string_view& rest) const;
    std::string_view take_bytes(std::string_view& rest, std::uint64_t size) const;
    Field take_field(std::string_view& rest) const;
    [[noreturn]] void wrong_kind(const Field& field) const;

    std::string place_;
    std::vector<Field> fields_;
};

/// `size` bytes, at most eight, least significant first; needs that many.
std::uint64_t little_endian(std::string_view bytes, std::size_t size);

}  // namespace kvcheck::vectors
