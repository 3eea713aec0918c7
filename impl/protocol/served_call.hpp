// SPDX-License-Identifier: Apache-2.0
// One append as it arrives over the child protocol, laid out in guarded memory the way the caller's
// views say, and read back afterwards.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "impl/memory/guarded_array.hpp"
#include "impl/subject.hpp"
#include "model/types/json.hpp"

namespace kvcheck {

class ServedCall {
public:
    /// Reads and lays out the request's arrays. Throws InputError where it makes no sense.
    ServedCall(const JsonPlace& body, const Spec& spec);

    const AppendCall& call();
    const std::vector<Index>& counts() const { return counts_; }

    /// The answer to a call that was honoured.
    Json done() const;

private:
    /// Makes a guarded array as `name` of the request's views says; `right` is what the spec says.
    static void place(std::optional<GuardedArray>& array, const JsonPlace& body, const char* name,
                      const Shape& right);
    std::string memory_fault() const;

    AppendCall call_;
    std::vector<Index> counts_;
    std::vector<std::uint8_t> real_;
    std::vector<Index> offsets_;
    std::optional<GuardedArray> query_, key_, value_, x_, output_, weights_;
};

}  // namespace kvcheck
