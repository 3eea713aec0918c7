// SPDX-License-Identifier: Apache-2.0
// What carries the messages of a conversation: a process behind two pipes in every run, bytes in
// memory where a test wants many conversations. One message goes there, one comes back.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "impl/protocol/answer_size.hpp"

namespace kvcheck {

class Carrier {
public:
    virtual ~Carrier() = default;

    struct Reply {
        enum class Kind { answer, timed_out, died };
        Kind kind = Kind::answer;
        std::string text;        // the line or the frame, or what happened, in words
        bool by_others = false;  // it died of a SIGKILL that we did not send
    };
    /// Sends one message, a line with its end or a frame, and waits for one of at most `size`.
    /// After anything but an answer nobody is there any more.
    virtual Reply ask(const std::string& message, AnswerSize size) = 0;
    virtual bool alive() const = 0;
    /// Ends a conversation after a line that is no answer to what was asked: `what` is wrong with
    /// it, unless another line follows at once, because then it was one too many. In words.
    virtual std::string give_up_on(const std::string& what) = 0;
    /// Ends a conversation that makes no sense any more; how the program ended, in words.
    virtual std::string give_up() = 0;
    /// Ends its input and waits, as long as for an answer, for a program that ends by itself with
    /// code 0 and says nothing more: an answer without text. Anything else is told like a death.
    virtual Reply finish() = 0;
};

/// Begins a conversation anew, with somebody who knows nothing of the last. Throws InputError where
/// that cannot be.
using CarrierMaker = std::function<std::unique_ptr<Carrier>()>;

}  // namespace kvcheck
