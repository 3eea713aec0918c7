// SPDX-License-Identifier: Apache-2.0
// 2^x for a vector of x <= 0, the only transcendental function of the softmax:
//
//      x = n + r,  n whole,  |r| <= 1/2        2^x = 2^n p(r),   p of degree 6, p(0) = 1
//
// n is found by adding and subtracting 1.5 * 2^23; r is exact. p is the minimax polynomial of the
// relative error. 2^n is added to the exponent field of p. Arguments below -127 are taken as -127,
// where p is exactly 1 and the exponent field becomes zero: the result is exactly 0, also for minus
// infinity. Between -127 and -126 the result is wrong by less than the smallest normal number.
#if defined(KVCHECK_FAST_EXP2_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KVCHECK_FAST_EXP2_INL
#undef KVCHECK_FAST_EXP2_INL
#else
#define KVCHECK_FAST_EXP2_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kvcheck::fast::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Floats>;

HWY_INLINE Vector exp2_of(Vector x) {
    const Floats d;
    const hn::RebindToSigned<Floats> whole;
    const Vector shift = hn::Set(d, 12582912.0F);  // 1.5 * 2^23: its sum with n ends in n
    x = hn::Max(x, hn::Set(d, -127.0F));
    const Vector shifted = hn::Add(x, shift);
    const Vector r = hn::Sub(x, hn::Sub(shifted, shift));
    Vector p = hn::Set(d, 0.00015594666183460504F);
    p = hn::MulAdd(p, r, hn::Set(d, 0.0013406644575297832F));
    p = hn::MulAdd(p, r, hn::Set(d, 0.009617692790925503F));
    p = hn::MulAdd(p, r, hn::Set(d, 0.055503103882074356F));
    p = hn::MulAdd(p, r, hn::Set(d, 0.24022652208805084F));
    p = hn::MulAdd(p, r, hn::Set(d, 0.6931472420692444F));
    p = hn::MulAdd(p, r, hn::Set(d, 1.0F));
    const auto exponent = hn::ShiftLeft<23>(hn::BitCast(whole, shifted));
    return hn::BitCast(d, hn::Add(hn::BitCast(whole, p), exponent));
}

}  // namespace kvcheck::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
