// SPDX-License-Identifier: Apache-2.0
// Driving a decoder (declared in decoder_run.hpp).
#include "properties/decoder/decoder_run.hpp"

namespace kvcheck {
namespace {

DecoderCall call_of(const Append& append) {
    DecoderCall call;
    for (const auto& row : append.rows) {
        auto& tokens = call.tokens.emplace_back();
        auto& real = call.real.emplace_back();
        for (const Token& token : row) {
            tokens.push_back(Index(token.input.front()));
            real.push_back(token.real ? 1 : 0);
        }
    }
    return call;
}

}  // namespace

DecoderRun drive_decoder(Decoder& decoder, const DecoderCase& test_case) {
    DecoderRun run;
    CacheState state(test_case.spec.attention,
                     position_limit(test_case.spec, test_case.parameters));
    for (std::size_t n = 0; n < test_case.program.size(); ++n) {
        const Command& command = test_case.program[n];
        const auto* const append = std::get_if<Append>(&command);
        DecoderAnswer answer;
        Status status;
        if (append != nullptr) {
            status = decoder.append(call_of(*append), answer);
        } else {
            status = std::visit(
                Overload{[](const Append&) { return Status::done(); },
                         [](const Reload&) { return Status::refused("reload: no decoder saves"); },
                         [](const Publish&) { return Status::refused("publish: no decoder does"); },
                         [](const Reuse&) { return Status::refused("reuse: no decoder does"); },
                         [&](const auto& one) { return decoder.apply(one); }},
                command);
        }
        if (!status.ok()) {
            run.trouble = status.message;
            run.troubled_command = Index(n);
            return run;
        }
        const CacheState before = state;
        state.apply(command);
        for (Index r = 0; append != nullptr && r < state.row_count(); ++r) {
            const Index past = before.row(r).length();
            const auto& logits = answer.logits[std::size_t(r)];
            for (std::size_t t = 0; t < logits.size(); ++t) {
                run.observations.push_back(
                    {Index(n), r, state.row(r).up_to(past + Index(t) + 1), logits[t]});
            }
        }
        for (Index r = 0; r < state.row_count(); ++r) {
            DecoderExport shown{Index(n), r, state.row(r), {}};
            while (const auto layer = decoder.stored(r, Index(shown.layers.size()))) {
                shown.layers.push_back(*layer);
            }
            run.exports.push_back(std::move(shown));
        }
    }
    return run;
}

}  // namespace kvcheck
