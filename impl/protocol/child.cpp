// SPDX-License-Identifier: Apache-2.0
// A child behind the subject interface (declared in child.hpp): requests made, answers read.
#include "impl/protocol/child.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "impl/protocol/base64.hpp"
#include "impl/protocol/child_session.hpp"
#include "impl/protocol/conversation.hpp"
#include "impl/protocol/frame.hpp"
#include "impl/protocol/requests.hpp"
#include "impl/protocol/wire.hpp"
#include "model/types/error.hpp"
#include "model/types/shown.hpp"

namespace kvcheck {
namespace {

class ChildSubject final : public Subject {
public:
    ChildSubject(CarrierMaker begin, const ChildName& name)
        : begin_(std::move(begin)), name_(name.typed) {
        Answer answer;
        const Status status = start(answer);
        const Json& done = answer.done;
        const bool refused = status.kind == Status::Kind::refused;
        if (refused && name.is_server) throw InputError(status.message);
        const std::string found = (refused ? "a refusal: " : "") + status.message;
        if (!status.ok()) throw InputError(name_, found, "an answer to hello");
        capabilities_ = capabilities_from_wire(hello_place(done));
        conversation_->set_manners(manners_from_wire(hello_place(done)));
    }

    const Capabilities& capabilities() const override { return capabilities_; }

    Opened open(const Spec& spec, const Parameters& parameters) override {
        if (const Status status = ready(); !status.ok()) return {status, nullptr};
        return conversation_->manners().takes_frames
                   ? open_by_frame(spec, parameters)
                   : open_by_line("open", spec, open_body(spec, parameters));
    }

    Opened load(const Spec& spec, const Parameters& parameters,
                std::span<const std::byte> bytes) override {
        if (const Status status = ready(); !status.ok()) return {status, nullptr};
        Json body = open_body(spec, parameters);
        body["state"] = base64_of(bytes);
        return open_by_line("load", spec, std::move(body));
    }

    void forgive() override {
        if (!conversation_->alive()) forgiven_ = conversation_;
    }

    bool restart() override {
        conversation_->take_untold();
        conversation_->give_up();  // the next open starts a new one
        return true;
    }

    Status finish() override {
        const Status untold = conversation_->take_untold();
        return untold.ok() ? conversation_->finish() : untold;
    }

private:
    /// Done where there is a process that can be asked for a session.
    Status ready() {
        // A death at the end of an earlier session is told by the next one.
        if (Status untold = conversation_->take_untold(); !untold.ok()) return untold;
        if (conversation_->alive()) return Status::done();
        const Status& gone = conversation_->gone();
        const bool hung = gone.kind == Status::Kind::timed_out;
        return hung && forgiven_ != conversation_ ? gone : start_again();
    }

    Opened open_by_line(const std::string& verb, const Spec& spec, Json body) {
        Answer answer;
        const Status status = conversation_->ask(verb, std::move(body), answer);
        if (!status.ok()) return {status, nullptr};
        if (!answer.done.contains("session"))
            return {conversation_->give_up_on(verb + ".done has no session"), nullptr};
        const Json& session = answer.done["session"];
        if (session.is_number_float()) {
            return {conversation_->give_up_on(verb + ".done.session: found " + session.dump() +
                                              ", expected an integer of 64 bits"),
                    nullptr};
        }
        if (!conversation_->manners().takes_frames) return opened(spec, session, std::nullopt);
        try {
            const Index number = JsonPlace(session, verb + ".done.session")
                                     .integer(0, std::numeric_limits<Index>::max());
            return opened(spec, number, number);
        } catch (const InputError& error) {
            return {conversation_->give_up_on(error.what()), nullptr};
        }
    }

    Opened open_by_frame(const Spec& spec, const Parameters& parameters) {
        if (spec != spec_ || spec_text_.empty()) {  // cases open the same spec many times
            spec_ = spec;
            spec_text_ = spec_text(spec);
        }
        Answer answer;
        const Status status =
            conversation_->ask_frame(open_frame(spec_text_, parameters), answer, 1);
        if (!status.ok()) return {status, nullptr};
        try {
            FrameReader frame(answer.frame, "the answer to open");
            const Index session = frame.word("session");
            frame.end();
            return opened(spec, session, session);
        } catch (const InputError& error) {
            return {conversation_->give_up_on(error.what()), nullptr};
        }
    }

    Opened opened(const Spec& spec, const Json& session, std::optional<Index> frames) {
        return {Status::done(),
                std::make_unique<ChildSession>(conversation_, spec, session, frames)};
    }

    Status start(Answer& answer) {
        conversation_ = std::make_shared<Conversation>(begin_());
        return conversation_->ask("hello", {{"protocol", 1}}, answer);
    }

    /// A new process that answers hello as the first one did is as good as it; anything else is its
    /// death, or its hang.
    Status start_again() {
        try {
            Answer answer;
            Status status = start(answer);
            if (status.ok()) {
                const JsonPlace hello = hello_place(answer.done);
                const Capabilities later = capabilities_from_wire(hello);
                conversation_->set_manners(manners_from_wire(hello));
                const std::string other = difference_of(capabilities_, later);
                if (!other.empty()) return conversation_->give_up_on("started again: " + other);
            }
            return status;
        } catch (const InputError& error) {  // also where there is no process to be had
            return Status::died(std::string("started again: ") + error.what());
        }
    }

    JsonPlace hello_place(const Json& done) const { return {done, name_ + ": hello.done"}; }

    CarrierMaker begin_;
    std::string name_;  // in errors
    std::shared_ptr<Conversation> conversation_;
    std::shared_ptr<Conversation> forgiven_;  // one that hung in an earlier case
    Capabilities capabilities_;
    Spec spec_;  // of the last session that a frame opened
    std::string spec_text_;
};

}  // namespace

std::unique_ptr<Subject> make_remote(const CarrierMaker& begin, const ChildName& name) {
    return std::make_unique<ChildSubject>(begin, name);
}

std::unique_ptr<Subject> make_child(const std::string& command, const ChildLimits& limits,
                                    const ChildName& name) {
    return make_remote([=] { return std::make_unique<ChildProcess>(command, limits); },
                       {name.typed.empty() ? "exec:" + command : name.typed, name.is_server});
}

std::string difference_of(const Capabilities& first, const Capabilities& later) {
    const std::string begin = "it declares another ";
    const std::string end = " than at first";
    if (later.element != first.element) return begin + "element type" + end;
    if (!(later.features == first.features)) return begin + "list of features" + end;
    if (!(later.profile == first.profile)) return begin + "numeric profile" + end;
    return {};
}

}  // namespace kvcheck
