/* SPDX-License-Identifier: Apache-2.0
 * A plug-in in C: causal attention with a cache; your kernel goes into attend(). Build:
 * cc -O2 -shared -fPIC -I $KVCHECK/impl/abi attention.c -lm -o libattention.so */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kvcheck_plugin_help.h"

typedef struct kvcheck_session {
    kvcheck_spec spec;  /* its rows: as many as there are now */
    int64_t* length;    /* [rows]: slots appended */
    uint8_t* seen;      /* [rows][capacity]: real and not evicted */
    float *key, *value; /* [rows][capacity][kv_heads][width] */
    double* weight;     /* [capacity] */
} Session;

static void allocate(Session* s, int64_t rows) {
    const size_t slots = rows * s->spec.capacity, heads = slots * s->spec.kv_heads;
    s->spec.rows = rows, s->length = calloc(rows, sizeof(int64_t)), s->seen = calloc(slots, 1);
    s->key = calloc(heads * s->spec.key_width, sizeof(float));
    s->value = calloc(heads * s->spec.value_width, sizeof(float));
    s->weight = calloc(s->spec.capacity, sizeof(double));
}
static void release(Session* s) {
    free(s->length), free(s->seen), free(s->key), free(s->value), free(s->weight);
}

static int open_session(const kvcheck_spec* spec, const kvcheck_parameters* parameters,
                        Session** session, char* message, size_t size) {
    (void)parameters;
    if (spec->level != KVCHECK_ATTENTION) return kvcheck_refuse(message, size, "attention only");
    Session* s = *session = calloc(1, sizeof *s);
    s->spec = *spec;
    allocate(s, spec->rows);
    return KVCHECK_DONE;
}

/* softmax(scale q.k) v over all tokens of row r so far that are seen. */
static void attend(const Session* s, const kvcheck_append* call, int64_t r, int64_t t, int64_t h) {
    const int64_t keys = s->length[r], dk = s->spec.key_width, dv = s->spec.value_width;
    const uint8_t* seen = s->seen + r * s->spec.capacity;
    const int64_t step = s->spec.kv_heads; /* heads from a token to the next one */
    const int64_t first = r * s->spec.capacity * step + h * step / s->spec.query_heads;
    const double scale = s->spec.has_scale ? s->spec.scale : 1 / sqrt((double)dk);
    double largest = -INFINITY, sum = 0;
    for (int64_t k = 0; k < keys; ++k) {
        if (!seen[k]) continue;
        s->weight[k] = 0;
        for (int64_t d = 0; d < dk; ++d)
            s->weight[k] += scale * *kvcheck_f32(&call->query, r, t, h, d) *
                            s->key[(first + k * step) * dk + d];
        if (s->weight[k] > largest) largest = s->weight[k];
    }
    for (int64_t k = 0; k < keys; ++k) {
        if (!seen[k]) continue;
        s->weight[k] = exp(s->weight[k] - largest);
        sum += s->weight[k];
    }
    for (int64_t d = 0; d < dv; ++d) {
        double output = 0;
        for (int64_t k = 0; k < keys; ++k)
            if (seen[k]) output += s->weight[k] / sum * s->value[(first + k * step) * dv + d];
        *kvcheck_f32(&call->output, r, t, h, d) = (float)output;
    }
}

static int append(Session* s, const kvcheck_append* call, char* message, size_t size) {
    const kvcheck_spec* p = &s->spec;
    if (kvcheck_admit(p, KVCHECK_F32, s->length, call, message, size)) return KVCHECK_REFUSED;
    for (int64_t r = 0; r < p->rows; ++r)
        for (int64_t t = 0; t < call->counts[r]; ++t) {
            const int64_t at = r * p->capacity + s->length[r]++, head = at * p->kv_heads;
            kvcheck_copy(&call->key, r, t, s->key + head * p->key_width);
            kvcheck_copy(&call->value, r, t, s->value + head * p->value_width);
            s->seen[at] = call->real[r * call->tokens + t];
            for (int64_t h = 0; h < p->query_heads; ++h) attend(s, call, r, t, h);
        }
    return KVCHECK_DONE;
}

static int truncate_rows(Session* s, int64_t row, int64_t length, char* message, size_t size) {
    const kvcheck_spec* p = &s->spec;
    if (kvcheck_admit_truncate(p, s->length, row, length, message, size)) return KVCHECK_REFUSED;
    for (int64_t r = 0; r < p->rows; ++r)
        if (row == -1 || row == r) s->length[r] = length;
    return KVCHECK_DONE;
}
static int reset(Session* s, char* message, size_t size) {
    return truncate_rows(s, -1, 0, message, size);
}
static int evict(Session* s, int64_t row, int64_t begin, int64_t end, char* message, size_t size) {
    const kvcheck_spec* p = &s->spec;
    if (kvcheck_admit_evict(p, s->length, row, begin, end, message, size)) return KVCHECK_REFUSED;
    memset(s->seen + row * p->capacity + begin, 0, end - begin);
    return KVCHECK_DONE;
}

static int reorder(Session* s, const int64_t* sources, int64_t count, char* message, size_t size) {
    if (kvcheck_admit_reorder(&s->spec, sources, count, message, size)) return KVCHECK_REFUSED;
    Session old = *s;
    allocate(s, count);
    const size_t slots = s->spec.capacity, keys = slots * s->spec.kv_heads * s->spec.key_width,
                 values = slots * s->spec.kv_heads * s->spec.value_width;
    for (int64_t r = 0; r < count; ++r) {
        s->length[r] = old.length[sources[r]];
        memcpy(s->seen + r * slots, old.seen + sources[r] * slots, slots);
        memcpy(s->key + r * keys, old.key + sources[r] * keys, keys * sizeof(float));
        memcpy(s->value + r * values, old.value + sources[r] * values, values * sizeof(float));
    }
    release(&old);
    return KVCHECK_DONE;
}
static int fork_row(Session* s, int64_t row, char* message, size_t size) {
    return kvcheck_fork_by(reorder, s, s->spec.rows, row, message, size);
}

static int lengths(Session* s, int64_t* out) {
    for (int64_t r = 0; r < s->spec.rows; ++r) out[r] = s->length[r];
    return KVCHECK_DONE;
}
static void close_session(Session* s) {
    release(s);
    free(s);
}

static const void* extension(const char* name) {
    /* What this arithmetic keeps, so that small faults show; yours has another profile, or none. */
    static const kvcheck_profile profile = KVCHECK_TWO_PASSES;
    if (strcmp(name, "profile/1") == 0) return &profile;
    KVCHECK_EXTENSION(name, "truncate/1", kvcheck_truncate, truncate_rows);
    KVCHECK_EXTENSION(name, "reorder/1", kvcheck_reorder, reorder);
    KVCHECK_EXTENSION(name, "fork/1", kvcheck_fork, fork_row);
    KVCHECK_EXTENSION(name, "evict/1", kvcheck_evict, evict);
    return NULL;
}
KVCHECK_PLUGIN_WITH("c-example", "1",
                    KVCHECK_PLAIN_ATTENTION
                    " truncate truncate_row reorder varying_rows fork evict",
                    KVCHECK_F32, open_session, append, reset, lengths, close_session, extension)
