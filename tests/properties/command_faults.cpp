// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/command_faults.hpp"

#include <algorithm>
#include <functional>

namespace kvcheck {
namespace {

/// A subject that does something else where it is asked for a command of one kind.
template <class Command>
Tamper instead_of(std::function<Status(Session& inner, const Command& command)> other) {
    Tamper tamper;
    tamper.lifecycle = [other](Session& inner, const Lifecycle& command) {
        const auto* one = std::get_if<Command>(&command);
        return one != nullptr ? other(inner, *one) : inner.apply(command);
    };
    return tamper;
}

}  // namespace

Tamper takes_any_parent() {
    Tamper tamper;
    tamper.append = [](Session& inner, const AppendCall& call) {
        AppendCall repaired = call;
        if (inner.append(call).ok()) return Status::done();
        repaired.back.reset();
        return inner.append(repaired);
    };
    return tamper;
}

Tamper resets_all_rows_for_one() {
    return instead_of<Reset>([](Session& inner, const Reset&) { return inner.apply(Reset{}); });
}

Tamper truncates_too_much() {
    return instead_of<Truncate>([](Session& inner, const Truncate& truncate) {
        return inner.apply(Truncate{std::max<Index>(truncate.length - 1, 0), truncate.row});
    });
}

Tamper ignores_a_cut_that_is_too_long() {
    return instead_of<Truncate>([](Session& inner, const Truncate& truncate) {
        inner.apply(truncate);
        return Status::done();
    });
}

Tamper reorders_backwards() {
    return instead_of<Reorder>([](Session& inner, const Reorder& reorder) {
        return inner.apply(Reorder{{reorder.sources.rbegin(), reorder.sources.rend()}});
    });
}

Tamper evicts_three_slots_at_most() {
    return instead_of<Evict>([](Session& inner, const Evict& evict) {
        return inner.apply(Evict{evict.row, evict.begin, std::min(evict.end, evict.begin + 3)});
    });
}

Tamper finishes_nothing() {
    return instead_of<Finish>([](Session&, const Finish&) { return Status::done(); });
}

Tamper forgets_what_it_saved() {
    Tamper tamper;
    tamper.save = [](Session& inner, std::vector<std::byte>& bytes) {
        const Status status = inner.save(bytes);
        inner.apply(Reset{});
        return status;
    };
    return tamper;
}

}  // namespace kvcheck
