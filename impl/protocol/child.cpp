// SPDX-License-Identifier: Apache-2.0
// A child behind the subject interface (declared in child.hpp): requests made, answers read.
#include "impl/protocol/child.hpp"

#include <nlohmann/json.hpp>

#include "impl/protocol/answer_size.hpp"
#include "impl/protocol/wire.hpp"
#include "model/types/enum_names.hpp"
#include "model/types/error.hpp"
#include "model/types/lifecycle_json.hpp"
#include "model/types/shown.hpp"

namespace kvcheck {
namespace {

/// Many languages write a number that JSON has not by default.
std::string spelling_hint(const std::string& text) {
    const bool bare =
        text.find("NaN") != std::string::npos || text.find("Infinity") != std::string::npos;
    return bare ? R"( (JSON has no NaN and no Infinity: they travel as "nan", "inf", "-inf"))" : "";
}

/// One process and the conversation with it.
class Conversation {
public:
    Conversation(const std::string& command, const ChildLimits& limits)
        : process_(command, limits) {}

    /// Asks and returns what stands under "done"; anything else is the status. `numbers`: how many
    /// an answer holds.
    Status ask(std::string_view verb, Json body, Json& done, Index numbers = 0) {
        if (!process_.alive()) {
            untold_ = Status::done();  // it is told now
            return {gone_.kind, "the process is gone: " + gone_.message, gone_.by_others};
        }
        Status status = exchange(verb, std::move(body), done, answer_size(numbers));
        if (!process_.alive()) gone_ = status;
        return status;
    }

    bool alive() const { return process_.alive(); }
    const Status& gone() const { return gone_; }
    void give_up() { process_.give_up(); }
    /// What it says next may answer anything.
    Status give_up_on(const std::string& what) {
        return gone_ = Status::died(process_.give_up_on(what));
    }
    Status finish() {
        const ChildProcess::Reply reply = process_.finish();
        if (reply.kind == ChildProcess::Reply::Kind::timed_out)
            return Status::timed_out(reply.text);
        if (reply.kind == ChildProcess::Reply::Kind::died) return died(reply);
        return Status::done();
    }
    /// The program lays the arrays out in memory and is told the views.
    bool has_memory() const { return has_memory_; }
    void set_memory(bool has_memory) { has_memory_ = has_memory; }

    /// Trouble that arose where nobody could report it, for whoever asks next; the first is kept.
    void keep_untold(Status trouble) {
        if (untold_.ok()) untold_ = std::move(trouble);
    }
    Status take_untold() { return std::exchange(untold_, Status::done()); }

private:
    static Status died(const ChildProcess::Reply& reply) {
        Status status = Status::died(reply.text);
        status.by_others = reply.by_others;
        return status;
    }

    Status exchange(std::string_view verb, Json body, Json& done, const AnswerSize& size) {
        Json request;
        request[std::string(verb)] = std::move(body);
        ChildProcess::Reply reply = process_.ask(request.dump(), size.bytes_max);
        using Kind = ChildProcess::Reply::Kind;
        if (reply.kind == Kind::timed_out) return Status::timed_out(reply.text);
        if (reply.kind == Kind::died) return died(reply);
        if (has_more_parts(reply.text, size.parts_max)) {
            return give_up_on("its answer has more parts than what was asked allows; it begins " +
                              shown(reply.text));
        }
        try {
            const std::string place = "the answer to " + std::string(verb);
            const Json answer = parse_json(reply.text, place);
            const JsonPlace root(answer, place);
            if (const auto refused = root.optional_member("refused")) {
                return Status::refused(shown(refused->string()));
            }
            if (const auto died = root.optional_member("died")) {
                const std::string how = shown(died->string());
                return Status::died(how + "; " + process_.give_up());
            }
            root.only_members({"done"});
            done = root.member("done").value();
        } catch (const InputError& error) {
            return give_up_on(std::string(error.what()) + spelling_hint(reply.text) +
                              "; it said: " + shown(reply.text));
        }
        return Status::done();
    }

