// SPDX-License-Identifier: Apache-2.0
// Requests answered by a subject (declared in serve.hpp).
#include "impl/protocol/serve.hpp"

#include <algorithm>
#include <istream>
#include <map>
#include <nlohmann/json.hpp>

#include "impl/memory/guarded_array.hpp"
#include "impl/protocol/served_call.hpp"
#include "impl/protocol/wire.hpp"
#include "model/types/error.hpp"
#include "model/types/lifecycle_json.hpp"
#include "model/types/shown.hpp"

namespace kvcheck {
namespace {

Json answer_of(const Status& status, Json done = Json::object()) {
    Json answer;
    if (status.ok())
        answer["done"] = std::move(done);
    else if (status.kind == Status::Kind::refused)
        answer["refused"] = status.message;
    else
        answer["died"] = status.message;
    return answer;
}

/// An export's array. Which side the page lies on follows the length, so that both come to pass.
GuardedArray guarded(ElementType element, const Shape& shape, const char* name) {
    return {element, shape,
            GuardedArray::Options{.placement = placed(shape, Layout::packed, shape.extent[1] % 2),
                                  .guard_pages = true,
                                  .name = name}};
}

struct Served {
    Spec spec;
    std::unique_ptr<Session> session;
};

class Server {
public:
    explicit Server(Subject& subject) : subject_(subject) {}

    Json answer(const std::string& line) {
        const Json request = parse_json(line, "request");
        const JsonPlace root(request, "request");
        if (root.optional_member("hello")) {
            return answer_of(Status::done(), wire_json(subject_.capabilities(), true));
        }
        if (const auto body = root.optional_member("open")) return open(*body);
        if (const auto body = root.optional_member("append")) return append(*body);
        if (const auto body = root.optional_member("numbers")) return numbers(*body);
        if (const auto body = root.optional_member("export_kv")) return export_kv(*body);
        if (const auto body = root.optional_member("poison_unused")) {
            return answer_of(
                session(*body).session->poison_unused(body->member("pattern").number()));
        }
        if (const auto body = root.optional_member("close")) {
            const Status status = session(*body).session->close();
            sessions_.erase(session_number(*body));
            return answer_of(status);
        }
        std::string expected = "hello, open, append, numbers, export_kv, poison_unused, close";
        for (const std::string_view name : lifecycle_names()) {
            if (const auto body = root.optional_member(name)) return lifecycle(name, *body);
            expected += " or " + std::string(name);
        }
        root.fail(expected);
    }

private:
    static Index session_number(const JsonPlace& body) {
        return body.member("session").integer(0, std::numeric_limits<Index>::max());
    }

    Served& session(const JsonPlace& body) {
        const auto found = sessions_.find(session_number(body));
        if (found == sessions_.end()) body.member("session").fail("an open session");
        return found->second;
    }

    Json open(const JsonPlace& body) {
        Served served;
        served.spec = spec_from_json(body.member("spec"));
        const Parameters parameters = parameters_from_json(served.spec, body.member("parameters"));
        Opened opened = subject_.open(served.spec, parameters);
        if (!opened.status.ok()) return answer_of(opened.status);
        served.session = std::move(opened.session);
        const Index number = ++opened_;
        sessions_[number] = std::move(served);
        return answer_of(Status::done(), {{"session", number}});
    }

    Json append(const JsonPlace& body) {
        Served& served = session(body);
        ServedCall call(body, served.spec);
        const Status status = served.session->append(call.call());
        if (!status.ok()) return answer_of(status);
        Json done = call.done();
        const std::string fault = served.session->memory_fault();
        if (!fault.empty() && !done.contains("memory_fault")) done["memory_fault"] = fault;
        return answer_of(status, std::move(done));
    }

    Json lifecycle(std::string_view name, const JsonPlace& body) {
        Served& served = session(body);
        const Lifecycle command = lifecycle_from_json(name, body, served.spec.rows, {"session"});
        return answer_of(served.session->apply(command));
    }

    Json numbers(const JsonPlace& body) {
        Served& served = session(body);
        std::vector<RowNumbers> rows(std::size_t(served.spec.rows));
        const Status status = served.session->numbers(rows);
        Json list = Json::array();
        for (const RowNumbers& row : rows) {
            Json json = Json::object();
            for_each_field(row, [&](std::string_view name, const std::optional<Index>& number) {
                if (number) json[std::string(name)] = *number;
            });
            list.push_back(std::move(json));
        }
        return answer_of(status, {{"rows", list}});
    }

    Json export_kv(const JsonPlace& body) {
        Served& served = session(body);
        const Index row = body.member("row").integer(0, served.spec.rows - 1);
        const Index length = body.member("length").integer(0, served.spec.capacity);
        const ElementType element = subject_.capabilities().element;
        const Spec& spec = served.spec;
        GuardedArray key = guarded(element, {spec.kv_heads, length, spec.key_width}, "key");
        GuardedArray value = guarded(element, {spec.kv_heads, length, spec.value_width}, "value");
        key.seal();
        value.seal();
        const Status status = served.session->export_kv(row, key.output(), value.output());
        Json done = {{"key", wire_json(key.input())}, {"value", wire_json(value.input())}};
        if (!key.only_elements_changed() || !value.only_elements_changed()) {
            done["memory_fault"] = "export_kv wrote outside the arrays it was given";
        }
        return answer_of(status, std::move(done));
    }

    Subject& subject_;
    std::map<Index, Served> sessions_;
    Index opened_ = 0;
};

}  // namespace

void serve(Subject& subject, std::istream& in, StandardOutput& out) {
    Server server(subject);
    for (std::string line; std::getline(in, line);) {
        Json answer;
        try {
            answer = server.answer(line);
        } catch (const InputError& error) {
            answer["refused"] = error.what();
        } catch (const std::exception& error) {
            answer["died"] = "it threw: " + shown(error.what());
        }
        const std::string misuse = out.misuse();
        if (!misuse.empty()) answer = {{"died", misuse}};
        // What a library says need not be UTF-8, and JSON must be.
        out.write_line(answer.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
}

}  // namespace kvcheck
