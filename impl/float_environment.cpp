// SPDX-License-Identifier: Apache-2.0
// Reading and installing the environment (declared in float_environment.hpp).
#include "impl/float_environment.hpp"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace kvcheck {
namespace {

#if defined(__SSE__)
constexpr unsigned long flags = 0x3f;  // the six that say what happened
constexpr unsigned long flush_to_zero = 1UL << 15U;
constexpr unsigned long denormals_are_zero = 1UL << 6U;
unsigned long control_word() { return _mm_getcsr() & ~flags; }
#elif defined(__aarch64__)
constexpr unsigned long flush_to_zero = 1UL << 24U;
constexpr unsigned long denormals_are_zero = 1UL << 24U;
unsigned long control_word() {
    unsigned long word = 0;
    asm volatile("mrs %0, fpcr" : "=r"(word));
    return word;
}
#else
constexpr unsigned long flush_to_zero = 0;
constexpr unsigned long denormals_are_zero = 0;
unsigned long control_word() { return 0; }
#endif

}  // namespace

FloatEnvironment::FloatEnvironment() : rounding_(std::fegetround()), control_(control_word()) {
    std::fegetenv(&all_);
}

void FloatEnvironment::install() const { std::fesetenv(&all_); }

std::string FloatEnvironment::difference(const FloatEnvironment& other) const {
    if (rounding_ != other.rounding_) return "the rounding direction";
    const unsigned long changed = control_ ^ other.control_;
    if ((changed & (flush_to_zero | denormals_are_zero)) != 0) {
        const bool on = (other.control_ & (flush_to_zero | denormals_are_zero)) != 0;
        return on ? "that subnormal numbers are taken for zero" : "that subnormal numbers are kept";
    }
    return changed != 0 ? "which floating-point exceptions trap" : "";
}

}  // namespace kvcheck
