// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/capacity_faults.hpp"

namespace kvcheck {

Tamper begins_anew_beyond_its_capacity() {
    const auto capacity = std::make_shared<Index>(0);
    Tamper tamper;
    tamper.unbounded = true;
    tamper.open = [capacity](const Spec& spec) {
        *capacity = spec.capacity;
        return Status::done();
    };
    tamper.append = [capacity](Session& inner, const AppendCall& call) {
        const Status status = inner.append(call);
        if (status.ok() && call.counts[0] > *capacity)
            call.output.at<float>(0, *capacity, 0, 0) += 1;
        return status;
    };
    return tamper;
}

Tamper keeps_one_slot_too_many() {
    Tamper tamper;
    tamper.evicts_but = 1;
    return tamper;
}

Tamper keeps_one_slot_too_few() {
    Tamper tamper;
    tamper.evicts_but = -1;
    return tamper;
}

Tamper declares_to_be_unbounded_and_refuses() {
    Tamper tamper;
    tamper.capabilities = [](Capabilities& capabilities) {
        capabilities.features.add(Feature::capacity_unbounded);
    };
    return tamper;
}

Tamper lets_a_decoder_overrun() {
    Tamper tamper;
    tamper.append = [](Session& inner, const AppendCall& call) {
        Status status = inner.append(call);
        const bool decodes = !status.ok() && call.output.shape.extent[1] == 1;
        return decodes && status.message.find("capacity") != std::string::npos ? Status::done()
                                                                               : status;
    };
    return tamper;
}

}  // namespace kvcheck
