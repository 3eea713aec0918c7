// SPDX-License-Identifier: Apache-2.0
// One append as it arrives over the child protocol, laid out in guarded memory the way the caller's
// views say, and read back afterwards.
#pragma once

#include <deque>
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
    /// A guarded array as `name` of the request's views says; `right` is what the spec says.
    static GuardedArray placed_array(const JsonPlace& body, std::string_view name,
                                     const Shape& right);
    std::string memory_fault() const;

    AppendCall call_;
    std::vector<Index> counts_;
    std::vector<std::uint8_t> real_;
    std::vector<Index> offsets_;
    std::deque<GuardedArray> inputs_;  // of input_arrays(level), where they stay
    std::optional<GuardedArray> output_, weights_;
};

}  // namespace kvcheck
