// SPDX-License-Identifier: Apache-2.0
// The textbook subject with one thing about it changed from outside: for tests that want a property
// to fail for one reason. What is not replaced is forwarded.
#pragma once

#include <functional>
#include <memory>

#include "impl/plain/rules.hpp"
#include "impl/subject.hpp"

namespace kvcheck {

struct Tamper {
    std::function<Status(Session& inner, const AppendCall& call)> append;
    std::function<Status(Session& inner, const Lifecycle& command)> lifecycle;
    std::function<Status(Session& inner, std::span<RowNumbers> rows)> numbers;
    std::function<Status(Session& inner, Index row, const OutputView& key, const OutputView& value)>
        export_kv;
    std::function<Status(Session& inner, std::vector<std::byte>& bytes)> save;
    std::function<void(Capabilities& capabilities)> capabilities;
    std::shared_ptr<const PlainRules> rules = std::make_shared<PlainRules>();
    std::function<Status(const Spec& spec)> open;
    bool unbounded = false;  // the capacity is no limit, and that is declared
    /// A full row keeps so many slots more than its capacity, and that it evicts is declared.
    std::optional<Index> evicts_but = std::nullopt;
};

std::unique_ptr<Subject> tampered(Tamper tamper);

}  // namespace kvcheck
