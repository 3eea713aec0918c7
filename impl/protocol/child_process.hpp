// SPDX-License-Identifier: Apache-2.0
// A program on the other side of two pipes, asked one message at a time with a time limit. Its
// death, its silence and its flooding are values; nothing it does blocks us, and it never outlives
// this object.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

#include "impl/protocol/carrier.hpp"
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

class ChildProcess final : public Carrier {
public:
    /// Starts /bin/sh -c `command` with its own process group, in an empty folder. What it writes
    /// to standard error is kept to be told with its end, or passed on.
    ChildProcess(const std::string& command, const ChildLimits& limits);
    /// Closes its input, waits briefly, then kills the whole group and what left it.
    ~ChildProcess() override;
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    Reply ask(const std::string& message, AnswerSize size) override;
    bool alive() const override { return alive_; }
    std::string give_up_on(const std::string& what) override;
    std::string give_up() override { return end(); }
    Reply finish() override;

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
