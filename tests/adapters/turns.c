/* SPDX-License-Identifier: Apache-2.0
 * The example with rotary positions: queries and keys are turned by the table that the C interface
 * hands over, and the example sees only what came of them. It exports no keys. With ALWAYS_HALVES
 * it takes every pair for one of two halves. */
#define kvcheck_plugin_entry honest_entry
#include "examples/c/attention.c"
#undef kvcheck_plugin_entry

typedef struct Turned {
    Session* inner;
    float* table; /* [positions][rotary_width]; NULL: nothing is turned */
    int64_t positions;
} Turned;

static int open_turned(const kvcheck_spec* spec, const kvcheck_parameters* parameters,
                       kvcheck_session** session, char* message, size_t size) {
    Session* inner = NULL;
    if (open_session(spec, parameters, &inner, message, size)) return KVCHECK_REFUSED;
    Turned* turned = calloc(1, sizeof *turned);
    turned->inner = inner;
    if (spec->rotary != KVCHECK_ROTARY_NONE) {
        const size_t bytes =
            (size_t)(parameters->positions * spec->rotary_width) * sizeof *turned->table;
        turned->positions = parameters->positions;
        turned->table = malloc(bytes);
        memcpy(turned->table, parameters->rotary_table, bytes);
    }
    *session = (kvcheck_session*)turned;
    return KVCHECK_DONE;
}

/* Nothing is evicted here: what is seen is real. */
static int64_t real_tokens(const Session* s, int64_t r) {
    int64_t count = 0;
    for (int64_t slot = 0; slot < s->length[r]; ++slot)
        count += s->seen[r * s->spec.capacity + slot];
    return count;
}

/* A copy of [rows][tokens][heads][width] whose heads are turned. */
static kvcheck_view turned_copy(const Turned* turned, const kvcheck_append* call,
                                const kvcheck_view* view) {
    const kvcheck_spec* spec = &turned->inner->spec;
    const int64_t heads = view->extent[2], width = view->extent[3], half = spec->rotary_width / 2;
#ifdef ALWAYS_HALVES
    const int adjacent = 0;
#else
    const int adjacent = spec->rotary == KVCHECK_ROTARY_ADJACENT;
#endif
    kvcheck_view copy = *view;
    float* to = copy.data = calloc((size_t)(call->rows * call->tokens * heads * width) + 1, 4);
    copy.stride[3] = 1, copy.stride[2] = width, copy.stride[1] = heads * width;
    copy.stride[0] = call->tokens * heads * width;
    for (int64_t r = 0; r < call->rows; ++r) {
        int64_t real = real_tokens(turned->inner, r);
        for (int64_t t = 0; t < call->counts[r]; ++t) {
            const int64_t slot = turned->inner->length[r] + t;
            const int64_t id = spec->position_ids == KVCHECK_IDS_SLOT ? slot : real;
            const float* row = turned->table + id * spec->rotary_width;
            float* token = to + (r * call->tokens + t) * heads * width;
            kvcheck_copy(view, r, t, token);
            real += call->real[r * call->tokens + t];
            for (int64_t h = 0; h < heads; ++h)
                for (int64_t i = 0; i < half; ++i) {
                    float* a = token + h * width + (adjacent ? 2 * i : i);
                    float* b = token + h * width + (adjacent ? 2 * i + 1 : half + i);
                    const float x = *a * row[i] - *b * row[half + i];
                    *b = *b * row[i] + *a * row[half + i];
                    *a = x;
                }
        }
    }
    return copy;
}

static int append_turned(kvcheck_session* session, const kvcheck_append* call, char* message,
                         size_t size) {
    const Turned* turned = (const Turned*)session;
    Session* inner = turned->inner;
    if (kvcheck_admit(&inner->spec, KVCHECK_F32, inner->length, call, message, size))
        return KVCHECK_REFUSED;
    if (turned->table == NULL) return append(inner, call, message, size);
    for (int64_t r = 0; r < call->rows; ++r) {
        int64_t id = inner->length[r] + call->counts[r] - 1;
        if (inner->spec.position_ids == KVCHECK_IDS_VISIBLE_COUNT) {
            id = real_tokens(inner, r);
            for (int64_t t = 0; t + 1 < call->counts[r]; ++t)
                id += call->real[r * call->tokens + t];
        }
        if (call->counts[r] > 0 && id >= turned->positions)
            return kvcheck_refuse(message, size, "an id beyond the table");
    }
    kvcheck_append changed = *call;
    changed.query = turned_copy(turned, call, &call->query);
    changed.key = turned_copy(turned, call, &call->key);
    const int code = append(inner, &changed, message, size);
    free(changed.query.data), free(changed.key.data);
    return code;
}

static int reset_turned(kvcheck_session* session, char* message, size_t size) {
    return reset(((Turned*)session)->inner, message, size);
}
static int lengths_of_turned(kvcheck_session* session, int64_t* out) {
    return lengths(((Turned*)session)->inner, out);
}
static void close_turned(kvcheck_session* session) {
    Turned* turned = (Turned*)session;
    close_session(turned->inner);
    free(turned->table), free(turned);
}

KVCHECK_PLUGIN_WITH("turns", "1",
                    KVCHECK_PLAIN_ATTENTION
                    " rotary_halves rotary_adjacent partial_rotary visible_count_ids",
                    KVCHECK_F32, open_turned, append_turned, reset_turned, lengths_of_turned,
                    close_turned, extension)
