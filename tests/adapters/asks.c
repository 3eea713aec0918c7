/* SPDX-License-Identifier: Apache-2.0
 * The example with queries that bring no key (clause 15), which its attend() answers as it is. With
 * STORED they are appended like any token. */
#define kvcheck_plugin_entry honest_entry
#include "examples/c/attention.c"
#undef kvcheck_plugin_entry

static int ask(Session* s, const kvcheck_append* call, char* message, size_t size) {
    const int code = kvcheck_admit_ask(&s->spec, KVCHECK_F32, call, message, size);
    if (code != KVCHECK_DONE) return code;
#ifdef STORED
    return append(s, call, message, size);
#else
    for (int64_t r = 0; r < call->rows; ++r)
        for (int64_t t = 0; t < call->counts[r]; ++t)
            for (int64_t h = 0; h < s->spec.query_heads; ++h) attend(s, call, r, t, h);
    return KVCHECK_DONE;
#endif
}

static const void* extension_and_ask(const char* name) {
    KVCHECK_EXTENSION(name, "cross/1", kvcheck_cross, ask);
    return extension(name);
}
KVCHECK_PLUGIN_WITH("asks", "1",
                    KVCHECK_PLAIN_ATTENTION
                    " truncate truncate_row reorder varying_rows fork evict cross",
                    KVCHECK_F32, open_session, append, reset, lengths, close_session,
                    extension_and_ask)
