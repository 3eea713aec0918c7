// SPDX-License-Identifier: Apache-2.0
#include "tests/vectors/protobuf.hpp"

#include <bit>

#include "model/types/assert.hpp"
#include "model/types/error.hpp"

namespace kvcheck::vectors {

std::uint64_t little_endian(std::string_view bytes, std::size_t size) {
    KVCHECK_ASSERT(size <= 8 && bytes.size() >= size);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
        value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    }
    return value;
}

Message::Message(std::string_view bytes, std::string place) : place_(std::move(place)) {
    while (!bytes.empty()) fields_.push_back(take_field(bytes));
}

void Message::fail(const std::string& found, const std::string& expected) const {
    throw InputError(place_, found, expected);
}

void Message::wrong_kind(const Field& field) const {
    fail("field " + std::to_string(field.number) + " of wire type " +
             std::to_string(int(field.kind)),
         "the wire type that its meaning asks for");
}

std::uint64_t Message::take_varint(std::string_view& rest) const {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        const std::uint64_t byte = little_endian(take_bytes(rest, 1), 1);
        const std::uint64_t digit = byte & 0x7f;
        if (shift == 63 && digit > 1) fail("an integer beyond 64 bits", "at most 64 bits");
        value |= digit << shift;
        if (byte < 0x80) return value;
    }
    fail("an integer of more than ten bytes", "at most ten");
}

std::string_view Message::take_bytes(std::string_view& rest, std::uint64_t size) const {
    if (size > rest.size()) {
        fail(std::to_string(rest.size()) + " bytes to the end", std::to_string(size));
    }
    const std::string_view bytes = rest.substr(0, std::size_t(size));
    rest.remove_prefix(std::size_t(size));
    return bytes;
}

Message::Field Message::take_field(std::string_view& rest) const {
    const std::uint64_t tag = take_varint(rest);
    Field field;
    field.number = tag >> 3;
    if (field.number == 0) fail("a field of number 0", "a positive number");
    switch (tag & 7) {
        case 0:
            field.integer = take_varint(rest);
            return field;
        case 1:
            field.kind = Kind::eight_bytes;
            field.bytes = take_bytes(rest, 8);
            return field;
        case 2:
            field.kind = Kind::run;
            field.bytes = take_bytes(rest, take_varint(rest));
            return field;
        case 5:
            field.kind = Kind::four_bytes;
            field.bytes = take_bytes(rest, 4);
            return field;
        default:
            fail("wire type " + std::to_string(tag & 7), "0, 1, 2 or 5");
    }
}

std::vector<std::uint64_t> Message::integers(std::uint64_t number) const {
    std::vector<std::uint64_t> list;
    for (const Field& field : fields_) {
        if (field.number != number) continue;
        if (field.kind == Kind::varint) {
            list.push_back(field.integer);
        } else if (field.kind == Kind::run) {
            std::string_view rest = field.bytes;
            while (!rest.empty()) list.push_back(take_varint(rest));
        } else {
            wrong_kind(field);
        }
    }
    return list;
}

std::vector<float> Message::floats(std::uint64_t number) const {
    std::vector<float> list;
    for (const Field& field : fields_) {
        if (field.number != number) continue;
        if (field.kind != Kind::four_bytes && field.kind != Kind::run) wrong_kind(field);
        std::string_view rest = field.bytes;
        while (!rest.empty()) {
            const std::uint64_t bits = little_endian(take_bytes(rest, 4), 4);
            list.push_back(std::bit_cast<float>(std::uint32_t(bits)));
        }
    }
    return list;
}

std::vector<std::string_view> Message::runs(std::uint64_t number) const {
    std::vector<std::string_view> list;
    for (const Field& field : fields_) {
        if (field.number != number) continue;
        if (field.kind != Kind::run) wrong_kind(field);
        list.push_back(field.bytes);
    }
    return list;
}

std::uint64_t Message::integer_or(std::uint64_t number, std::uint64_t absent) const {
    const std::vector<std::uint64_t> list = integers(number);
    return list.empty() ? absent : list.back();
}

std::string Message::string_or(std::uint64_t number, const std::string& absent) const {
    const std::vector<std::string_view> list = runs(number);
    return list.empty() ? absent : std::string(list.back());
}

}  // namespace kvcheck::vectors
