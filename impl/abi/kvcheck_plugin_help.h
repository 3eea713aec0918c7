/* SPDX-License-Identifier: Apache-2.0
 *
 * What every plug-in needs and nobody wants to write: element access, and the check of a call
 * against a spec. Optional; header only; C11 and C++. */
#ifndef KVCHECK_PLUGIN_HELP_H
#define KVCHECK_PLUGIN_HELP_H

#include <stdlib.h>
#include <string.h>

#include "kvcheck_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An element of a float view of up to four dimensions; pass 0 for those it does not have. */
static inline float* kvcheck_f32(const kvcheck_view* view, int64_t i, int64_t j, int64_t k,
                                 int64_t l) {
    return (float*)view->data + i * view->stride[0] + j * view->stride[1] + k * view->stride[2] +
           l * view->stride[3];
}

/* Copies a token's [heads][width] floats out of a view of four dimensions. */
static inline void kvcheck_copy(const kvcheck_view* view, int64_t row, int64_t token, float* to) {
    for (int64_t i = 0; i < view->extent[2]; ++i)
        for (int64_t j = 0; j < view->extent[3]; ++j) *to++ = *kvcheck_f32(view, row, token, i, j);
}

static inline int kvcheck_refuse(char* message, size_t size, const char* why) {
    size_t n = 0;
    for (; why[n] != 0 && n + 1 < size; ++n) message[n] = why[n];
    if (size > 0) message[n] = 0;
    return KVCHECK_REFUSED;
}

static inline int kvcheck_has_shape(const kvcheck_view* view, int32_t type, int64_t rows,
                                    int64_t tokens, int64_t third, int64_t fourth) {
    return view->type == type && view->rank == (fourth < 0 ? 3 : 4) && view->extent[0] == rows &&
           view->extent[1] == tokens && view->extent[2] == third &&
           (fourth < 0 || view->extent[3] == fourth);
}

/* KVCHECK_DONE where an append may be honoured by a session whose rows hold lengths[rows] slots;
   else a refusal with its reason. Does not look at position tables, nor at finished rows. A subject
   that declares capacity_unbounded or capacity_evicted passes a spec whose capacity is INT64_MAX,
   one that takes reorder/1 or fork/1 a spec whose rows are those that it has now. */
static inline int kvcheck_admit(const kvcheck_spec* spec, int32_t type, const int64_t* lengths,
                                const kvcheck_append* call, char* message, size_t size) {
    const int64_t rows = spec->rows;
    const int64_t tokens = call->tokens;
    const int layer = spec->level == KVCHECK_LAYER;
    int fits = call->rows == rows;
    if (layer) {
        fits = fits && kvcheck_has_shape(&call->x, type, rows, tokens, spec->model_width, -1) &&
               kvcheck_has_shape(&call->output, type, rows, tokens, spec->model_width, -1);
    } else {
        fits = fits &&
               kvcheck_has_shape(&call->query, type, rows, tokens, spec->query_heads,
                                 spec->key_width) &&
               kvcheck_has_shape(&call->key, type, rows, tokens, spec->kv_heads, spec->key_width) &&
               kvcheck_has_shape(&call->value, type, rows, tokens, spec->kv_heads,
                                 spec->value_width) &&
               kvcheck_has_shape(&call->output, type, rows, tokens, spec->query_heads,
                                 spec->value_width);
    }
    if (!fits) return kvcheck_refuse(message, size, "wrong number of rows, shape or element type");
    for (int64_t r = 0; r < rows; ++r) {
        const int64_t count = call->counts[r];
        if (count < 0 || count > tokens) return kvcheck_refuse(message, size, "wrong count");
        if (lengths[r] + count > spec->capacity) {
            return kvcheck_refuse(message, size, "beyond the capacity");
        }
        if (call->query_offset != NULL && call->query_offset[r] != lengths[r]) {
            return kvcheck_refuse(message, size, "query_offset is not the row's next slot");
        }
        if (call->size < offsetof(kvcheck_append, back) + sizeof call->back || call->back == NULL)
            continue;
        for (int64_t t = 0; t < count; ++t) {
            const int64_t back = call->back[r * tokens + t];
            if (back < 1 || back > lengths[r] + t + 1) {
                return kvcheck_refuse(message, size, "back is no slot of the row");
            }
        }
    }
    return KVCHECK_DONE;
}

/* The same of queries without keys (cross/1), for a session that has spec->rows rows now. */
static inline int kvcheck_admit_ask(const kvcheck_spec* spec, int32_t type,
                                    const kvcheck_append* call, char* message, size_t size) {
    const int64_t rows = spec->rows, tokens = call->tokens;
    const int layer = spec->level == KVCHECK_LAYER;
    const kvcheck_view* const queries = layer ? &call->x : &call->query;
    const int64_t third = layer ? spec->model_width : spec->query_heads;
    if (call->rows != rows ||
        !kvcheck_has_shape(queries, type, rows, tokens, third, layer ? -1 : spec->key_width) ||
        !kvcheck_has_shape(&call->output, type, rows, tokens, third,
                           layer ? -1 : spec->value_width))
        return kvcheck_refuse(message, size, "wrong number of rows, shape or element type");
    for (int64_t r = 0; r < rows; ++r)
        if (call->counts[r] < 0 || call->counts[r] > tokens)
            return kvcheck_refuse(message, size, "wrong count");
    return KVCHECK_DONE;
}

