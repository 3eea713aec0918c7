/* SPDX-License-Identifier: Apache-2.0
 * A plug-in in C: causal attention with a cache; your kernel goes into attend(). Build:
 * cc -O2 -shared -fPIC -I $KVCHECK/impl/abi attention.c -lm -o libattention.so */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kvcheck_plugin_help.h"

typedef struct kvcheck_session {
    kvcheck_spec spec;
    int64_t *length, *visible; /* [rows]: slots appended; real tokens, whose K and V are kept */
    float *key, *value;        /* [rows][capacity][kv_heads][width] */
    double* weight;            /* [capacity] */
} Session;

static int open_session(const kvcheck_spec* spec, const kvcheck_parameters* parameters,
                        Session** session, char* message, size_t size) {
    (void)parameters;
    if (spec->level != KVCHECK_ATTENTION) return kvcheck_refuse(message, size, "attention only");
    const size_t rows = (size_t)spec->rows, slots = rows * spec->capacity * spec->kv_heads;
    Session* s = *session = calloc(1, sizeof *s);
    s->spec = *spec, s->length = calloc(rows, sizeof(int64_t));
    s->visible = calloc(rows, sizeof(int64_t)), s->weight = calloc(spec->capacity, sizeof(double));
    s->key = calloc(slots * spec->key_width, sizeof(float));
    s->value = calloc(slots * spec->value_width, sizeof(float));
    return KVCHECK_DONE;
}

/* softmax(scale q.k) v over all real tokens of row r so far. */
static void attend(const Session* s, const kvcheck_append* call, int64_t r, int64_t t, int64_t h) {
    const int64_t keys = s->visible[r], dk = s->spec.key_width, dv = s->spec.value_width;
    const int64_t step = s->spec.kv_heads; /* heads from a token to the next one */
    const int64_t first = r * s->spec.capacity * step + h * step / s->spec.query_heads;
    const double scale = s->spec.has_scale ? s->spec.scale : 1 / sqrt((double)dk);
    double largest = -INFINITY, sum = 0;
    for (int64_t k = 0; k < keys; ++k) {
        s->weight[k] = 0;
        for (int64_t d = 0; d < dk; ++d)
            s->weight[k] += scale * *kvcheck_f32(&call->query, r, t, h, d) *
                            s->key[(first + k * step) * dk + d];
        if (s->weight[k] > largest) largest = s->weight[k];
    }
    for (int64_t k = 0; k < keys; ++k) {
        s->weight[k] = exp(s->weight[k] - largest);
        sum += s->weight[k];
    }
    for (int64_t d = 0; d < dv; ++d) {
        double output = 0;
        for (int64_t k = 0; k < keys; ++k)
            output += s->weight[k] / sum * s->value[(first + k * step) * dv + d];
        *kvcheck_f32(&call->output, r, t, h, d) = (float)output;
    }
}

static int append(Session* s, const kvcheck_append* call, char* message, size_t size) {
    const kvcheck_spec* p = &s->spec;
    if (kvcheck_admit(p, KVCHECK_F32, s->length, call, message, size)) return KVCHECK_REFUSED;
    for (int64_t r = 0; r < p->rows; ++r)
        for (int64_t t = 0; t < call->counts[r]; ++t) {
            const int64_t at = (r * p->capacity + s->visible[r]) * p->kv_heads;
            kvcheck_copy(&call->key, r, t, s->key + at * p->key_width);
            kvcheck_copy(&call->value, r, t, s->value + at * p->value_width);
            s->visible[r] += call->real[r * call->tokens + t]; /* else the next one overwrites it */
            s->length[r]++;
            for (int64_t h = 0; h < p->query_heads; ++h) attend(s, call, r, t, h);
        }
    return KVCHECK_DONE;
}

static int reset(Session* s, char* message, size_t size) {
    (void)message, (void)size;
    for (int64_t r = 0; r < s->spec.rows; ++r) s->length[r] = s->visible[r] = 0;
    return KVCHECK_DONE;
}
static int lengths(Session* s, int64_t* out) {
    for (int64_t r = 0; r < s->spec.rows; ++r) out[r] = s->length[r];
    return KVCHECK_DONE;
}
static void close_session(Session* s) {
    free(s->length), free(s->visible), free(s->key), free(s->value), free(s->weight), free(s);
}
/* What this arithmetic keeps, so that small faults show; another kernel has another profile, or
 * none. */
static const void* extension(const char* name) {
    static const kvcheck_profile profile = KVCHECK_TWO_PASSES;
    return strcmp(name, "profile/1") == 0 ? &profile : NULL;
}
KVCHECK_PLUGIN_WITH("c-example", "1", KVCHECK_PLAIN_ATTENTION, KVCHECK_F32, open_session, append,
                    reset, lengths, close_session, extension)
