// SPDX-License-Identifier: Apache-2.0
// What is long when it is asked of a child, an open and an append: a line for a program in any
// language, or a frame. The other requests are put together where they are made.
#pragma once

#include "impl/protocol/frame.hpp"
#include "impl/subject.hpp"
#include "model/types/json.hpp"

namespace kvcheck {

Json open_body(const Spec& spec, const Parameters& parameters);
/// The same as a frame; `spec_text` is the spec as JSON text.
std::string open_frame(const std::string& spec_text, const Parameters& parameters);
std::string spec_text(const Spec& spec);

/// The parameters that follow the spec in a frame. Throws InputError where they are not what the
/// spec asks for.
Parameters read_parameters(FrameReader& frame, const Spec& spec);

/// The members of an append; `with_views` where the program is told how the arrays lie in memory.
Json append_body(const AppendCall& call, const Spec& spec, const Json& session, bool with_views);

/// The same as a frame, which always tells the views.
std::string append_frame(const AppendCall& call, const Spec& spec, Index session);

/// False where only the output's view is wrong: a program that is not told the views never sees it
/// and cannot be asked to refuse.
bool output_fits_inputs(const AppendCall& call, const Spec& spec);

}  // namespace kvcheck
