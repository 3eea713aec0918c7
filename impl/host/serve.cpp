// SPDX-License-Identifier: Apache-2.0
#include "impl/host/serve.hpp"

#include <istream>
#include <map>
#include <ostream>

#include "impl/adapters/wire.hpp"
#include "impl/host/guarded_array.hpp"
#include "model/types/error.hpp"

namespace kvcheck {
namespace {

Json answer_of(const Status& status, Json done = Json::object()) {
    Json answer;
    if (status.ok())
        answer["done"] = std::move(done);
    else
        answer["refused"] = status.message;
    return answer;
}

/// The arrays of one append, made from its request.
class ServedCall {
public:
    ServedCall(const JsonPlace& body, const Spec& spec, bool can_weigh) {
        call_.output = {};
        const std::string element = body.member("element").string();
        element_ = element == "f64" ? ElementType::f64 : ElementType::f32;
        if (const auto layout = body.optional_member("layout"))
            layout_ = layout_named(layout->string());
        for (const JsonPlace& count : body.member("counts").elements()) {
            counts_.push_back(count.integer(-extent_max, extent_max));
        }
        const bool layer = spec.level == Level::layer;
        const Index rows = Index(counts_.size());
        const JsonPlace first = body.member(layer ? "x" : "q");
        const Index tokens = wire_shape(first, {rows, 0}).extent[1];
        if (layer) {
            read(x_, first, {rows, tokens, spec.model_width});
        } else {
            read(query_, first, {rows, tokens, spec.query_heads, spec.key_width});
            read(key_, body.member("k"), {rows, tokens, spec.kv_heads, spec.key_width});
            read(value_, body.member("v"), {rows, tokens, spec.kv_heads, spec.value_width});
        }
        for (const JsonPlace& row : body.member("real").elements()) {
            for (const JsonPlace& real : row.elements()) real_.push_back(real.boolean() ? 1 : 0);
        }
        if (const auto offsets = body.optional_member("query_offset")) {
            for (const JsonPlace& offset : offsets->elements()) {
                offsets_.push_back(offset.integer(-extent_max, extent_max));
            }
        }
        const bool wanted = body.optional_member("want_weights").has_value();
        output_.emplace(element_,
                        layer ? Shape{rows, tokens, spec.model_width}
                              : Shape{rows, tokens, spec.query_heads, spec.value_width},
                        layout_);
        with_weights_ = wanted && can_weigh;
        tokens_ = tokens;
    }

    /// `longest`: slots of the longest row after the call.
    const AppendCall& call(const Spec& spec, Index longest) {
        call_.counts = counts_;
        const auto view = [](const std::optional<GuardedArray>& array) {
            return array ? array->input() : InputView{};
        };
        call_.query = view(query_);
        call_.key = view(key_);
        call_.value = view(value_);
        call_.x = view(x_);
        call_.real = real_;
        if (!offsets_.empty()) call_.query_offset = offsets_;
        call_.output = output_->output();
        if (with_weights_) {
            weights_.emplace(element_,
                             Shape{Index(counts_.size()), spec.query_heads, tokens_, longest},
                             layout_);
            call_.weights = weights_->output();
        }
        return call_;
    }

    const std::vector<Index>& counts() const { return counts_; }

    Json done() const {
        Json json;
        json["output"] = written(*output_);
        if (weights_) json["weights"] = written(*weights_);
        const std::string fault = memory_fault();
        if (!fault.empty()) json["memory_fault"] = fault;
        return json;
    }

private:
    /// A wrong call's arrays get spare room, so that a subject that trusts its spec stays inside.
    void read(std::optional<GuardedArray>& array, const JsonPlace& place, const Shape& right) {
        const Shape shape = wire_shape(place, right);
        array.emplace(element_, shape, layout_, shape == right ? 0 : 1);
        read_wire(place, array->output());
        array->seal();
    }

    /// The elements of an output; null where the poison is still there.
    static Json written(const GuardedArray& array) {
        const InputView view = array.input();
        const auto build = [&](const auto& self, int dimension, Index offset) -> Json {
            if (dimension == view.shape.rank) {
                const std::byte* const element = view.data + offset * Index(size_of(view.type));
                if (GuardedArray::is_poison(view.type, element)) return nullptr;
                return wire_json(InputView{element, view.type, Shape{}, {}});
            }
            Json list = Json::array();
            const auto d = std::size_t(dimension);
            for (Index i = 0; i < view.shape.extent[d]; ++i) {
                list.push_back(self(self, dimension + 1, offset + i * view.stride[d]));
            }
            return list;
        };
        return build(build, 0, 0);
    }

