// SPDX-License-Identifier: Apache-2.0
#include "impl/adapters/child.hpp"

#include "impl/adapters/wire.hpp"
#include "impl/host/guarded_array.hpp"
#include "model/types/error.hpp"

namespace kvcheck {
namespace {

/// One process and the conversation with it.
class Conversation {
public:
    Conversation(const std::string& command, const ChildLimits& limits)
        : process_(command, limits) {}

    /// Asks and returns what stands under "done"; anything else is the status.
    Status ask(const char* verb, Json body, Json& done) {
        Json request;
        request[verb] = std::move(body);
        ChildProcess::Reply reply = process_.ask(request.dump());
        using Kind = ChildProcess::Reply::Kind;
        if (reply.kind == Kind::timed_out) return Status::timed_out(reply.text);
        if (reply.kind == Kind::died) return Status::died(reply.text);
        try {
            const std::string place = std::string("the answer to ") + verb;
            const Json answer = parse_json(reply.text, place);
            const JsonPlace root(answer, place);
            if (const auto refused = root.optional_member("refused")) {
                return Status::refused(refused->string());
            }
            root.only_members({"done"});
            done = root.member("done").value();
        } catch (const InputError& error) {
            process_.give_up();  // what it says next may answer anything
            constexpr std::size_t shown = 80;
            return Status::died(std::string(error.what()) +
                                "; it said: " + reply.text.substr(0, shown));
        }
        return Status::done();
    }

    bool alive() const { return process_.alive(); }

private:
    ChildProcess process_;
};

/// Reads an answer's parts; what does not fit is the child's death, in words.
template <class Read>
Status read_answer(const Read& read) {
    try {
        read();
    } catch (const InputError& error) {
        return Status::died(error.what());
    }
    return Status::done();
}

class ChildSession final : public Session {
public:
    ChildSession(std::shared_ptr<Conversation> conversation, const Spec& spec, Json session)
        : conversation_(std::move(conversation)), spec_(spec), session_(std::move(session)) {}

    ~ChildSession() override {
        if (!conversation_->alive()) return;
        Json ignored;
        conversation_->ask("close", {{"session", session_}}, ignored);
    }

    Status append(const AppendCall& call) override {
        memory_fault_.clear();
        // The outputs travel back by value; whether they fit the caller's memory is decided here.
        if (!outputs_fit(call)) return Status::refused("the caller's own output has a wrong shape");
        Json body = request_of(call);
        Json done;
        Status status = conversation_->ask("append", std::move(body), done);
        if (!status.ok()) return status;
        return read_answer([&] {
            const JsonPlace root(done, "append.done");
            if (call.output.shape.size() > 0) read_wire(root.member("output"), call.output);
            if (call.weights && call.weights->shape.size() > 0) {
                read_wire(root.member("weights"), *call.weights);
            }
            if (const auto fault = root.optional_member("memory_fault")) {
                memory_fault_ = fault->string();
            }
        });
    }

    Status reset() override {
        Json done;
        return conversation_->ask("reset", {{"session", session_}}, done);
    }

    Status numbers(std::span<RowNumbers> rows) override {
        Json done;
        Status status = conversation_->ask("numbers", {{"session", session_}}, done);
        if (!status.ok()) return status;
        return read_answer([&] {
            const JsonPlace list = JsonPlace(done, "numbers.done").member("rows");
            const auto elements = list.elements();
            if (elements.size() != rows.size()) {
                list.fail("an array of " + std::to_string(rows.size()));
            }
            for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = numbers_of(elements[r]);
        });
    }

    Status export_kv(Index row, const OutputView& key, const OutputView& value) override {
        Json done;
        Status status =
            conversation_->ask("export_kv", {{"session", session_}, {"row", row}}, done);
        if (!status.ok()) return status;
        return read_answer([&] {
            const JsonPlace root(done, "export_kv.done");
            if (key.shape.size() > 0) read_wire(root.member("key"), key);
            if (value.shape.size() > 0) read_wire(root.member("value"), value);
        });
    }

    Status poison_unused(double pattern) override {
        Json done;
        return conversation_->ask(
            "poison_unused", {{"session", session_}, {"pattern", to_json(float(pattern))}}, done);
    }

