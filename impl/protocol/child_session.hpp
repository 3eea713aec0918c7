// SPDX-License-Identifier: Apache-2.0
// One session of a child: requests made, answers read. Internal to the child's subject.
#pragma once

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "impl/protocol/base64.hpp"
#include "impl/protocol/conversation.hpp"
#include "impl/protocol/frame.hpp"
#include "impl/protocol/prefix_wire.hpp"
#include "impl/protocol/requests.hpp"
#include "impl/protocol/row_numbers_wire.hpp"
#include "impl/protocol/wire.hpp"
#include "impl/subject.hpp"
#include "model/types/error.hpp"
#include "model/types/lifecycle_json.hpp"
#include "model/types/shown.hpp"

namespace kvcheck {

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

    Status admits(std::span<const Index> counts, bool& fits) override {
        Answer answer;
        const std::vector<Index> all(counts.begin(), counts.end());
        Status status =
            conversation_->ask("admits", {{"session", session_}, {"counts", all}}, answer);
        if (!status.ok()) return status;
        return read_answer(
            [&] { fits = JsonPlace(answer.done, "admits.done").member("fits").boolean(); });
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

}  // namespace kvcheck
