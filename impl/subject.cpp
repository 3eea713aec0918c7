// SPDX-License-Identifier: Apache-2.0
#include "impl/subject.hpp"

namespace kvcheck {

Status Session::export_kv(Index, const OutputView&, const OutputView&) {
    return Status::refused("this subject does not show its stored keys and values");
}

Status Session::poison_unused(double) {
    return Status::refused("this subject cannot overwrite its unused memory");
}

}  // namespace kvcheck
