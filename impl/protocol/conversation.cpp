// SPDX-License-Identifier: Apache-2.0
// What every answer may say (declared in conversation.hpp).
#include "impl/protocol/conversation.hpp"

#include "impl/protocol/frame.hpp"
#include "model/types/error.hpp"
#include "model/types/shown.hpp"

namespace kvcheck {
namespace {

/// Many languages write a number that JSON has not by default.
std::string spelling_hint(const std::string& text) {
    const bool bare =
        text.find("NaN") != std::string::npos || text.find("Infinity") != std::string::npos;
    return bare ? R"( (JSON has no NaN and no Infinity: they travel as "nan", "inf", "-inf"))" : "";
}

Status died(const Carrier::Reply& reply) {
    Status status = Status::died(reply.text);
    status.by_others = reply.by_others;
    return status;
}

}  // namespace

Status Conversation::ask(std::string_view verb, Json body, Answer& answer, Index numbers) {
    Json request;
    request[std::string(verb)] = std::move(body);
    return send(verb, request.dump() + "\n", answer, numbers);
}

Status Conversation::ask_frame(const std::string& frame, Answer& answer, Index numbers) {
    return send(name_of(FrameKind(frame[1])), frame, answer, numbers);
}

Status Conversation::send(std::string_view verb, const std::string& message, Answer& answer,
                          Index numbers) {
    if (!carrier_->alive()) {
        untold_ = Status::done();  // it is told now
        return {gone_.kind, "the process is gone: " + gone_.message, gone_.by_others};
    }
    Status status = exchange(verb, message, answer, answer_size(numbers));
    if (!carrier_->alive()) gone_ = status;
    return status;
}

Status Conversation::exchange(std::string_view verb, const std::string& message, Answer& answer,
                              const AnswerSize& size) {
    Carrier::Reply reply = carrier_->ask(message, size);
    using Kind = Carrier::Reply::Kind;
    if (reply.kind == Kind::timed_out) return Status::timed_out(reply.text);
    if (reply.kind == Kind::died) return died(reply);
    if (begins_frame(reply.text)) {
        if (!begins_frame(message))
            return give_up_on("it answered a line by a frame; it said: " + shown(reply.text));
        if (reply.text[1] != message[1])
            return give_up_on("its frame answers another request; it said: " + shown(reply.text));
        answer.frame = std::move(reply.text);
        return Status::done();
    }
    if (has_more_parts(reply.text, size.parts_max)) {
        return give_up_on("its answer has more parts than what was asked allows; it begins " +
                          shown(reply.text));
    }
    Status status = read_line(verb, reply.text, answer);
    if (status.ok() && begins_frame(message))
        return give_up_on("it answered a frame by a line; it said: " + shown(reply.text));
    return status;
}

Status Conversation::read_line(std::string_view verb, const std::string& line, Answer& answer) {
    try {
        const std::string place = "the answer to " + std::string(verb);
        const Json json = parse_json(line, place);
        const JsonPlace root(json, place);
        if (const auto refused = root.optional_member("refused")) {
            if (const auto fault = root.optional_member("memory_fault"))
                answer.memory_fault = shown(fault->string());
            return Status::refused(shown(refused->string()));
        }
        if (const auto died = root.optional_member("died")) {
            const std::string how = shown(died->string());
            return Status::died(how + "; " + carrier_->give_up());
        }
        root.only_members({"done"});
        answer.done = root.member("done").value();
    } catch (const InputError& error) {
        return give_up_on(std::string(error.what()) + spelling_hint(line) +
                          "; it said: " + shown(line));
    }
    return Status::done();
}

Status Conversation::finish() {
    const Carrier::Reply reply = carrier_->finish();
    if (reply.kind == Carrier::Reply::Kind::timed_out) return Status::timed_out(reply.text);
    if (reply.kind == Carrier::Reply::Kind::died) return died(reply);
    return Status::done();
}

}  // namespace kvcheck
