// SPDX-License-Identifier: Apache-2.0
// The kernels, compiled once for each instruction set: Highway includes this file again and again
// with other compiler options, and the tables are collected at the end.
#include "impl/fast/kernels.hpp"

// One AVX-512 is enough, and vectors whose size is unknown to the compiler have no register tiles.
#define HWY_DISABLED_TARGETS \
    (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl/fast/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "impl/fast/attend-inl.hpp"
#include "impl/fast/move-inl.hpp"
#include "impl/fast/project-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kvcheck::fast::HWY_NAMESPACE {

template <class Entry>
const Kernels* kernels_of() {
    static constexpr Kernels table = {
        .attend = attend<Entry>,
        .finish = finish,
        .merge = merge,
        .weigh = weigh<Entry>,
        .project = project,
        .store = store<Entry>,
        .gather = gather,
        .exp2 = exp2_all,
        .fused = HWY_NATIVE_FMA != 0,
        .lanes = HWY_LANES(float),
    };
    return &table;
}

const Kernels* kernels(Storage storage) {
    return with_entry(storage, [](auto entry) { return kernels_of<decltype(entry)>(); });
}

}  // namespace kvcheck::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kvcheck::fast {

HWY_EXPORT(kernels);

const std::vector<Target>& targets() {
    static const std::vector<Target> list = [] {
        std::vector<Target> found;
        for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
            hwy::SetSupportedTargetsForTest(target);
            const auto kernels_of = [](Storage storage) {
                return HWY_DYNAMIC_DISPATCH(kernels)(storage);
            };
            found.push_back({hwy::TargetName(target),
                             kernels_of(Storage::element),
                             {kernels_of(Storage::element), kernels_of(Storage::bf16),
                              kernels_of(Storage::fp16), kernels_of(Storage::int8)}});
        }
        hwy::SetSupportedTargetsForTest(0);
        return found;
    }();
    return list;
}

}  // namespace kvcheck::fast
#endif
