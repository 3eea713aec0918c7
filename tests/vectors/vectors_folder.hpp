// SPDX-License-Identifier: Apache-2.0
// Where the third-party vectors lie. The project does not contain them and passes without them; the
// tests that read them say so instead of running.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kvcheck::vectors {

/// The parent of all vectors: $KVCHECK_VECTORS, or shared/vectors beside the source tree.
std::filesystem::path vectors_folder();

/// The names of the folders of ONNX attention cases, sorted; empty where there are none.
std::vector<std::string> onnx_case_names();
std::filesystem::path onnx_folder();

}  // namespace kvcheck::vectors
