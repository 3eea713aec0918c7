// SPDX-License-Identifier: Apache-2.0
#include "tests/impl/protocol/served.hpp"

#include <unistd.h>

#include <cstdio>
#include <sstream>
#include <stdexcept>

#include "impl/protocol/frame.hpp"
#include "impl/protocol/serve.hpp"

namespace kvcheck {
namespace {

/// Standard output goes to a file of its own for as long as this lives.
class Diverted {
public:
    Diverted() : file_(std::tmpfile()), before_(dup(STDOUT_FILENO)) {
        if (file_ == nullptr || before_ < 0) throw std::runtime_error("no file for an answer");
        std::fflush(stdout);
        dup2(fileno(file_), STDOUT_FILENO);
    }
    ~Diverted() {
        std::fflush(stdout);
        dup2(before_, STDOUT_FILENO);
        close(before_);
        std::fclose(file_);
    }
    Diverted(const Diverted&) = delete;
    Diverted& operator=(const Diverted&) = delete;

    std::string text() const {
        std::string text;
        std::rewind(file_);
        for (int c = 0; (c = std::fgetc(file_)) != EOF;) text.push_back(char(c));
        return text;
    }

private:
    std::FILE* file_;
    int before_;
};

/// The claim of a packed view.
Json packed(const std::vector<Index>& shape) {
    Json stride = Json::array();
    for (std::size_t i = 0; i < shape.size(); ++i) {
        Index step = 1;
        for (std::size_t later = i + 1; later < shape.size(); ++later) step *= shape[later];
        stride.push_back(step);
    }
    return {{"element", "f32"}, {"shape", shape}, {"stride", stride}, {"offset", 0}};
}

}  // namespace

std::vector<std::string> served_messages(Subject& subject,
                                         const std::vector<std::string>& messages) {
    std::string all;
    for (const std::string& message : messages)
        all += begins_frame(message) ? message : message + "\n";
    std::istringstream in(all);
    const Diverted standard_output;
    {
        StandardOutput out;
        serve(subject, in, out);
    }
    std::istringstream answers(standard_output.text());
    std::vector<std::string> list;
    for (std::string answer; read_message(answers, answer);) list.push_back(answer);
    return list;
}

std::vector<Json> served(Subject& subject, const std::vector<std::string>& requests) {
    std::vector<Json> list;
    for (const std::string& line : served_messages(subject, requests))
        list.push_back(Json::parse(line));
    return list;
}

std::string open_request(Index rows, Index capacity) {
    Spec spec;
    spec.rows = rows;
    spec.capacity = capacity;
    const Json body = {{"spec", to_json(spec)}, {"parameters", Json::object()}};
    return Json{{"open", body}}.dump();
}

Json append_body(Index session, const std::vector<std::vector<int>>& values) {
    const Index rows = Index(values.size());
    const Index tokens = Index(values.front().size());
    Json body = {{"session", session}, {"element", "f32"}};
    for (const char* const name : {"q", "k", "v"}) {
        body[name] = Json::array();
        for (const auto& row : values) {
            Json list = Json::array();
            for (const int value : row) {
                Json width = Json::array();
                width.push_back(*name == 'q' ? 0 : value);
                Json heads = Json::array();
                heads.push_back(std::move(width));
                list.push_back(std::move(heads));
            }
            body[name].push_back(std::move(list));
        }
        body["views"][name] = packed({rows, tokens, 1, 1});
    }
    body["views"]["output"] = packed({rows, tokens, 1, 1});
    body["counts"] = std::vector<Index>(values.size(), tokens);
    body["real"] =
        std::vector<std::vector<bool>>(values.size(), std::vector<bool>(std::size_t(tokens), true));
    return body;
}

std::string append_request(Index session, const std::vector<std::vector<int>>& values) {
    Json request;
    request["append"] = append_body(session, values);
    return request.dump();
}

}  // namespace kvcheck
