// SPDX-License-Identifier: Apache-2.0
// The bench's own flags and sizes (declared in options.hpp).
#include "bench/options.hpp"

#include <charconv>
#include <string_view>

#include "model/types/error.hpp"

namespace kvcheck::bench {
namespace {

int threads_of(std::string_view text) {
    constexpr int most = 64;
    int threads = 0;
    const auto [stop, error] = std::from_chars(text.begin(), text.end(), threads);
    if (error != std::errc() || stop != text.end() || threads < 2 || threads > most) {
        throw InputError("--threads", "\"" + std::string(text) + "\"",
                         "a whole number from 2 to 64: one thread has a row anyway");
    }
    return threads;
}

}  // namespace

Options take_options(int& argc, char** argv) {
    constexpr std::string_view threads = "--threads=";
    constexpr std::string_view engine = "--engine=";
    Options options;
    int kept = 1;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--tiny") {
            options.tiny = true;
        } else if (word.substr(0, threads.size()) == threads) {
            options.threads = threads_of(word.substr(threads.size()));
        } else if (word.substr(0, engine.size()) == engine) {
            const std::string_view given = word.substr(engine.size());
            const std::size_t end = given.find('=');
            if (end == 0 || end == std::string_view::npos) {
                throw InputError("--engine", std::string(given), "NAME=COMMAND");
            }
            options.engines.push_back(
                {std::string(given.substr(0, end)), std::string(given.substr(end + 1))});
        } else {
            argv[kept++] = argv[i];
        }
    }
    argc = kept;
    return options;
}

Sizes sizes_of(const Options& options) {
    if (options.tiny) {
        return {.w1 = prefill("W1", 40),
                .w2 = prefill("W2", 100),
                .w3 = decode("W3", 1, 100),
                .w4 = decode("W4", 2, 70),
                .w8 = windowed("W8", 100, 70),
                .ragged_longest = 256,
                .decode_growth_first = 64,
                .decode_growth_last = 256,
                .prefill_growth_first = 64,
                .prefill_growth_last = 256,
                .repetitions = 1,
                .seconds = 0.001};
    }
    return {.w1 = prefill("W1", 1024),
            .w2 = prefill("W2", 4096),
            .w3 = decode("W3", 1, 4096),
            .w4 = decode("W4", 8, 1024),
            .w8 = windowed("W8", 4096, 256),
            .ragged_longest = 4096,
            .decode_growth_first = 1024,
            .decode_growth_last = 131072,
            .prefill_growth_first = 256,
            .prefill_growth_last = 8192,
            .repetitions = 9,
            .seconds = 0.05};
}

}  // namespace kvcheck::bench
