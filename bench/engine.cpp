// SPDX-License-Identifier: Apache-2.0
// Engines of others as child programs (declared in engine.hpp).
#include "bench/engine.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

#include "bench/beside.hpp"
#include "bench/peer_rows.hpp"
#include "impl/protocol/child_process.hpp"
#include "impl/protocol/own_folder.hpp"
#include "model/types/numeric_profile.hpp"

namespace kvcheck::bench {
namespace {

using Json = nlohmann::json;

constexpr AnswerSize answer_max{.bytes_max = 1 << 16, .parts_max = 16, .frame_bytes_max = 0};

ChildLimits limits() {
    ChildLimits limits;
    limits.answer = limits.first_answer = std::chrono::minutes(5);
    limits.pass_errors = true;
    limits.memory_bytes_max = 0;
    return limits;
}

void write(const std::string& path, std::span<const float> values) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size_bytes()));
}

/// Fewer than `count` where the file is shorter.
std::vector<float> read(const std::string& path, std::size_t count) {
    std::vector<float> values(count);
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(values.data()),
              std::streamsize(values.size() * sizeof(float)));
    values.resize(std::size_t(file.gcount()) / sizeof(float));
    return values;
}

/// What was answered: the value of "done", or words in `refusal`.
Json answered(const std::string& line, std::string& refusal) {
    const Json answer = Json::parse(line, nullptr, false);
    if (answer.is_object() && answer.contains("done")) return answer["done"];
    const bool refused =
        answer.is_object() && answer.contains("refused") && answer["refused"].is_string();
    refusal = refused ? answer["refused"].get<std::string>() : line;
    return {};
}

}  // namespace

Engine::Engine(std::string name, std::string command)
    : name_(std::move(name)), command_(std::move(command)) {}

Engine::~Engine() = default;

std::string Engine::ask(const std::string& line) {
    if (!child_) child_ = std::make_unique<ChildProcess>(command_, limits());
    if (!child_->alive()) return "it is gone";
    return child_->ask(line + "\n", answer_max).text;
}

std::string Engine::prepare(const Workload& w) {
    if (prepared_ == w.name) return refusal_;
    prepared_ = w.name;
    refusal_.clear();
    const Call prefix(w.spec(w.past + w.tokens), w.past, 1);
    const Call step(w.spec(w.past + w.tokens), w.tokens, 7);
    const OwnFolder folder;
    const auto path = [&](const char* name) { return folder.path() + "/" + name; };
    write(path("query"), {step.query().data(), step.query().size()});
    write(path("key"), joined(prefix.key(), step.key(), w.rows));
    write(path("value"), joined(prefix.value(), step.value(), w.rows));
    const Json request = {{"prepare",
                           {{"rows", w.rows},
                            {"query_heads", w.query_heads},
                            {"kv_heads", w.kv_heads},
                            {"width", w.width},
                            {"past", w.past},
                            {"tokens", w.tokens},
                            {"folder", folder.path()}}}};
    const Json done = answered(ask(request.dump()), refusal_);
    if (!refusal_.empty()) return refusal_;
    if (!done.is_string()) return refusal_ = "it answered nonsense";
    const std::vector<float> output = read(path("output"), step.output().size());
    if (output.size() < step.output().size()) return refusal_ = "it wrote too little";
    require_right(name_ + ", " + done.get<std::string>(),
                  worst_ratio(w, &prefix, step, output.data(), profile_of_digits(24)));
    return refusal_;
}

double Engine::run() {
    std::string refusal;
    const Json done = answered(ask(R"({"run": {}})"), refusal);
    return done.is_number() ? done.get<double>() : -1;
}

void time_engine(benchmark::State& state, const Workload& w, Engine& engine) {
    const std::string refusal = engine.prepare(w);
    for (auto _ : state) {
        const double seconds = refusal.empty() ? engine.run() : -1;
        if (seconds < 0) {
            state.SkipWithError(refusal.empty() ? "it died" : refusal.c_str());
            break;
        }
        state.SetIterationTime(seconds);
    }
    if (w.past > 0) {
        count_bytes(state, w.bytes());
    } else {
        count_operations(state, w.flops());
    }
}

}  // namespace kvcheck::bench
