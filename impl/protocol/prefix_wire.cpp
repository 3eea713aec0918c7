// SPDX-License-Identifier: Apache-2.0
// Keys written and read (declared in prefix_wire.hpp).
#include "impl/protocol/prefix_wire.hpp"

#include <nlohmann/json.hpp>

namespace kvcheck {

Json prefix_body(const Json& session, Index row, const PrefixKey& key) {
    Json real = Json::array();
    for (const std::uint8_t flag : key.real) real.push_back(flag != 0);
    return {{"session", session},
            {"row", row},
            {"labels", std::vector<Index>(key.labels.begin(), key.labels.end())},
            {"real", std::move(real)},
            {"revision", std::string(key.revision)}};
}

ServedKey key_of_body(const JsonPlace& body) {
    constexpr Index label_max = (Index{1} << 53) - 1;
    body.only_members({"session", "row", "labels", "real", "revision"});
    ServedKey key;
    for (const JsonPlace& label : body.member("labels").elements())
        key.labels.push_back(label.integer(0, label_max));
    for (const JsonPlace& flag : body.member("real").elements())
        key.real.push_back(flag.boolean() ? 1 : 0);
    key.revision = body.member("revision").string();
    return key;
}

}  // namespace kvcheck
