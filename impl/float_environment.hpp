// SPDX-License-Identifier: Apache-2.0
// The floating-point environment of this thread: rounding direction, precision, trapped exceptions,
// and whether subnormal numbers are flushed to zero or read as zero (Intel SDM vol. 1, 10.2.3; Arm
// ARM, FPCR). Exception flags are left out: anybody may raise them.
#pragma once

#include <cfenv>
#include <string>

namespace kvcheck {

class FloatEnvironment {
public:
    /// The one that is in force now.
    FloatEnvironment();

    /// Makes it the one in force.
    void install() const;

    /// What is otherwise in `other`, in words; empty where nothing is.
    std::string difference(const FloatEnvironment& other) const;

private:
    std::fenv_t all_{};
    int rounding_ = 0;
    unsigned long control_ = 0;  // of the vector unit, without its flags
};

}  // namespace kvcheck
