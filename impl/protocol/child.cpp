// SPDX-License-Identifier: Apache-2.0
// A child behind the subject interface (declared in child.hpp): requests made, answers read.
#include "impl/protocol/child.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "impl/protocol/base64.hpp"
#include "impl/protocol/conversation.hpp"
#include "impl/protocol/frame.hpp"
#include "impl/protocol/prefix_wire.hpp"
#include "impl/protocol/requests.hpp"
#include "impl/protocol/row_numbers_wire.hpp"
#include "impl/protocol/wire.hpp"
#include "model/types/error.hpp"
#include "model/types/lifecycle_json.hpp"
#include "model/types/shown.hpp"

namespace kvcheck {
namespace {

class ChildSession final : public Session {
public:
    /// `frames`: the session where its requests are frames.
    ChildSession(std::shared_ptr<Conversation> conversation, const Spec& spec, Json session,
                 std::optional<Index> frames)
        : conversation_(std::move(conversation)),
          spec_(spec),
          session_(std::move(session)),
          frames_(frames) {}

    ~ChildSession() override {
        Status status = ChildSession::close();
        if (status.ok()) return;
        status.message = "close: " + status.message;
        conversation_->keep_untold(std::move(status));
    }

    /// Where the process died earlier, that was somebody's verdict.
    Status close() override {
        if (is_closed_ || !conversation_->alive()) return Status::done();
        is_closed_ = true;
        if (frames_) return framed(FrameKind::close, {}, 0, [](FrameReader&) {});
        Answer answer;
        Status status = conversation_->ask("close", {{"session", session_}}, answer);
        // One line too many before would otherwise pass for this answer, now and then.
        for (const char* const other : {"output", "rows", "key", "session"}) {
            if (!answer.done.is_object() || !answer.done.contains(other)) continue;
            return conversation_->give_up_on("close.done has the member " + std::string(other));
        }
        return status;
    }

    Status append(const AppendCall& call) override {
        memory_fault_.clear();
        if (!has_views() && !output_fits_inputs(call, spec_))
            return Status::refused("the caller's own output has a wrong shape or type");
        const Index numbers = call.output.shape.size() +
                              (call.weights ? call.weights->shape.size() : 0) +
                              (call.log_sum_exp ? call.log_sum_exp->shape.size() : 0);
        Answer answer;
        const Status status =
            frames_ ? conversation_->ask_frame(append_frame(call, spec_, *frames_), answer, numbers)
                    : conversation_->ask("append", append_body(call, spec_, session_, has_views()),
                                         answer, numbers);
        if (!status.ok()) return refused(status, answer);
        if (frames_) {
            return read_frame(answer.frame, [&](FrameReader& frame) {
                memory_fault_ = shown(std::string(frame.text("memory_fault")));
                frame.elements("output", call.output);
                if (call.weights) frame.elements("weights", *call.weights);
                if (call.log_sum_exp) frame.elements("log_sum_exp", *call.log_sum_exp);
            });
        }
        return read_outputs(answer, "append.done", call);
    }

    Status ask(const AppendCall& call) override {
        memory_fault_.clear();
        if (!has_views() && !output_fits_inputs(call, spec_))
            return Status::refused("the caller's own output has a wrong shape or type");
        Answer answer;
        const Status status =
            conversation_->ask("ask", append_body(call, spec_, session_, has_views()), answer,
                               call.output.shape.size());
        if (!status.ok()) return refused(status, answer);
        return read_outputs(answer, "ask.done", call);
    }

    Status apply(const Lifecycle& command) override {
        Json body = {{"session", session_}};
        body.update(to_json(command));
        Answer answer;
        return conversation_->ask(name_of(command), std::move(body), answer);
    }

    Status numbers(std::span<RowNumbers> rows) override {
        if (frames_) {
            return framed(FrameKind::numbers, {}, numbers_frame_words(rows),
                          [&](FrameReader& frame) { read_numbers(frame, rows); });
        }
        Answer answer;
        Status status = conversation_->ask("numbers", {{"session", session_}}, answer);
        if (!status.ok()) return status;
        return read_answer([&] { read_numbers(answer.done, rows); });
    }

