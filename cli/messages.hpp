// SPDX-License-Identifier: Apache-2.0
// What this program and its workers say to each other over a socket: a kind, a length, bytes.
#pragma once

#include <optional>
#include <string>

namespace kvcheck {

struct Message {
    enum class Kind : unsigned char {
        job,       // to a worker: a packed job
        finish,    // to a worker: the run is over
        progress,  // from it: how many cases of the job are done, in decimal
        result,    // from it: a packed result
        ended,     // from it: how the subject's process ended, empty where well
    };
    Kind kind = Kind::job;
    std::string bytes;
};

/// False where nobody listens.
bool send_message(int socket, const Message& message);

/// Appends what has arrived, waiting for the first byte; false at the end of the conversation.
bool receive_some(int socket, std::string& unread);

/// Takes the first message out of `unread`, if it is there whole.
std::optional<Message> take_message(std::string& unread);

/// Waits for a whole message; nothing at the end of the conversation.
std::optional<Message> wait_for_message(int socket, std::string& unread);

}  // namespace kvcheck
