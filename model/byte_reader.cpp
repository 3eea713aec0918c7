// SPDX-License-Identifier: Apache-2.0
// Bytes of a file as numbers (declared in byte_reader.hpp).
#include "model/byte_reader.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "model/types/error.hpp"
#include "model/types/ieee.hpp"

namespace kvcheck {

static_assert(std::endian::native == std::endian::little);

ByteReader::ByteReader(const std::string& path, std::uint64_t bytes_max) : path_(path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        throw InputError(path, "no such file", "a file that can be read");
    }
    const std::uint64_t size = std::filesystem::file_size(path, error);
    if (error) throw InputError(path, error.message(), "a file that can be read");
    if (size > bytes_max) {
        throw InputError(path, std::to_string(size) + " bytes",
                         "at most " + std::to_string(bytes_max));
    }
    bytes_.resize(size);
    std::ifstream stream(path, std::ios::binary);
    stream.read(bytes_.data(), std::streamsize(size));
    if (!stream || std::uint64_t(stream.gcount()) != size) {
        throw InputError(path, "a file that ends while it is read", "a file that can be read");
    }
}

void ByteReader::fail(const std::string& name, const std::string& found,
                      const std::string& expected) const {
    throw InputError(path_ + ", " + name, found, expected);
}

const char* ByteReader::take(const std::string& name, Index count) {
    if (count < 0 || std::uint64_t(count) > left()) {
        fail(name + " at byte " + std::to_string(at_), std::to_string(left()) + " bytes to the end",
             std::to_string(count));
    }
    const char* const begin = bytes_.data() + at_;
    at_ += std::uint64_t(count);
    return begin;
}

Index ByteReader::integer(const std::string& name, Index least, Index most) {
    std::int32_t value = 0;
    std::memcpy(&value, take(name, sizeof value), sizeof value);
    if (value < least || value > most) {
        fail(name, std::to_string(value),
             "an integer from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return value;
}

std::vector<float> ByteReader::floats(const std::string& name, Index count) {
    constexpr Index count_max = Index{1} << 60;  // so that the bytes can be counted
    if (count < 0 || count > count_max) fail(name, "too many numbers", "what a file can hold");
    const char* const begin = take(name, count * Index(sizeof(float)));
    std::vector<float> values(std::size_t(count), 0);
    if (count > 0) std::memcpy(values.data(), begin, values.size() * sizeof(float));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isfinite(values[i])) continue;
        fail(name + "[" + std::to_string(i) + "]", float_text(values[i]), "finite numbers");
    }
    return values;
}

std::string ByteReader::text(const std::string& name, Index count) {
    return {take(name, count), std::size_t(count)};
}

void ByteReader::skip(const std::string& name, Index bytes) { take(name, bytes); }

void ByteReader::expect_end() const {
    if (left() == 0) return;
    fail("the end", std::to_string(left()) + " bytes more", "none");
}

}  // namespace kvcheck
