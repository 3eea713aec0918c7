// SPDX-License-Identifier: Apache-2.0
// The table of built-in subjects (declared in catalogue.hpp).
#include "impl/catalogue.hpp"

#include "impl/fast/fast.hpp"
#include "impl/plain/plain.hpp"

namespace kvcheck {
namespace {

template <class Scalar>
std::unique_ptr<Subject> plain(std::string name) {
    return make_plain<Scalar>(std::move(name), std::make_shared<PlainRules>());
}

std::unique_ptr<Subject> fast(std::string name) { return make_fast(std::move(name)); }

}  // namespace

const std::vector<SubjectEntry>& built_in_subjects() {
    static const std::vector<SubjectEntry> subjects = {
        {"plain", "the textbook layer in float", plain<float>},
        {"plain-double", "the textbook layer in double", plain<double>},
        {"fast", "blocked attention in float, with SIMD chosen at run time", fast},
    };
    return subjects;
}

}  // namespace kvcheck
