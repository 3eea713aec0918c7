// SPDX-License-Identifier: Apache-2.0
// How the numbers of rows travel: as a line's array of objects, or as words of a frame. A number
// that a subject does not have is left out, or null, there and a word that says so here.
#pragma once

#include <span>

#include "impl/protocol/frame.hpp"
#include "model/types/json.hpp"
#include "model/types/row_numbers.hpp"

namespace kvcheck {

Json wire_json(std::span<const RowNumbers> rows);
/// From what stands under "done". Throws InputError, also where there are not as many rows.
void read_numbers(const Json& done, std::span<RowNumbers> rows);

/// The words of an answer with these rows.
Index numbers_frame_words(std::span<const RowNumbers> rows);
void write_numbers(FrameWriter& frame, std::span<const RowNumbers> rows);
/// Throws like the other one.
void read_numbers(FrameReader& frame, std::span<RowNumbers> rows);

}  // namespace kvcheck
