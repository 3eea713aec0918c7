/* SPDX-License-Identifier: Apache-2.0
 * A plug-in that shows its stored keys and values, and where it shows an even number of slots
 * writes one number past the values. All else is the example, without padding: so its slots are
 * those that it keeps. */
#define kvcheck_plugin_entry honest_entry
#include "examples/c/attention.c"
#undef kvcheck_plugin_entry

#include <string.h>

/* From [slots][heads][width] to [heads][slots][width]. */
static void show(const Session* s, int64_t row, const float* held, const kvcheck_view* view) {
    const int64_t heads = s->spec.kv_heads, width = view->extent[2];
    for (int64_t h = 0; h < heads; ++h)
        for (int64_t slot = 0; slot < s->length[row]; ++slot)
            for (int64_t d = 0; d < width; ++d)
                *kvcheck_f32(view, h, slot, d, 0) =
                    held[((row * s->spec.capacity + slot) * heads + h) * width + d];
}

static int export_kv(Session* s, int64_t row, const kvcheck_view* key, const kvcheck_view* value) {
    const int64_t length = s->length[row];
    show(s, row, s->key, key);
    show(s, row, s->value, value);
    if (length > 0 && length % 2 == 0)
        ((float*)value->data)[s->spec.kv_heads * length * s->spec.value_width] = 1;
    return KVCHECK_DONE;
}

static const void* get_extension(const char* name) {
    static const kvcheck_kv_export table = {export_kv};
    return strcmp(name, "kv_export/1") == 0 ? &table : NULL;
}

const kvcheck_plugin* kvcheck_plugin_entry(void) {
    static kvcheck_plugin plugin;
    plugin = *honest_entry();
    plugin.features =
        "attention batch grouped_heads value_width custom_scale unequal_counts "
        "empty_chunks warm_chunks query_offset repeatable batch_invariant kv_export";
    plugin.get_extension = get_extension;
    return &plugin;
}
