// SPDX-License-Identifier: Apache-2.0
// Where counterexamples go and come from: one file each, named by property and content.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/case_file.hpp"

namespace kvcheck {

/// Writes `path` whole or not at all, making its folder; false where it cannot, with the reason.
bool write_case_file(const std::string& path, const CaseFile& file, std::string& trouble);

/// Writes the file whole or not at all and returns its path; on failure returns an empty string and
/// says why in `trouble`.
std::string save_counterexample(const std::string& folder, const CaseFile& file,
                                std::string& trouble);

/// Reads every .json file of a folder, sorted by name. One that is no case is passed over and told
/// in `troubles`. Throws InputError for a folder that cannot be read.
std::vector<std::pair<std::string, CaseFile>> read_corpus(const std::string& folder,
                                                          std::vector<std::string>& troubles);

}  // namespace kvcheck
