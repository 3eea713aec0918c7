// SPDX-License-Identifier: Apache-2.0
// A decoder driven through a case, and what it said: logits with the history they were computed on,
// and what every layer's cache held after every command. Judges only whether it answered.
#pragma once

#include <string>
#include <vector>

#include "impl/decoder.hpp"
#include "model/cache_state.hpp"
#include "properties/decoder/decoder_case.hpp"

namespace kvcheck {

struct DecoderObservation {
    Index command = 0;
    Index row = 0;
    History history;  // of the row up to and including the token
    std::vector<double> logits;
};

struct DecoderExport {
    Index command = 0;  // after which it was made
    Index row = 0;
    History history;
    std::vector<StoredLayer> layers;
};

struct DecoderRun {
    std::string trouble;  // an admissible command that was refused; the run ends there
    Index troubled_command = 0;
    std::vector<DecoderObservation> observations;
    std::vector<DecoderExport> exports;
};

DecoderRun drive_decoder(Decoder& decoder, const DecoderCase& test_case);

}  // namespace kvcheck
