// SPDX-License-Identifier: Apache-2.0
// Drafts (clause 16): tokens of a case that is drawn already get other parents than the slot before
// them, and a tree that ends it may be committed.
#pragma once

#include "model/case.hpp"

namespace kvcheck {

/// Makes trees of some rows, where `allowed` has them; the case stays within it. With
/// `is_wanted`, of every case that can have one.
void draw_tree(const FeatureSet& allowed, bool is_wanted, Case& test_case);

}  // namespace kvcheck
