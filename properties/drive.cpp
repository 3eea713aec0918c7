// SPDX-License-Identifier: Apache-2.0
#include "properties/drive.hpp"

#include <algorithm>
#include <exception>
#include <limits>

namespace kvcheck {
namespace {

/// Runs one call of the subject; whatever escapes it is its death.
template <class Call>
Status guarded(Call&& call) {
    try {
        return call();
    } catch (const std::exception& error) {
        return Status::died(std::string("it threw: ") + error.what());
    } catch (...) {
        return Status::died("it threw something that is no std::exception");
    }
}

/// Which floats of a token's input form each array.
struct Part {
    Index begin;
    Index heads;
    Index width;
};

}  // namespace

/// The memory of one call.
struct Drive::Arrays {
    GuardedArray query, key, value, x, output, weights;
    std::vector<Index> counts;
    std::vector<std::uint8_t> real;
    std::vector<Index> offsets;
};

Drive::Drive(Subject& subject, const Spec& spec, const Parameters& parameters,
             const DriveOptions& options)
    : capabilities_(subject.capabilities()),
      spec_(spec),
      options_(options),
      lengths_(std::size_t(spec.rows), 0) {
    run_.tokens.emplace_back(std::size_t(spec.rows));
    const Status status = guarded([&] {
        Opened opened = subject.open(spec, parameters);
        session_ = std::move(opened.session);
        if (opened.status.ok() && !session_) return Status::died("open returned no session");
        return opened.status;
    });
    if (!status.ok()) trouble(status, "open");
}

void Drive::trouble(const Status& status, const std::string& call) {
    if (run_.trouble) return;
    run_.trouble =
        status.kind == Status::Kind::died
            ? Verdict::crashed(call + ": " + status.message)
            : Verdict::failed("refusal", call + " was refused although the contract admits it: " +
                                             status.message);
}

void Drive::apply(const Command& command) {
    if (in_trouble()) return;
    if (const auto* append = std::get_if<Append>(&command)) {
        apply(*append);
    } else {
        if (!options_.export_every_step) run_.stored.push_back(stored());
        const Status status = guarded([&] { return session_->reset(); });
        if (!status.ok()) return trouble(status, "reset");
        std::fill(lengths_.begin(), lengths_.end(), 0);
        run_.tokens.emplace_back(std::size_t(spec_.rows));
    }
    end_step();
}

void Drive::end_step() {
    ++commands_;
    if (in_trouble()) return;
    run_.numbers.push_back(numbers());
    if (options_.export_every_step) run_.stored.push_back(stored());
}

Run Drive::finish() {
    if (!in_trouble() && !options_.export_every_step) run_.stored.push_back(stored());
    return std::move(run_);
}

std::vector<RowNumbers> Drive::numbers() {
    std::vector<RowNumbers> numbers(lengths_.size());
    if (in_trouble()) return numbers;
    const Status status = guarded([&] { return session_->numbers(numbers); });
    if (!status.ok()) trouble(status, "numbers");
    return numbers;
}

std::vector<StoredRow> Drive::stored() {
    std::vector<StoredRow> rows;
    if (in_trouble() || !capabilities_.features.has(Feature::kv_export)) return rows;
    const ElementType element = capabilities_.element;
    for (Index r = 0; r < spec_.rows; ++r) {
        const Index length = lengths_[std::size_t(r)];
        GuardedArray key(element, {spec_.kv_heads, length, spec_.key_width}, options_.layout);
        GuardedArray value(element, {spec_.kv_heads, length, spec_.value_width}, options_.layout);
        key.seal();
        value.seal();
        const Status status =
            guarded([&] { return session_->export_kv(r, key.output(), value.output()); });
        if (!status.ok()) {
            trouble(status, "export_kv of row " + std::to_string(r));
            return rows;
        }
        if (!key.only_elements_changed() || !value.only_elements_changed()) {
            run_.memory_fault = "export_kv wrote outside the arrays it was given";
        }
        StoredRow& row = rows.emplace_back();
        for (Index slot = 0; slot < length; ++slot) {
            auto& keys = row.key.emplace_back();
            auto& values = row.value.emplace_back();
            for (Index h = 0; h < spec_.kv_heads; ++h) {
                for (Index d = 0; d < spec_.key_width; ++d) keys.push_back(key.get({h, slot, d}));
                for (Index d = 0; d < spec_.value_width; ++d) {
                    values.push_back(value.get({h, slot, d}));
                }
            }
        }
    }
    return rows;
}

Status Drive::call(const Append& append, const Damage* damage, Arrays& arrays) {
    const Index rows = spec_.rows;
    const Index tokens = arrays.output.input().shape.extent[1];
    const double beyond = options_.beyond_count.value_or(std::numeric_limits<float>::quiet_NaN());
    const auto fill = [&](GuardedArray& array, const Part& part) {
        for (Index r = 0; r < rows; ++r) {
            const auto& given = append.rows[std::size_t(r)];
            for (Index t = 0; t < tokens; ++t) {
                for (Index i = 0; i < part.heads * part.width; ++i) {
                    const double value =
                        t < Index(given.size())
                            ? given[std::size_t(t)].input[std::size_t(part.begin + i)]
                            : beyond;
                    if (spec_.level == Level::layer)
                        array.set({r, t, i}, value);
                    else
                        array.set({r, t, i / part.width, i % part.width}, value);
                }
            }
        }
        array.seal();
    };
    if (spec_.level == Level::layer) {
        fill(arrays.x, {0, 1, spec_.model_width});
    } else {
        fill(arrays.query, {0, spec_.query_heads, spec_.key_width});
        fill(arrays.key, {spec_.query_size(), spec_.kv_heads, spec_.key_width});
        fill(arrays.value,
             {spec_.query_size() + spec_.key_size(), spec_.kv_heads, spec_.value_width});
    }
    arrays.output.seal();
    arrays.weights.seal();
    for (const auto& row : append.rows) {
        arrays.counts.push_back(Index(row.size()));
        for (Index t = 0; t < tokens; ++t) {
            arrays.real.push_back(t < Index(row.size()) && row[std::size_t(t)].real ? 1 : 0);
        }
    }
    if (append.query_offset) arrays.offsets = *append.query_offset;

    AppendCall call;
    call.query = arrays.query.input();
    call.key = arrays.key.input();
    call.value = arrays.value.input();
    call.x = arrays.x.input();
    call.output = arrays.output.output();
    const bool with_weights = capabilities_.features.has(Feature::weights);
    if (with_weights) call.weights = arrays.weights.output();
    if (damage != nullptr) {
        if (damage->query_offset) arrays.offsets = *damage->query_offset;
        if (damage->count_of_row_0) arrays.counts[0] = *damage->count_of_row_0;
        for (InputView* view : {&call.query, &call.key, &call.value, &call.x}) {
            view->shape.extent[0] += damage->rows;
            if (damage->other_type) {
                view->type = view->type == ElementType::f32 ? ElementType::f64 : ElementType::f32;
            }
        }
        arrays.counts.resize(std::size_t(rows + damage->rows), 0);
        arrays.real.resize(std::size_t((rows + damage->rows) * tokens), 0);
        call.output.shape.extent[0] += damage->rows;
        if (call.weights) call.weights->shape.extent[0] += damage->rows;
        call.query.shape.extent[2] += damage->query_heads;
        call.key.shape.extent[2] += damage->kv_heads;
        call.value.shape.extent[2] += damage->kv_heads;
        call.query.shape.extent[3] += damage->key_width;
        call.key.shape.extent[3] += damage->key_width;
        call.value.shape.extent[3] += damage->value_width;
        call.x.shape.extent[2] += damage->model_width;
        call.output.shape.extent[std::size_t(call.output.shape.rank - 1)] += damage->output_width;
    }
    call.counts = arrays.counts;
    call.real = arrays.real;
    if (!arrays.offsets.empty()) call.query_offset = arrays.offsets;
    const std::vector<Index> counts = arrays.counts;
    const std::vector<std::uint8_t> real = arrays.real;
    const std::vector<Index> offsets = arrays.offsets;

    const Status status = guarded([&] { return session_->append(call); });

    if (!arrays.query.unchanged() || !arrays.key.unchanged() || !arrays.value.unchanged() ||
        !arrays.x.unchanged() || counts != arrays.counts || real != arrays.real ||
        offsets != arrays.offsets) {
        run_.memory_fault = "append changed one of its inputs, or memory around them";
    }
    if (!arrays.output.only_elements_changed() || !arrays.weights.only_elements_changed()) {
        run_.memory_fault = "append wrote outside the elements of its output";
    }
    return status;
}

namespace {

/// The shapes of a call that brings `tokens` tokens and ends at `longest` slots.
auto shapes_of(const Spec& spec, Index tokens, Index longest) {
    struct Shapes {
        Shape query, key, value, x, output, weights;
    } shapes;
    const Index rows = spec.rows;
    const bool layer = spec.level == Level::layer;
    if (layer) {
        shapes.x = {rows, tokens, spec.model_width};
        shapes.output = shapes.x;
    } else {
        shapes.query = {rows, tokens, spec.query_heads, spec.key_width};
        shapes.key = {rows, tokens, spec.kv_heads, spec.key_width};
        shapes.value = {rows, tokens, spec.kv_heads, spec.value_width};
        shapes.output = {rows, tokens, spec.query_heads, spec.value_width};
    }
    shapes.weights = {rows, spec.query_heads, tokens, longest};
    return shapes;
}

}  // namespace

Drive::Arrays Drive::arrays_for(const Append& append, Index room) const {
    Index longest = 0;
    for (std::size_t r = 0; r < lengths_.size(); ++r) {
        longest = std::max(longest, lengths_[r] + Index(append.rows[r].size()));
    }
    const auto shapes = shapes_of(spec_, count_max(append), longest);
    const auto array = [&](const Shape& shape) {
        return GuardedArray(capabilities_.element, shape, options_.layout, room);
    };
    return {array(shapes.query),
            array(shapes.key),
            array(shapes.value),
            array(shapes.x),
            array(shapes.output),
            array(shapes.weights),
            {},
            {},
            {}};
}

void Drive::apply(const Append& append) {
    if (options_.poison_unused && capabilities_.features.has(Feature::poison_unused)) {
        const Status status =
            guarded([&] { return session_->poison_unused(*options_.poison_unused); });
        if (!status.ok()) return trouble(status, "poison_unused");
    }
    Arrays arrays = arrays_for(append, 0);
    const Status status = call(append, nullptr, arrays);
    if (!status.ok()) return trouble(status, "append (command " + std::to_string(commands_) + ")");
    record(append, arrays);
}

void Drive::record(const Append& append, const Arrays& arrays) {
    const bool with_weights = capabilities_.features.has(Feature::weights);
    for (Index r = 0; r < spec_.rows; ++r) {
        const Index count = Index(append.rows[std::size_t(r)].size());
        lengths_[std::size_t(r)] += count;
        for (Index t = 0; t < count; ++t) {
            Seen& seen = run_.tokens.back()[std::size_t(r)].emplace_back();
            for (Index i = 0; i < spec_.output_size(); ++i) {
                const auto read = [&](std::initializer_list<Index> index) {
                    seen.output.push_back(arrays.output.get(index));
                    seen.written = seen.written && !arrays.output.is_untouched(index);
                };
                if (spec_.level == Level::layer)
                    read({r, t, i});
                else
                    read({r, t, i / spec_.value_width, i % spec_.value_width});
            }
            if (!with_weights) continue;
            for (Index h = 0; h < spec_.query_heads; ++h) {
                auto& weights = seen.weights.emplace_back();
                for (Index slot = 0; slot < lengths_[std::size_t(r)]; ++slot) {
                    weights.push_back(arrays.weights.get({r, h, t, slot}));
                }
            }
        }
    }
}

Status Drive::attempt(const Append& append, const Damage& damage) {
    constexpr Index room = 1;
    Arrays arrays = arrays_for(append, room);
    return call(append, &damage, arrays);
}

Run drive(Subject& subject, const Case& value, const DriveOptions& options) {
    Drive session(subject, value.spec, value.parameters, options);
    for (const Command& command : value.program) session.apply(command);
    return session.finish();
}

}  // namespace kvcheck
