// SPDX-License-Identifier: Apache-2.0
// A subject that is another program, over the protocol of docs/protocol.md. Whatever that program
// does is a value here: a crash, a hang, an exit and a garbled answer are deaths of the session
// with words for them, and the next session starts a new process.
#pragma once

#include <memory>

#include "impl/protocol/child_process.hpp"
#include "impl/subject.hpp"

namespace kvcheck {

/// What a child is called in errors; empty: "exec:" and its command. A server is a process of this
/// program: where it refuses hello, its words are the whole error.
struct ChildName {
    std::string typed = {};
    bool is_server = false;
};

/// Starts `command` through /bin/sh and shakes hands. Throws InputError where that fails: a program
/// that cannot say hello is no subject yet.
std::unique_ptr<Subject> make_child(const std::string& command, const ChildLimits& limits = {},
                                    const ChildName& name = {});

/// The same behind any carrier, of which a new one is made where the last has ended.
std::unique_ptr<Subject> make_remote(const CarrierMaker& begin, const ChildName& name);

/// What a later process of a subject declares otherwise than the first, in a sentence; empty where
/// they agree. Its cases were drawn, and its numbers are judged, by what the first one said.
std::string difference_of(const Capabilities& first, const Capabilities& later);

}  // namespace kvcheck
