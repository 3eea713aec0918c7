/* SPDX-License-Identifier: Apache-2.0
 * The smallest useful plug-in: causal attention with a cache, one query at a time. Copy it and put
 * your kernel into attend(). Build: cc -O2 -shared -fPIC -I impl/abi attention.c -lm -o
 * libattention.so */
#include <math.h>
#include <stdlib.h>

#include "kvcheck_plugin_help.h"

struct kvcheck_session {
    kvcheck_spec spec;
    int64_t* length;    /* [rows] */
    uint8_t* real;      /* [rows][capacity] */
    float *key, *value; /* [rows][capacity][kv_heads][width] */
};
typedef kvcheck_session Session;

static int open_session(const kvcheck_spec* spec, const kvcheck_parameters* parameters,
                        Session** session, char* message, size_t size) {
    (void)parameters; /* there are none at attention level */
    if (spec->level != KVCHECK_ATTENTION)
        return kvcheck_refuse(message, size, "attention level only");
    const size_t slots = (size_t)(spec->rows * spec->capacity) + 1;
    Session* s = *session = malloc(sizeof *s);
    s->spec = *spec;
    s->length = calloc((size_t)spec->rows, sizeof *s->length);
    s->real = calloc(slots, 1);
    s->key = calloc(slots * (size_t)(spec->kv_heads * spec->key_width), sizeof(float));
    s->value = calloc(slots * (size_t)(spec->kv_heads * spec->value_width), sizeof(float));
    return KVCHECK_DONE;
}

/* softmax(scale q.k) v over the real tokens in slots 0 .. slot of row r. */
static void attend(const Session* s, const kvcheck_append* call, int64_t r, int64_t t, int64_t h,
                   int64_t slot) {
    const kvcheck_spec* p = &s->spec;
    const int64_t kv_head = h / (p->query_heads / p->kv_heads), first = r * p->capacity;
    const double scale = p->has_scale ? p->scale : 1 / sqrt((double)p->key_width);
    double weight[slot + 1], largest = -INFINITY, sum = 0;
    for (int64_t k = 0; k <= slot; ++k) {
        weight[k] = 0;
        for (int64_t d = 0; d < p->key_width && s->real[first + k]; ++d)
            weight[k] += scale * *kvcheck_f32(&call->query, r, t, h, d) *
                         s->key[((first + k) * p->kv_heads + kv_head) * p->key_width + d];
        if (s->real[first + k] && weight[k] > largest) largest = weight[k];
    }
    for (int64_t k = 0; k <= slot; ++k)
        sum += weight[k] = s->real[first + k] ? exp(weight[k] - largest) : 0;
    for (int64_t d = 0; d < p->value_width; ++d) {
        double output = 0;
        for (int64_t k = 0; k <= slot; ++k)
            if (s->real[first + k])
                output += weight[k] / sum *
                          s->value[((first + k) * p->kv_heads + kv_head) * p->value_width + d];
        *kvcheck_f32(&call->output, r, t, h, d) = (float)output;
    }
}

static int append(Session* s, const kvcheck_append* call, char* message, size_t size) {
    const kvcheck_spec* p = &s->spec;
    if (kvcheck_admit(p, KVCHECK_F32, s->length, call, message, size) != KVCHECK_DONE)
        return KVCHECK_REFUSED;
    for (int64_t r = 0; r < p->rows; ++r)
        for (int64_t t = 0; t < call->counts[r]; ++t) {
            const int64_t slot = s->length[r]++, at = (r * p->capacity + slot) * p->kv_heads;
            s->real[r * p->capacity + slot] = call->real[r * call->tokens + t];
            for (int64_t h = 0; h < p->kv_heads; ++h) {
                for (int64_t d = 0; d < p->key_width; ++d)
                    s->key[(at + h) * p->key_width + d] = *kvcheck_f32(&call->key, r, t, h, d);
                for (int64_t d = 0; d < p->value_width; ++d)
                    s->value[(at + h) * p->value_width + d] =
                        *kvcheck_f32(&call->value, r, t, h, d);
            }
            for (int64_t h = 0; h < p->query_heads; ++h) attend(s, call, r, t, h, slot);
        }
    return KVCHECK_DONE;
}

static int reset(Session* s, char* message, size_t size) {
    (void)message, (void)size;
    for (int64_t r = 0; r < s->spec.rows; ++r) s->length[r] = 0;
    return KVCHECK_DONE;
}

static int lengths(Session* s, int64_t* out) {
    for (int64_t r = 0; r < s->spec.rows; ++r) out[r] = s->length[r];
    return KVCHECK_DONE;
}

static void close_session(Session* s) {
    free(s->length), free(s->real), free(s->key), free(s->value), free(s);
}

const kvcheck_plugin* kvcheck_plugin_entry(void) {
    static const kvcheck_plugin plugin = {
        KVCHECK_ABI_VERSION,
        sizeof plugin,
        "c-example",
        "1",
        "attention batch grouped_heads value_width custom_scale padding_left padding_right "
        "padding_holes padding_all unequal_counts empty_chunks "
        "warm_chunks reset query_offset repeatable batch_invariant masked_nonfinite "
        "padded_query_computed dead_row_zeros",
        KVCHECK_F32,
        0,
        open_session,
        append,
        reset,
        lengths,
        close_session,
        NULL};
    return &plugin;
}
