// SPDX-License-Identifier: Apache-2.0
// A plug-in in C++ that lets an exception leave through the C interface, which no plug-in may.
#include <stdexcept>

#include "impl/abi/kvcheck_plugin_help.h"

struct kvcheck_session {};

namespace {

int open_session(const kvcheck_spec*, const kvcheck_parameters*, kvcheck_session** session, char*,
                 size_t) {
    *session = new kvcheck_session;
    return KVCHECK_DONE;
}
int append(kvcheck_session*, const kvcheck_append*, char*, size_t) {
    throw std::runtime_error("across the border");
}
int reset(kvcheck_session*, char*, size_t) { return KVCHECK_DONE; }
int lengths(kvcheck_session*, int64_t*) { return KVCHECK_DONE; }
void close_session(kvcheck_session* session) { delete session; }

}  // namespace

extern "C" const kvcheck_plugin* kvcheck_plugin_entry(void) {
    static const kvcheck_plugin plugin = {
        KVCHECK_ABI_VERSION, sizeof plugin, "throws", "1",     "attention",   KVCHECK_F32, 0,
        open_session,        append,        reset,    lengths, close_session, nullptr};
    return &plugin;
}
