// SPDX-License-Identifier: Apache-2.0
// A program on the other side of two pipes, asked one message at a time with a time limit. Its
// death, its silence and its flooding are values; nothing it does blocks us, and it never outlives
// this object.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

#include "impl/protocol/answer_size.hpp"
#include "impl/protocol/own_folder.hpp"

namespace kvcheck {

struct ChildLimits {
    std::chrono::milliseconds answer{5000};         // for one request
    std::chrono::milliseconds first_answer{60000};  // a program may have much to load
    std::size_t line_bytes_max = std::size_t{64} << 20;
    bool pass_errors =
        false;  // of standard error: passed on as it comes, else only told at the end
    std::size_t memory_bytes_max = std::size_t{8}
                                   << 30;  // of the child and all it starts; 0: no limit
};

class ChildProcess {
public:
    /// Starts /bin/sh -c `command` with its own process group, in an empty folder. What it writes
    /// to standard error is kept to be told with its end, or passed on.
    ChildProcess(const std::string& command, const ChildLimits& limits);
    /// Closes its input, waits briefly, then kills the whole group and what left it.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    struct Reply {
        enum class Kind { answer, timed_out, died };
        Kind kind = Kind::answer;
        std::string text;        // the line or the frame, or what happened, in words
        bool by_others = false;  // it died of a SIGKILL that we did not send
    };
    /// Sends one message, a line with its end or a frame, and waits for one of at most `size`.
    /// After anything but an answer the child is gone.
    Reply ask(const std::string& message, AnswerSize size);
    bool alive() const { return alive_; }
    /// Ends a conversation after a line that is no answer to what was asked: `what` is wrong with
    /// it, unless another line follows at once, because then it was one too many. In words.
    std::string give_up_on(const std::string& what);
    /// Ends a conversation that makes no sense any more; how the program ended, in words.
    std::string give_up() { return end(); }
    /// Ends its input and waits, as long as for an answer, for a program that ends by itself with
    /// code 0 and says nothing more: an answer without text. Anything else is told like a death.
    Reply finish();

private:
    Reply lost(const std::string& what);
    Reply stopped(Reply::Kind kind, const std::string& why);
    std::string end();
    bool holds_too_much() const;
    bool has_ended() const;
    bool send_some(const std::string& message, std::size_t& sent);
    bool read_output();
    void read_all_output();
    std::string unasked() const;
    void read_errors();
    std::string last_words() const;

    ChildLimits limits_;
    OwnFolder folder_;
    pid_t pid_ = -1;
    int to_child_ = -1;
    int from_child_ = -1;
    int errors_from_child_ = -1;
    bool alive_ = false;
    bool by_others_ = false;
    std::string unread_;
    std::string errors_;  // the last of what it wrote to standard error
    bool has_answered_ = false;
};

}  // namespace kvcheck
