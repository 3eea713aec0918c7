// SPDX-License-Identifier: Apache-2.0
// A binary file of little-endian numbers, read from its beginning: every number is asked for by
// name, and what is missing or not as it must be is an InputError that names file, field and byte.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/types/spec.hpp"

namespace kvcheck {

class ByteReader {
public:
    /// Reads the whole file. Throws InputError where there is none or it has more than `bytes_max`.
    ByteReader(const std::string& path, std::uint64_t bytes_max);

    std::uint64_t size() const { return bytes_.size(); }
    std::uint64_t left() const { return bytes_.size() - at_; }

    /// A 32-bit integer from least to most.
    Index integer(const std::string& name, Index least, Index most);
    /// So many finite floats.
    std::vector<float> floats(const std::string& name, Index count);
    std::string text(const std::string& name, Index count);
    /// Numbers that nobody reads.
    void skip(const std::string& name, Index bytes);
    /// Throws InputError where something is left.
    void expect_end() const;

    [[noreturn]] void fail(const std::string& name, const std::string& found,
                           const std::string& expected) const;

private:
    /// Where the next `count` bytes begin.
    const char* take(const std::string& name, Index count);

    std::string path_;
    std::string bytes_;
    std::uint64_t at_ = 0;
};

}  // namespace kvcheck
