/* SPDX-License-Identifier: Apache-2.0
 * The example with trees: it is given the tokens of a draft one by one, and before each the slots
 * that are not on its path are hidden. With SEES_SIBLINGS only those are that lie in earlier calls.
 */
#define kvcheck_plugin_entry honest_entry
#include "examples/c/attention.c"
#undef kvcheck_plugin_entry

typedef struct Drafts {
    Session* inner;
    uint8_t* real;   /* [rows][capacity] */
    int64_t* parent; /* [rows][capacity], -1: none */
    uint8_t* wanted; /* [rows][capacity]: on the path of the token that comes */
} Drafts;

static int open_drafts(const kvcheck_spec* spec, const kvcheck_parameters* parameters,
                       kvcheck_session** session, char* message, size_t size) {
    Session* inner = NULL;
    if (open_session(spec, parameters, &inner, message, size)) return KVCHECK_REFUSED;
    const size_t slots = (size_t)(spec->rows * spec->capacity);
    Drafts* drafts = calloc(1, sizeof *drafts);
    drafts->inner = inner;
    drafts->real = calloc(slots, 1);
    drafts->wanted = calloc(slots, 1);
    drafts->parent = calloc(slots, sizeof *drafts->parent);
    *session = (kvcheck_session*)drafts;
    return KVCHECK_DONE;
}

static kvcheck_view one_token(const kvcheck_view* view, int64_t t) {
    kvcheck_view one = *view;
    if (one.data != NULL) one.data = (float*)one.data + t * one.stride[1];
    one.extent[1] = 1;
    return one;
}

static int append_drafts(kvcheck_session* session, const kvcheck_append* call, char* message,
                         size_t size) {
    Drafts* drafts = (Drafts*)session;
    Session* inner = drafts->inner;
    const kvcheck_spec* spec = &inner->spec;
    if (kvcheck_admit(spec, KVCHECK_F32, inner->length, call, message, size))
        return KVCHECK_REFUSED;
    int64_t* counts = calloc((size_t)call->rows, sizeof *counts);
    uint8_t* real = calloc((size_t)call->rows, 1);
    for (int64_t r = 0; r < call->rows; ++r)
        for (int64_t t = 0; t < call->counts[r]; ++t) {
            const int64_t slot = inner->length[r], first = r * spec->capacity;
            const int64_t back = call->back == NULL ? 1 : call->back[r * call->tokens + t];
            drafts->real[first + slot] = call->real[r * call->tokens + t];
            drafts->parent[first + slot] = slot - back;
            memset(drafts->wanted + first, 0, (size_t)spec->capacity);
            for (int64_t k = slot - back; k >= 0; k = drafts->parent[first + k])
                drafts->wanted[first + k] = 1;
            for (int64_t k = 0; k < slot; ++k) {
#ifdef SEES_SIBLINGS
                if (k >= slot - t) drafts->wanted[first + k] = 1;
#endif
                inner->seen[first + k] = drafts->real[first + k] && drafts->wanted[first + k];
            }
            kvcheck_append one = *call;
            one.tokens = 1, one.counts = counts, one.real = real;
            one.back = NULL, one.query_offset = NULL;
            one.query = one_token(&call->query, t), one.key = one_token(&call->key, t);
            one.value = one_token(&call->value, t), one.output = one_token(&call->output, t);
            counts[r] = 1, real[r] = call->real[r * call->tokens + t];
            append(inner, &one, message, size);
            counts[r] = 0;
        }
    free(counts), free(real);
    return KVCHECK_DONE;
}

static int reset_drafts(kvcheck_session* session, char* message, size_t size) {
    return reset(((Drafts*)session)->inner, message, size);
}
static int lengths_of_drafts(kvcheck_session* session, int64_t* out) {
    return lengths(((Drafts*)session)->inner, out);
}
static void close_drafts(kvcheck_session* session) {
    Drafts* drafts = (Drafts*)session;
    close_session(drafts->inner);
    free(drafts->real), free(drafts->parent), free(drafts->wanted), free(drafts);
}

KVCHECK_PLUGIN_WITH("drafts", "1", KVCHECK_PLAIN_ATTENTION " tree", KVCHECK_F32, open_drafts,
                    append_drafts, reset_drafts, lengths_of_drafts, close_drafts, extension)
