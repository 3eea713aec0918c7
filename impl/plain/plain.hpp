// SPDX-License-Identifier: Apache-2.0
// The textbook subject: attention and an attention layer with a growing cache, one query at a time,
// in the order in which a book would explain it. Nothing is fast here; it is what a reader compares
// an own implementation with. In float and in double.
#pragma once

#include <memory>

#include "impl/plain/rules.hpp"
#include "impl/subject.hpp"

namespace kvcheck {

/// `name` is what the subject calls itself; `rules` are its decisions, right or broken.
template <class Scalar>
std::unique_ptr<Subject> make_plain(std::string name, std::shared_ptr<const PlainRules> rules);

extern template std::unique_ptr<Subject> make_plain<float>(std::string,
                                                           std::shared_ptr<const PlainRules>);
extern template std::unique_ptr<Subject> make_plain<double>(std::string,
                                                            std::shared_ptr<const PlainRules>);

}  // namespace kvcheck