    Status export_kv(Index row, const OutputView& key, const OutputView& value) override {
        memory_fault_.clear();
        const Index length = key.shape.extent[1];
        const Index numbers = key.shape.size() + value.shape.size();
        if (frames_) {
            return framed(FrameKind::export_kv, {row, length}, numbers, [&](FrameReader& frame) {
                memory_fault_ = shown(std::string(frame.text("memory_fault")));
                frame.elements("key", key);
                frame.elements("value", value);
            });
        }
        Answer answer;
        Status status = conversation_->ask(
            "export_kv", {{"session", session_}, {"row", row}, {"length", length}}, answer,
            numbers);
        if (!status.ok()) return refused(status, answer);
        return read_answer([&] {
            const JsonPlace root(answer.done, "export_kv.done");
            if (key.shape.size() > 0) read_wire(root.member("key"), key);
            if (value.shape.size() > 0) read_wire(root.member("value"), value);
            read_fault(root);
        });
    }

    Status poison_unused(double pattern) override {
        Answer answer;
        return conversation_->ask(
            "poison_unused", {{"session", session_}, {"pattern", to_json(float(pattern))}}, answer);
    }

    Status save(std::vector<std::byte>& bytes) override {
        const Index numbers = spec_.rows * spec_.capacity * (spec_.key_size() + spec_.value_size());
        Answer answer;
        Status status = conversation_->ask("save", {{"session", session_}}, answer, numbers);
        if (!status.ok()) return status;
        return read_answer([&] {
            const JsonPlace state = JsonPlace(answer.done, "save.done").member("state");
            auto read = bytes_of_base64(state.string());
            if (!read) state.fail("base64");
            bytes = std::move(*read);
        });
    }

    Status publish(Index row, const PrefixKey& key) override {
        Answer answer;
        return conversation_->ask("publish", prefix_body(session_, row, key), answer);
    }

    Status reuse(Index row, const PrefixKey& key, Index& slots) override {
        Answer answer;
        Status status = conversation_->ask("reuse", prefix_body(session_, row, key), answer);
        if (!status.ok()) return status;
        return read_answer([&] {
            slots = JsonPlace(answer.done, "reuse.done").member("slots").integer(0, extent_max);
        });
    }

    Status weaken_prefix_hash() override {
        Answer answer;
        return conversation_->ask("weaken_prefix_hash", {{"session", session_}}, answer);
    }

    std::string memory_fault() const override { return memory_fault_; }

private:
    bool has_views() const { return conversation_->manners().has_memory || frames_; }

    /// Asks by a frame of `words` after the session; `read` takes the answer's parts.
    template <class Read>
    Status framed(FrameKind kind, std::initializer_list<Index> words, Index numbers,
                  const Read& read) {
        FrameWriter frame(kind);
        frame.word(*frames_);
        for (const Index word : words) frame.word(word);
        Answer answer;
        const Status status = conversation_->ask_frame(frame.take(), answer, numbers);
        if (!status.ok()) return refused(status, answer);
        return read_frame(answer.frame, read);
    }

    template <class Read>
    Status read_frame(const std::string& text, const Read& read) {
        return read_answer([&] {
            FrameReader frame(text, "the answer to " + std::string(name_of(FrameKind(text[1]))));
            read(frame);
            frame.end();
        });
    }

    /// Reads an answer's parts; what does not fit is the child's death, in words.
    template <class Read>
    Status read_answer(const Read& read) {
        try {
            read();
        } catch (const InputError& error) {
            return conversation_->give_up_on(error.what());
        }
        return Status::done();
    }

    Status read_outputs(const Answer& answer, const char* place, const AppendCall& call) {
        return read_answer([&] {
            const JsonPlace root(answer.done, place);
            const auto read = [&](const char* name, const std::optional<OutputView>& view) {
                if (view && view->shape.size() > 0) read_wire(root.member(name), *view);
            };
            read("output", call.output);
            read("weights", call.weights);
            read("log_sum_exp", call.log_sum_exp);
            read_fault(root);
        });
    }

    /// What the guards on the program's side saw, also where the call was refused.
    Status refused(Status status, const Answer& answer) {
        memory_fault_ = answer.memory_fault;
        return status;
    }
    void read_fault(const JsonPlace& done) {
        if (const auto fault = done.optional_member("memory_fault")) {
            memory_fault_ = shown(fault->string());
        }
    }

    std::shared_ptr<Conversation> conversation_;
    Spec spec_;
    Json session_;
    const std::optional<Index> frames_;  // the session, where its requests are frames
    bool is_closed_ = false;
    std::string memory_fault_;
};

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