    std::string memory_fault() const override { return memory_fault_; }

private:
    Json request_of(const AppendCall& call) const {
        Json body;
        body["session"] = session_;
        const bool layer = spec_.level == Level::layer;
        const InputView& first = layer ? call.x : call.query;
        body["element"] = first.type == ElementType::f32 ? "f32" : "f64";
        body["counts"] = std::vector<Index>(call.counts.begin(), call.counts.end());
        if (layer) {
            body["x"] = wire_json(call.x);
        } else {
            body["q"] = wire_json(call.query);
            body["k"] = wire_json(call.key);
            body["v"] = wire_json(call.value);
        }
        const Index tokens = first.shape.extent[1];
        Json rows = Json::array();
        for (std::size_t r = 0; r < call.counts.size(); ++r) {
            Json row = Json::array();
            for (Index t = 0; t < tokens; ++t) {
                row.push_back(call.real[r * std::size_t(tokens) + std::size_t(t)] != 0);
            }
            rows.push_back(std::move(row));
        }
        body["real"] = std::move(rows);
        if (call.query_offset) {
            body["query_offset"] =
                std::vector<Index>(call.query_offset->begin(), call.query_offset->end());
        }
        if (call.weights) body["want_weights"] = true;
        body["layout"] = name_of(layout_of(first));
        return body;
    }

    bool outputs_fit(const AppendCall& call) const {
        const Shape& shape = call.output.shape;
        const Index width = spec_.level == Level::layer ? spec_.model_width : spec_.value_width;
        return shape.extent[std::size_t(shape.rank - 1)] == width;
    }

    static RowNumbers numbers_of(const JsonPlace& place) {
        place.only_members(
            {"length", "visible_count", "retained_count", "next_slot", "next_id", "write_end"});
        const auto read = [&](const char* name) -> std::optional<Index> {
            const auto member = place.optional_member(name);
            if (!member || member->value().is_null()) return std::nullopt;
            if (!member->value().is_number_integer()) member->fail("an integer or null");
            return member->value().get<Index>();
        };
        return {.length = read("length"),
                .visible_count = read("visible_count"),
                .retained_count = read("retained_count"),
                .next_slot = read("next_slot"),
                .next_id = read("next_id"),
                .write_end = read("write_end")};
    }

    std::shared_ptr<Conversation> conversation_;
    Spec spec_;
    Json session_;
    std::string memory_fault_;
};

class ChildSubject final : public Subject {
public:
    ChildSubject(std::string command, const ChildLimits& limits)
        : command_(std::move(command)), limits_(limits) {
        Json done;
        const Status status = start(done);
        if (!status.ok()) {
            throw InputError("exec:" + command_, status.message, "an answer to hello");
        }
        capabilities_ =
            capabilities_from_wire(JsonPlace(done, "exec:" + command_ + ": hello.done"));
    }

    const Capabilities& capabilities() const override { return capabilities_; }

    Opened open(const Spec& spec, const Parameters& parameters) override {
        if (!conversation_->alive()) {
            Json hello;
            const Status status = start(hello);
            if (!status.ok()) return {status, nullptr};
        }
        Json done;
        const Status status =
            conversation_->ask("open",
                               {{"spec", to_json(spec, Decimals::exact)},
                                {"parameters", to_json(spec, parameters, Decimals::exact)}},
                               done);
        if (!status.ok()) return {status, nullptr};
        if (!done.contains("session")) return {Status::died("open.done has no session"), nullptr};
        return {Status::done(),
                std::make_unique<ChildSession>(conversation_, spec, done["session"])};
    }

private:
    Status start(Json& done) {
        conversation_ = std::make_shared<Conversation>(command_, limits_);
        return conversation_->ask("hello", {{"protocol", 1}}, done);
    }

    std::string command_;
    ChildLimits limits_;
    std::shared_ptr<Conversation> conversation_;
    Capabilities capabilities_;
};

}  // namespace

std::unique_ptr<Subject> make_child(const std::string& command, const ChildLimits& limits) {
    return std::make_unique<ChildSubject>(command, limits);
}

}  // namespace kvcheck