/* The same of commands, for a session with lengths[spec->rows] slots in its rows. */
static inline int kvcheck_admit_row(const kvcheck_spec* spec, int64_t row, char* message,
                                    size_t size) {
    if (row < 0 || row >= spec->rows) return kvcheck_refuse(message, size, "no such row");
    return KVCHECK_DONE;
}

/* row -1: all rows. */
static inline int kvcheck_admit_truncate(const kvcheck_spec* spec, const int64_t* lengths,
                                         int64_t row, int64_t length, char* message, size_t size) {
    if (row != -1 && kvcheck_admit_row(spec, row, message, size)) return KVCHECK_REFUSED;
    for (int64_t r = 0; r < spec->rows; ++r)
        if ((row == -1 || row == r) && (length < 0 || length > lengths[r]))
            return kvcheck_refuse(message, size, "a length that a row does not have");
    return KVCHECK_DONE;
}

static inline int kvcheck_admit_reorder(const kvcheck_spec* spec, const int64_t* sources,
                                        int64_t count, char* message, size_t size) {
    if (count < 1) return kvcheck_refuse(message, size, "no source");
    for (int64_t r = 0; r < count; ++r)
        if (kvcheck_admit_row(spec, sources[r], message, size)) return KVCHECK_REFUSED;
    return KVCHECK_DONE;
}

static inline int kvcheck_admit_evict(const kvcheck_spec* spec, const int64_t* lengths, int64_t row,
                                      int64_t begin, int64_t end, char* message, size_t size) {
    if (kvcheck_admit_row(spec, row, message, size)) return KVCHECK_REFUSED;
    if (begin < 0 || begin >= end || end > lengths[row])
        return kvcheck_refuse(message, size, "slots that the row does not have");
    return KVCHECK_DONE;
}

/* A fork of a session that has `rows` rows, asked of its own reorder: all of them, `row` again. */
static inline int kvcheck_fork_by(int (*reorder)(kvcheck_session* session, const int64_t* sources,
                                                 int64_t count, char* message, size_t size),
                                  kvcheck_session* session, int64_t rows, int64_t row,
                                  char* message, size_t size) {
    int64_t* sources = (int64_t*)malloc((size_t)(rows + 1) * sizeof(int64_t));
    if (sources == NULL) return kvcheck_refuse(message, size, "no memory");
    for (int64_t r = 0; r < rows; ++r) sources[r] = r;
    sources[rows] = row;
    const int status = reorder(session, sources, rows + 1, message, size);
    free(sources);
    return status;
}

/* FNV-1a over `count` bytes; `hash` is what comes of the bytes before them, or 0. For the checksum
   of a state, and for a fingerprint of what it belongs to. */
static inline uint64_t kvcheck_hash(const void* bytes, size_t count, uint64_t hash) {
    const uint8_t* byte = (const uint8_t*)bytes;
    if (hash == 0) hash = 14695981039346656037u;
    for (size_t i = 0; i < count; ++i) hash = (hash ^ byte[i]) * 1099511628211u;
    return hash;
}

/* A line of get_extension: the table of one function, where `asked` is its name. */
#define KVCHECK_EXTENSION(asked, name, table, function) \
    do {                                                \
        static const table offered = {function};        \
        if (strcmp(asked, name) == 0) return &offered;  \
    } while (0)

/* The features of attention that limits its callers in nothing and shows nothing but its outputs.
 */
#define KVCHECK_PLAIN_ATTENTION                                                             \
    "attention batch grouped_heads value_width custom_scale padding_left padding_right "    \
    "padding_holes padding_all unequal_counts empty_chunks warm_chunks reset query_offset " \
    "repeatable batch_invariant masked_nonfinite padded_query_computed dead_row_zeros"

/* A kvcheck_profile for two passes over all keys (their scores; then weights, sum and values) in
 * any order of sums, with an exp within one ulp and a division by the sum. */
#define KVCHECK_TWO_PASSES \
    { 0, 0, 1, 2, 0.5, 3, 1, 0, 0, 0, 0, 1, 0, 0, 0 }

/* Defines the entry point of a plug-in. Its extensions are what get_extension(name) returns. */
#define KVCHECK_PLUGIN_WITH(name, version, features, element, open, append, reset, lengths, close, \
                            get_extension)                                                         \
    const kvcheck_plugin* kvcheck_plugin_entry(void) {                                             \
        static const kvcheck_plugin plugin = {KVCHECK_ABI_VERSION,                                 \
                                              sizeof plugin,                                       \
                                              name,                                                \
                                              version,                                             \
                                              features,                                            \
                                              element,                                             \
                                              0,                                                   \
                                              open,                                                \
                                              append,                                              \
                                              reset,                                               \
                                              lengths,                                             \
                                              close,                                               \
                                              get_extension};                                      \
        return &plugin;                                                                            \
    }

/* The same without extensions. */
#define KVCHECK_PLUGIN(name, version, features, element, open, append, reset, lengths, close) \
    KVCHECK_PLUGIN_WITH(name, version, features, element, open, append, reset, lengths, close, NULL)

#ifdef __cplusplus
}
#endif

#endif /* KVCHECK_PLUGIN_HELP_H */