    std::string memory_fault() const {
        for (const auto* input : {&query_, &key_, &value_, &x_}) {
            if (*input && !(*input)->unchanged()) {
                return "append changed one of its inputs, or memory around it";
            }
        }
        for (const auto* output : {&output_, &weights_}) {
            if (*output && !(*output)->only_elements_changed()) {
                return "append wrote outside the elements of its outputs";
            }
        }
        return {};
    }

    AppendCall call_;
    ElementType element_ = ElementType::f32;
    Layout layout_ = Layout::packed;
    Index tokens_ = 0;
    bool with_weights_ = false;
    std::vector<Index> counts_;
    std::vector<std::uint8_t> real_;
    std::vector<Index> offsets_;
    std::optional<GuardedArray> query_, key_, value_, x_, output_, weights_;
};

struct Served {
    Spec spec;
    std::unique_ptr<Session> session;
    std::vector<Index> lengths;
};

class Server {
public:
    explicit Server(Subject& subject) : subject_(subject) {}

    Json answer(const std::string& line) {
        const Json request = parse_json(line, "request");
        const JsonPlace root(request, "request");
        if (root.optional_member("hello")) {
            return answer_of(Status::done(), wire_json(subject_.capabilities()));
        }
        if (const auto body = root.optional_member("open")) return open(*body);
        if (const auto body = root.optional_member("append")) return append(*body);
        if (const auto body = root.optional_member("reset")) return reset(*body);
        if (const auto body = root.optional_member("numbers")) return numbers(*body);
        if (const auto body = root.optional_member("export_kv")) return export_kv(*body);
        if (const auto body = root.optional_member("poison_unused")) {
            return answer_of(
                session(*body).session->poison_unused(body->member("pattern").number()));
        }
        if (const auto body = root.optional_member("close")) {
            sessions_.erase(session_number(*body));
            return answer_of(Status::done());
        }
        root.fail("hello, open, append, reset, numbers, export_kv, poison_unused or close");
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
        served.lengths.assign(std::size_t(served.spec.rows), 0);
        const Index number = ++opened_;
        sessions_[number] = std::move(served);
        return answer_of(Status::done(), {{"session", number}});
    }

    Json append(const JsonPlace& body) {
        Served& served = session(body);
        ServedCall call(body, served.spec, subject_.capabilities().features.has(Feature::weights));
        Index longest = 0;
        for (std::size_t r = 0; r < served.lengths.size() && r < call.counts().size(); ++r) {
            longest = std::max(longest, served.lengths[r] + std::max<Index>(call.counts()[r], 0));
        }
        const Status status = served.session->append(call.call(served.spec, longest));
        if (!status.ok()) return answer_of(status);
        for (std::size_t r = 0; r < served.lengths.size(); ++r)
            served.lengths[r] += call.counts()[r];
        return answer_of(status, call.done());
    }

    Json reset(const JsonPlace& body) {
        Served& served = session(body);
        const Status status = served.session->reset();
        if (status.ok()) served.lengths.assign(served.lengths.size(), 0);
        return answer_of(status);
    }

    Json numbers(const JsonPlace& body) {
        Served& served = session(body);
        std::vector<RowNumbers> rows(std::size_t(served.spec.rows));
        const Status status = served.session->numbers(rows);
        Json list = Json::array();
        for (const RowNumbers& row : rows) {
            Json json = Json::object();
            const auto add = [&](const char* name, const std::optional<Index>& number) {
                if (number) json[name] = *number;
            };
            add("length", row.length);
            add("visible_count", row.visible_count);
            add("retained_count", row.retained_count);
            add("next_slot", row.next_slot);
            add("next_id", row.next_id);
            add("write_end", row.write_end);
            list.push_back(std::move(json));
        }
        return answer_of(status, {{"rows", list}});
    }

    Json export_kv(const JsonPlace& body) {
        Served& served = session(body);
        const Index row = body.member("row").integer(0, served.spec.rows - 1);
        const Index length = served.lengths[std::size_t(row)];
        const ElementType element = subject_.capabilities().element;
        const Spec& spec = served.spec;
        GuardedArray key(element, {spec.kv_heads, length, spec.key_width}, Layout::packed);
        GuardedArray value(element, {spec.kv_heads, length, spec.value_width}, Layout::packed);
        const Status status = served.session->export_kv(row, key.output(), value.output());
        return answer_of(status,
                         {{"key", wire_json(key.input())}, {"value", wire_json(value.input())}});
    }

    Subject& subject_;
    std::map<Index, Served> sessions_;
    Index opened_ = 0;
};

}  // namespace

void serve(Subject& subject, std::istream& in, std::ostream& out) {
    Server server(subject);
    for (std::string line; std::getline(in, line);) {
        Json answer;
        try {
            answer = server.answer(line);
        } catch (const InputError& error) {
            answer["refused"] = error.what();
        }
        out << answer.dump() << "\n" << std::flush;
    }
}

}  // namespace kvcheck
