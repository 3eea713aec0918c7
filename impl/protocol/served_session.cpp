// SPDX-License-Identifier: Apache-2.0
// Calls passed on, slots counted (declared in served_session.hpp).
#include "impl/protocol/served_session.hpp"

#include <algorithm>

namespace kvcheck {
namespace {

/// An export's array. Which side the page lies on follows the length, so that both come to pass.
GuardedArray guarded(ElementType element, const Shape& shape, const char* name) {
    return {element, shape,
            GuardedArray::Options{.placement = placed(shape, Layout::packed, shape.extent[1] % 2),
                                  .guard_pages = true,
                                  .name = name}};
}

}  // namespace

ServedSession::ServedSession(const Spec& spec, std::unique_ptr<Session> session,
                             const FeatureSet& features)
    : spec_(spec), session_(std::move(session)), lengths_(std::size_t(spec.rows), Index{0}) {
    if (features.has_any({Feature::capacity_unbounded, Feature::capacity_evicted}))
        spec_.capacity = extent_max;
}

Status ServedSession::append(ServedCall& call, std::string& fault) {
    Status status = session_->append(call.call());
    fault = call.memory_fault();
    if (fault.empty()) fault = session_->memory_fault();
    if (!status.ok()) return status;
    for (std::size_t r = 0; r < lengths_.size(); ++r) {
        const Index count = r < call.counts().size() ? call.counts()[r] : -1;
        if (!lengths_[r]) continue;
        if (count < 0 || count > spec_.capacity - *lengths_[r])
            lengths_[r].reset();  // it should have been refused
        else
            *lengths_[r] += count;
    }
    return status;
}

Status ServedSession::apply(const Lifecycle& command) {
    Status status = session_->apply(command);
    if (status.ok()) follow(command);
    return status;
}

Status ServedSession::reuse(Index row, const PrefixKey& key, Index& slots) {
    Status status = session_->reuse(row, key, slots);
    if (!status.ok() || row < 0 || row >= Index(lengths_.size())) return status;
    const bool was_empty = lengths_[std::size_t(row)] == Index{0};
    const bool is_known = was_empty && slots >= 0 && slots <= Index(key.labels.size());
    lengths_[std::size_t(row)] = is_known ? std::optional(slots) : std::nullopt;
    return status;
}

/// What rows the session has after a command that it carried out. One that it should have refused
/// leaves rows of which no length is known.
void ServedSession::follow(const Lifecycle& command) {
    const auto each = [this](const std::optional<Index>& row, const auto& change) {
        for (std::size_t r = 0; r < lengths_.size(); ++r) {
            if (!row || *row == Index(r)) change(lengths_[r]);
        }
    };
    std::visit(Overload{[&](const Reset& reset) {
                            each(reset.row, [](std::optional<Index>& length) { length = 0; });
                        },
                        [&](const Truncate& truncate) {
                            each(truncate.row, [&](std::optional<Index>& length) {
                                const bool is_known =
                                    length && truncate.length >= 0 && truncate.length <= *length;
                                length = is_known ? std::optional(truncate.length) : std::nullopt;
                            });
                        },
                        [&](const Reorder& reorder) {
                            std::vector<std::optional<Index>> lengths;
                            for (const Index source : reorder.sources)
                                lengths.push_back(length(source));
                            lengths_ = std::move(lengths);
                        },
                        [&](const Fork& fork) { lengths_.push_back(length(fork.row)); },
                        [](const Finish&) {}, [](const Evict&) {}, [](const Shift&) {}},
               command);
    spec_.rows = Index(lengths_.size());
}

ServedSession::Export ServedSession::export_kv(Index row, Index length, ElementType element,
                                               Status& status) {
    Export arrays{guarded(element, {spec_.kv_heads, length, spec_.key_width}, "key"),
                  guarded(element, {spec_.kv_heads, length, spec_.value_width}, "value"),
                  {}};
    arrays.key.seal();
    arrays.value.seal();
    status = session_->export_kv(row, arrays.key.output(), arrays.value.output());
    if (!arrays.key.only_elements_changed() || !arrays.value.only_elements_changed())
        arrays.fault = "export_kv wrote outside the arrays it was given";
    return arrays;
}

}  // namespace kvcheck
