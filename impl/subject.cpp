// SPDX-License-Identifier: Apache-2.0
// What a subject does that leaves a function of the interface out (declared in subject.hpp).
#include "impl/subject.hpp"

#include "model/types/assert.hpp"

namespace kvcheck {

InputView& input_of(AppendCall& call, Role role) {
    switch (role) {
        case Role::query:
            return call.query;
        case Role::key:
            return call.key;
        case Role::value:
            return call.value;
        case Role::x:
            return call.x;
        case Role::output:
        case Role::parameter:
            break;
    }
    KVCHECK_ASSERT(!"an input of a call");
    return call.x;
}

const InputView& input_of(const AppendCall& call, Role role) {
    return input_of(const_cast<AppendCall&>(call), role);
}

Status Session::apply(const Lifecycle& command) {
    return Status::refused("this subject does not take the command " +
                           std::string(name_of(command)));
}

Status Session::ask(const AppendCall&) {
    return Status::refused("this subject answers no queries without keys");
}

Status Session::admits(std::span<const Index>, bool&) {
    return Status::refused("this subject does not say what it would admit");
}

Status Session::export_kv(Index, const OutputView&, const OutputView&) {
    return Status::refused("this subject does not show its stored keys and values");
}

Status Session::poison_unused(double) {
    return Status::refused("this subject cannot overwrite its unused memory");
}

Status Session::save(std::vector<std::byte>&) {
    return Status::refused("this subject does not save its state");
}

Status Session::publish(Index, const PrefixKey&) {
    return Status::refused("this subject does not publish prefixes");
}

Status Session::reuse(Index, const PrefixKey&, Index&) {
    return Status::refused("this subject does not reuse prefixes");
}

Status Session::weaken_prefix_hash() {
    return Status::refused("this subject cannot weaken the hash of its prefixes");
}

Opened Subject::load(const Spec&, const Parameters&, std::span<const std::byte>) {
    return {Status::refused("this subject does not load what was saved"), nullptr};
}

}  // namespace kvcheck
