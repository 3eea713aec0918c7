// SPDX-License-Identifier: Apache-2.0
// Requests answered by a subject (declared in serve.hpp).
#include "impl/protocol/serve.hpp"

#include <algorithm>
#include <istream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "impl/memory/guarded_memory.hpp"
#include "impl/protocol/base64.hpp"
#include "impl/protocol/frame.hpp"
#include "impl/protocol/prefix_wire.hpp"
#include "impl/protocol/requests.hpp"
#include "impl/protocol/row_numbers_wire.hpp"
#include "impl/protocol/served_session.hpp"
#include "impl/protocol/wire.hpp"
#include "model/types/error.hpp"
#include "model/types/lifecycle_json.hpp"
#include "model/types/shown.hpp"

namespace kvcheck {
namespace {

/// `fault`: what was written that must not.
Json answer_of(const Status& status, Json done = Json::object(), const std::string& fault = {}) {
    Json answer;
    if (status.ok()) {
        if (!fault.empty()) done["memory_fault"] = fault;
        answer["done"] = std::move(done);
        return answer;
    }
    const bool refused = status.kind == Status::Kind::refused;
    answer[refused ? "refused" : "died"] = status.message;
    if (refused && !fault.empty()) answer["memory_fault"] = fault;
    return answer;
}

/// What a library says need not be UTF-8, and JSON must be.
std::string line_of(const Json& answer) {
    return answer.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

class Server {
public:
    explicit Server(Subject& subject) : subject_(subject) {}

    /// A frame, or a line with its end.
    std::string answer(const std::string& message) {
        return begins_frame(message) ? answer_to_frame(message) : line_of(answer_to_line(message));
    }

private:
    Json answer_to_line(const std::string& line) {
        const Json request = parse_json(line, "request");
        const JsonPlace root(request, "request");
        if (root.optional_member("hello")) {
            return answer_of(Status::done(), wire_json(subject_.capabilities(),
                                                       {.has_memory = true, .takes_frames = true}));
        }
        if (const auto body = root.optional_member("open")) return open(*body);
        if (const auto body = root.optional_member("load")) return load(*body);
        if (const auto body = root.optional_member("append")) return append(*body);
        if (const auto body = root.optional_member("ask")) return ask(*body);
        if (const auto body = root.optional_member("admits")) return admits(*body);
        if (const auto body = root.optional_member("numbers")) return numbers(*body);
        if (const auto body = root.optional_member("export_kv")) return export_kv(*body);
        if (const auto body = root.optional_member("poison_unused")) {
            return answer_of(
                session(*body).session().poison_unused(body->member("pattern").number()));
        }
        if (const auto body = root.optional_member("save")) return save(*body);
        if (const auto body = root.optional_member("publish")) return publish(*body);
        if (const auto body = root.optional_member("reuse")) return reuse(*body);
        if (const auto body = root.optional_member("weaken_prefix_hash"))
            return answer_of(session(*body).session().weaken_prefix_hash());
        if (const auto body = root.optional_member("close")) {
            return answer_of(close(session_number(*body), session(*body)));
        }
        std::string expected =
            "one of hello, open, load, append, ask, admits, numbers, export_kv, poison_unused, "
            "save, publish, reuse, weaken_prefix_hash, close";
        for (const std::string_view name : lifecycle_names()) {
            if (const auto body = root.optional_member(name)) return lifecycle(name, *body);
            expected += ", " + std::string(name);
        }
        root.fail(expected);
    }

    std::string answer_to_frame(const std::string& text) {
        FrameReader request(text, "request");
        const FrameKind kind = request.kind();
        if (name_of(kind).empty())
            request.fail("kind", std::to_string(int(kind)), "an integer from 1 to 5");
        FrameWriter answer(kind);
        std::string fault;
        Status status;
        if (kind == FrameKind::open) {
            Index number = 0;
            status = open(request, number);
            answer.word(number);
        } else {
            const Index number = request.word("session");
            const auto found = sessions_.find(number);
            if (found == sessions_.end())
                request.fail("session", std::to_string(number), "an open session");
            status = answer_to(request, number, found->second, answer, fault);
        }
        return status.ok() ? answer.take() : line_of(answer_of(status, {}, fault));
    }

    /// Does what a frame asks for, and writes the answer's parts where that went well.
    Status answer_to(FrameReader& request, Index number, ServedSession& served, FrameWriter& answer,
                     std::string& fault) {
        switch (request.kind()) {
            case FrameKind::append: {
                ServedCall call(request, served.spec());
                Status status = served.append(call, fault);
                if (!status.ok()) return status;
                answer.text(fault);
                call.write_outputs(answer);
                return status;
            }
            case FrameKind::export_kv: {
                const Index row = request.word("row", 0, served.spec().rows - 1);
                const Index length = request.word("length", 0, served.spec().capacity);
                request.end();
                if (const auto held = served.length(row); held && *held != length)
                    request.fail("length", std::to_string(length), slots_of(*held));
                Status status;
                const auto arrays =
                    served.export_kv(row, length, subject_.capabilities().element, status);
                fault = arrays.fault;
                if (!status.ok()) return status;
                answer.text(fault);
                answer.elements(arrays.key.input());
                answer.elements(arrays.value.input());
                return status;
            }
            case FrameKind::numbers: {
                request.end();
                std::vector<RowNumbers> rows(std::size_t(served.spec().rows));
                Status status = served.session().numbers(rows);
                write_numbers(answer, rows);
                return status;
            }
            default:
                request.end();
                return close(number, served);
        }
    }

    static std::string slots_of(Index length) {
        return std::to_string(length) + ", the slots of the row";
    }

    static Index session_number(const JsonPlace& body) {
        return body.member("session").integer(0, std::numeric_limits<Index>::max());
    }

    ServedSession& session(const JsonPlace& body) {
        const auto found = sessions_.find(session_number(body));
        if (found == sessions_.end()) body.member("session").fail("an open session");
        return found->second;
    }

    Status open(const Spec& spec, const Parameters& parameters, Index& number) {
        Opened opened = subject_.open(spec, parameters);
        if (!opened.status.ok()) return opened.status;
        number = ++opened_;
        sessions_.emplace(number, ServedSession(spec, std::move(opened.session),
                                                subject_.capabilities().features));
        return opened.status;
    }

    Json open(const JsonPlace& body) {
        const Spec spec = spec_from_json(body.member("spec"));
        Index number = 0;
        const Status status =
            open(spec, parameters_from_json(spec, body.member("parameters")), number);
        return answer_of(status, {{"session", number}});
    }

    Json save(const JsonPlace& body) {
        std::vector<std::byte> bytes;
        const Status status = session(body).session().save(bytes);
        return answer_of(status, {{"state", base64_of(bytes)}});
    }

    /// The state ends where a page begins that may not be touched.
    Json load(const JsonPlace& body) {
        const Spec spec = spec_from_json(body.member("spec"));
        const Parameters parameters = parameters_from_json(spec, body.member("parameters"));
        const JsonPlace state = body.member("state");
        const auto bytes = bytes_of_base64(state.string());
        if (!bytes) state.fail("base64");
        GuardedMemory memory(bytes->size(), Guard::page_after, "state");
        const std::span<std::byte> guarded = memory.all().subspan(memory.first(), bytes->size());
        std::copy(bytes->begin(), bytes->end(), guarded.begin());
        Opened opened = subject_.load(spec, parameters, guarded);
        if (!opened.status.ok()) return answer_of(opened.status);
        sessions_.emplace(++opened_, ServedSession::loaded(spec, std::move(opened.session),
                                                           subject_.capabilities().features));
        return answer_of(opened.status, {{"session", opened_}});
    }

    Status open(FrameReader& request, Index& number) {
        const std::string_view text = request.text("spec");
        if (text != spec_text_) {  // cases open the same spec many times
            const Json json = parse_json(std::string(text), "request.spec");
            spec_ = spec_from_json({json, "request.spec"});
            spec_text_ = text;
        }
        return open(spec_, read_parameters(request, spec_), number);
    }

    Json append(const JsonPlace& body) {
        ServedSession& served = session(body);
        ServedCall call(body, served.spec());
        std::string fault;
        const Status status = served.append(call, fault);
        return answer_of(status, status.ok() ? call.outputs() : Json(), fault);
    }

    Json admits(const JsonPlace& body) {
        std::vector<Index> counts;
        for (const JsonPlace& count : body.member("counts").elements())
            counts.push_back(count.integer(std::numeric_limits<Index>::min(),
                                           std::numeric_limits<Index>::max()));
        bool fits = false;
        const Status status = session(body).session().admits(counts, fits);
        return answer_of(status, {{"fits", fits}});
    }

    Json ask(const JsonPlace& body) {
        ServedSession& served = session(body);
        ServedCall call(body, served.spec());
        const Status status = served.session().ask(call.call());
        std::string fault = call.memory_fault();
        if (fault.empty()) fault = served.session().memory_fault();
        return answer_of(status, status.ok() ? call.outputs() : Json(), fault);
    }

    Json lifecycle(std::string_view name, const JsonPlace& body) {
        ServedSession& served = session(body);
        return answer_of(served.apply(lifecycle_from_json(name, body, std::nullopt, {"session"})));
    }

    Json publish(const JsonPlace& body) {
        ServedSession& served = session(body);
        const ServedKey key = key_of_body(body);
        return answer_of(served.session().publish(row_of(body), key.view()));
    }

    Json reuse(const JsonPlace& body) {
        ServedSession& served = session(body);
        const ServedKey key = key_of_body(body);
        Index slots = 0;
        const Status status = served.reuse(row_of(body), key.view(), slots);
        return answer_of(status, {{"slots", slots}});
    }

    /// As it was sent: a row that is not there is the subject's to refuse.
    static Index row_of(const JsonPlace& body) {
        using Limits = std::numeric_limits<Index>;
        return body.member("row").integer(Limits::min(), Limits::max());
    }

    Json numbers(const JsonPlace& body) {
        ServedSession& served = session(body);
        std::vector<RowNumbers> rows(std::size_t(served.spec().rows));
        const Status status = served.session().numbers(rows);
        return answer_of(status, {{"rows", wire_json(rows)}});
    }

    Json export_kv(const JsonPlace& body) {
        ServedSession& served = session(body);
        const Index row = body.member("row").integer(0, served.spec().rows - 1);
        const Index length = body.member("length").integer(0, served.spec().capacity);
        if (const auto held = served.length(row); held && *held != length)
            body.member("length").fail(slots_of(*held));
        Status status;
        const auto arrays = served.export_kv(row, length, subject_.capabilities().element, status);
        return answer_of(
            status,
            {{"key", wire_json(arrays.key.input())}, {"value", wire_json(arrays.value.input())}},
            arrays.fault);
    }

    Status close(Index number, ServedSession& served) {
        Status status = served.session().close();
        sessions_.erase(number);
        return status;
    }

    Subject& subject_;
    std::map<Index, ServedSession> sessions_;
    Index opened_ = 0;
    std::string spec_text_;  // of the last frame that opened a session
    Spec spec_;
};

}  // namespace

void serve(Subject& subject, std::istream& in, StandardOutput& out) {
    Server server(subject);
    for (std::string message; read_message(in, message);) {
        std::string answer;
        try {
            answer = server.answer(message);
        } catch (const InputError& error) {
            answer = line_of({{"refused", error.what()}});
        } catch (const std::exception& error) {
            answer = line_of({{"died", "it threw: " + shown(error.what())}});
        }
        const std::string misuse = out.misuse();
        if (!misuse.empty()) answer = line_of({{"died", misuse}});
        out.write_all(answer);
    }
}

}  // namespace kvcheck
