// SPDX-License-Identifier: Apache-2.0
// Jobs and their results as bytes, for another process of the same program on the same machine: no
// format that outlives a run.
#pragma once

#include <string>

#include "properties/rounds/job.hpp"

namespace kvcheck {

std::string packed(const Job& job);
std::string packed(const JobResult& result);

/// Needs: bytes that packed() has made.
Job unpacked_job(const std::string& bytes);
JobResult unpacked_result(const std::string& bytes);

}  // namespace kvcheck
