/* SPDX-License-Identifier: Apache-2.0
 * The example that says whether so many tokens more would fit (clause 12). With BY_CAPACITY what
 * its rows hold already takes no room. */
#define kvcheck_plugin_entry honest_entry
#include "examples/c/attention.c"
#undef kvcheck_plugin_entry

static int admits(Session* s, const int64_t* counts, int64_t rows, int32_t* fits, char* message,
                  size_t size) {
    if (rows != s->spec.rows) return kvcheck_refuse(message, size, "not one count per row");
    *fits = 1;
    for (int64_t r = 0; r < rows; ++r) {
#ifdef BY_CAPACITY
        const int64_t room = s->spec.capacity;
#else
        const int64_t room = s->spec.capacity - s->length[r];
#endif
        if (counts[r] < 0) return kvcheck_refuse(message, size, "a count below zero");
        if (counts[r] > room) *fits = 0;
    }
    return KVCHECK_DONE;
}

static const void* extension_and_admission(const char* name) {
    KVCHECK_EXTENSION(name, "admission/1", kvcheck_admission, admits);
    return extension(name);
}
KVCHECK_PLUGIN_WITH("admits", "1",
                    KVCHECK_PLAIN_ATTENTION
                    " truncate truncate_row reorder varying_rows fork evict admission",
                    KVCHECK_F32, open_session, append, reset, lengths, close_session,
                    extension_and_admission)