    ChildProcess process_;
    Status gone_ = Status::died("it never started");  // once it is: how it went
    Status untold_;
    bool has_memory_ = false;
};

class ChildSession final : public Session {
public:
    ChildSession(std::shared_ptr<Conversation> conversation, const Spec& spec, Json session)
        : conversation_(std::move(conversation)), spec_(spec), session_(std::move(session)) {}

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
        Json done;
        Status status = conversation_->ask("close", {{"session", session_}}, done);
        // One line too many before would otherwise pass for this answer, now and then.
        for (const char* const other : {"output", "rows", "key", "session"}) {
            if (!done.is_object() || !done.contains(other)) continue;
            return conversation_->give_up_on("close.done has the member " + std::string(other));
        }
        return status;
    }

    Status append(const AppendCall& call) override {
        memory_fault_.clear();
        if (!conversation_->has_memory() && !output_fits_inputs(call)) {
            return Status::refused("the caller's own output has a wrong shape or type");
        }
        Json body = request_of(call);
        Json done;
        const Index numbers =
            call.output.shape.size() + (call.weights ? call.weights->shape.size() : 0);
        Status status = conversation_->ask("append", std::move(body), done, numbers);
        if (!status.ok()) return status;
        return read_answer([&] {
            const JsonPlace root(done, "append.done");
            if (call.output.shape.size() > 0) read_wire(root.member("output"), call.output);
            if (call.weights && call.weights->shape.size() > 0) {
                read_wire(root.member("weights"), *call.weights);
            }
            read_fault(root);
        });
    }

    Status apply(const Lifecycle& command) override {
        Json body = {{"session", session_}};
        body.update(to_json(command));
        Json done;
        return conversation_->ask(name_of(command), std::move(body), done);
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
        memory_fault_.clear();
        Json done;
        Status status = conversation_->ask(
            "export_kv", {{"session", session_}, {"row", row}, {"length", key.shape.extent[1]}},
            done, key.shape.size() + value.shape.size());
        if (!status.ok()) return status;
        return read_answer([&] {
            const JsonPlace root(done, "export_kv.done");
            if (key.shape.size() > 0) read_wire(root.member("key"), key);
            if (value.shape.size() > 0) read_wire(root.member("value"), value);
            read_fault(root);
        });
    }

    Status poison_unused(double pattern) override {
        Json done;
        return conversation_->ask(
            "poison_unused", {{"session", session_}, {"pattern", to_json(float(pattern))}}, done);
    }

    std::string memory_fault() const override { return memory_fault_; }

private:
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

    /// What the guards on the program's side saw.
    void read_fault(const JsonPlace& done) {
        if (const auto fault = done.optional_member("memory_fault")) {
            memory_fault_ = shown(fault->string());
        }
    }

    Json request_of(const AppendCall& call) const {
        Json body;
        body["session"] = session_;
        body["element"] = element_of(call);
        body["counts"] = std::vector<Index>(call.counts.begin(), call.counts.end());
        for (const TokenArray& array : input_arrays(spec_.level)) {
            body[std::string(array.name)] = wire_json(input_of(call, array.role));
        }
        Json rows = Json::array();
        const std::size_t tokens = call.counts.empty() ? 0 : call.real.size() / call.counts.size();
        for (std::size_t r = 0; r < call.counts.size(); ++r) {
            Json row = Json::array();
            for (std::size_t t = 0; t < tokens; ++t) row.push_back(call.real[r * tokens + t] != 0);
            rows.push_back(std::move(row));
        }
        body["real"] = std::move(rows);
        if (call.query_offset) {
            body["query_offset"] =
                std::vector<Index>(call.query_offset->begin(), call.query_offset->end());
        }
        if (call.weights) body["want_weights"] = true;
        if (conversation_->has_memory()) body["views"] = views_of(call);
        return body;
    }

    Json views_of(const AppendCall& call) const {
        Json views;
        for (const TokenArray& array : input_arrays(spec_.level)) {
            views[std::string(array.name)] = wire_json(claim_of(input_of(call, array.role)));
        }
        views["output"] = wire_json(claim_of(call.output));
        if (call.weights) views["weights"] = wire_json(claim_of(*call.weights));
        return views;
    }

    std::vector<const InputView*> inputs_of(const AppendCall& call) const {
        std::vector<const InputView*> inputs;
        for (const TokenArray& array : input_arrays(spec_.level))
            inputs.push_back(&input_of(call, array.role));
        return inputs;
    }

    /// "mixed" where the inputs do not agree.
    std::string element_of(const AppendCall& call) const {
        const auto inputs = inputs_of(call);
        for (const InputView* input : inputs) {
            if (input->type != inputs.front()->type) return "mixed";
        }
        return std::string(name_of(inputs.front()->type));
    }

