// SPDX-License-Identifier: Apache-2.0
// The conversation with a subject elsewhere: a request goes out, its answer comes back as far as it
// is the same for all requests (done, refused, died, nonsense). What a request's answer holds is
// read by who asked.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "impl/protocol/carrier.hpp"
#include "impl/protocol/wire.hpp"
#include "impl/subject.hpp"

namespace kvcheck {

/// What stands under "done", or the frame that says the same.
struct Answer {
    Json done;
    std::string frame;         // empty where the answer was a line
    std::string memory_fault;  // beside a refusal: what the program's guards saw
};

class Conversation {
public:
    explicit Conversation(std::unique_ptr<Carrier> carrier) : carrier_(std::move(carrier)) {}

    /// Asks by a line; anything but "done" is the status. `numbers`: how many an answer holds.
    Status ask(std::string_view verb, Json body, Answer& answer, Index numbers = 0);
    /// Asks by a frame.
    Status ask_frame(const std::string& frame, Answer& answer, Index numbers = 0);

    bool alive() const { return carrier_->alive(); }
    const Status& gone() const { return gone_; }
    void give_up() { carrier_->give_up(); }
    /// What it says next may answer anything.
    Status give_up_on(const std::string& what) {
        return gone_ = Status::died(carrier_->give_up_on(what));
    }
    Status finish();

    const Manners& manners() const { return manners_; }
    void set_manners(const Manners& manners) { manners_ = manners; }

    /// Trouble that arose where nobody could report it, for whoever asks next; the first is kept.
    void keep_untold(Status trouble) {
        if (untold_.ok()) untold_ = std::move(trouble);
    }
    Status take_untold() { return std::exchange(untold_, Status::done()); }

private:
    Status send(std::string_view verb, const std::string& message, Answer& answer, Index numbers);
    Status exchange(std::string_view verb, const std::string& message, Answer& answer,
                    const AnswerSize& size);
    Status read_line(std::string_view verb, const std::string& line, Answer& answer);

    std::unique_ptr<Carrier> carrier_;
    Status gone_ = Status::died("it never started");  // once it is: how it went
    Status untold_;
    Manners manners_;
};

}  // namespace kvcheck
