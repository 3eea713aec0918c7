// SPDX-License-Identifier: Apache-2.0
// Our records as the C interface has them. What they point to stays ours.
#pragma once

#include <string>

#include "impl/abi/kvcheck_plugin.h"
#include "impl/subject.hpp"
#include "model/types/parameters.hpp"
#include "model/types/prefix_key.hpp"
#include "model/types/spec.hpp"
#include "model/types/view.hpp"

namespace kvcheck {

kvcheck_spec c_spec(const Spec& spec);

/// Pointers into `parameters`.
kvcheck_parameters c_parameters(const Spec& spec, const Parameters& parameters);

/// Pointers into what the call has.
kvcheck_append c_append(const AppendCall& call);

/// Pointers into `key` and `revision`, which is the key's with a zero at its end.
kvcheck_prefix_key c_key(const PrefixKey& key, const std::string& revision);

template <class Byte>
kvcheck_view c_view(const BasicView<Byte>& view) {
    kvcheck_view c{};
    c.data = const_cast<std::byte*>(view.data);
    c.type = int32_t(view.type);
    c.rank = view.shape.rank;
    for (std::size_t i = 0; i < view.stride.size(); ++i) {
        c.extent[i] = view.shape.extent[i];
        c.stride[i] = view.stride[i];
    }
    return c;
}

}  // namespace kvcheck