    /// A program without memory of ours never sees the output's view; where only that is wrong, it
    /// cannot be asked to refuse.
    bool output_fits_inputs(const AppendCall& call) const {
        const bool layer = spec_.level == Level::layer;
        Shape shape = layer ? call.x.shape : call.query.shape;
        if (!layer) shape.extent[3] = call.value.shape.extent[3];
        for (const InputView* input : inputs_of(call)) {
            if (call.output.type == input->type) return call.output.shape == shape;
        }
        return false;
    }

    static RowNumbers numbers_of(const JsonPlace& place) {
        place.only_members({row_number_names.begin(), row_number_names.end()});
        RowNumbers numbers;
        for_each_field(numbers, [&](std::string_view name, std::optional<Index>& number) {
            const auto member = place.optional_member(name);
            if (!member || member->value().is_null()) return;
            if (!member->value().is_number_integer()) member->fail("an integer or null");
            number = member->value().get<Index>();
        });
        return numbers;
    }

    std::shared_ptr<Conversation> conversation_;
    Spec spec_;
    Json session_;
    bool is_closed_ = false;
    std::string memory_fault_;
};

class ChildSubject final : public Subject {
public:
    ChildSubject(std::string command, const ChildLimits& limits, const ChildName& name)
        : command_(std::move(command)),
          name_(name.typed.empty() ? "exec:" + command_ : name.typed),
          limits_(limits) {
        Json done;
        const Status status = start(done);
        const bool refused = status.kind == Status::Kind::refused;
        if (refused && name.is_server) throw InputError(status.message);
        const std::string found = (refused ? "a refusal: " : "") + status.message;
        if (!status.ok()) throw InputError(name_, found, "an answer to hello");
        capabilities_ = capabilities_from_wire(hello_place(done));
        conversation_->set_memory(has_memory_from_wire(hello_place(done)));
    }

    const Capabilities& capabilities() const override { return capabilities_; }

    Opened open(const Spec& spec, const Parameters& parameters) override {
        // A death at the end of an earlier session is told by the next one.
        if (const Status untold = conversation_->take_untold(); !untold.ok())
            return {untold, nullptr};
        if (!conversation_->alive()) {
            const Status& gone = conversation_->gone();
            const bool hung = gone.kind == Status::Kind::timed_out;
            if (hung && forgiven_ != conversation_) return {gone, nullptr};
            const Status status = start_again();
            if (!status.ok()) return {status, nullptr};
        }
        Json done;
        const Status status =
            conversation_->ask("open",
                               {{"spec", to_json(spec, Decimals::exact)},
                                {"parameters", to_json(spec, parameters, Decimals::exact)}},
                               done);
        if (!status.ok()) return {status, nullptr};
        if (!done.contains("session")) {
            return {conversation_->give_up_on("open.done has no session"), nullptr};
        }
        return {Status::done(),
                std::make_unique<ChildSession>(conversation_, spec, done["session"])};
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
    Status start(Json& done) {
        conversation_ = std::make_shared<Conversation>(command_, limits_);
        return conversation_->ask("hello", {{"protocol", 1}}, done);
    }

    /// A new process that answers hello as the first one did is as good as it; anything else is its
    /// death, or its hang.
    Status start_again() {
        try {
            Json done;
            Status status = start(done);
            if (status.ok()) {
                const JsonPlace hello = hello_place(done);
                capabilities_from_wire(hello);
                conversation_->set_memory(has_memory_from_wire(hello));
            }
            return status;
        } catch (const InputError& error) {  // also where there is no process to be had
            return Status::died(std::string("started again: ") + error.what());
        }
    }

    JsonPlace hello_place(const Json& done) const { return {done, name_ + ": hello.done"}; }

    std::string command_;
    std::string name_;  // in errors
    ChildLimits limits_;
    std::shared_ptr<Conversation> conversation_;
    std::shared_ptr<Conversation> forgiven_;  // one that hung in an earlier case
    Capabilities capabilities_;
};

}  // namespace

std::unique_ptr<Subject> make_child(const std::string& command, const ChildLimits& limits,
                                    const ChildName& name) {
    return std::make_unique<ChildSubject>(command, limits, name);
}

}  // namespace kvcheck
