/* SPDX-License-Identifier: Apache-2.0
 *
 * The C interface of a subject: a shared library that exports kvcheck_plugin_entry. Compiles as C11
 * and as C++. docs/contract.md says what the calls mean; this file says how they are made.
 *
 * Rules.
 *  - Version. kvcheck loads a plug-in whose abi_version equals KVCHECK_ABI_VERSION, and refuses
 *    every other one with a message that names both numbers. Within a version structures only
 *    grow at their end: `size` is the number of bytes that their writer knew, and nobody reads
 *    past it.
 *  - Ownership. Every buffer belongs to the caller and is valid during the call only. The plug-in
 *    keeps copies of what it needs. It never writes to an input, nor outside an output's elements.
 *  - Errors. Every call returns KVCHECK_DONE or KVCHECK_REFUSED and, where it refuses, leaves the
 *    state as it was and puts a zero-terminated text into message. No exception may leave a call.
 *  - Threads. kvcheck calls from one thread at a time.
 *  - Extensions. What the core table lacks is asked for by name with get_extension, which returns
 *    NULL for what the plug-in does not have. A new ability never changes the core.
 */
#ifndef KVCHECK_PLUGIN_H
#define KVCHECK_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KVCHECK_ABI_VERSION 1u

enum { KVCHECK_DONE = 0, KVCHECK_REFUSED = 1 };
enum { KVCHECK_F32 = 0, KVCHECK_F64 = 1 };
enum { KVCHECK_ATTENTION = 0, KVCHECK_LAYER = 1 };
enum {
    KVCHECK_POSITIONS_NONE = 0,
    KVCHECK_POSITIONS_SINUSOIDAL = 1,
    KVCHECK_POSITIONS_LEARNED = 2
};
enum { KVCHECK_ROTARY_NONE = 0, KVCHECK_ROTARY_HALVES = 1, KVCHECK_ROTARY_ADJACENT = 2 };
enum { KVCHECK_IDS_SLOT = 0, KVCHECK_IDS_VISIBLE_COUNT = 1 };
enum { KVCHECK_PADDED_UNSPECIFIED = 0, KVCHECK_PADDED_COMPUTED = 1 };
enum {
    KVCHECK_STORAGE_ELEMENT = 0,
    KVCHECK_STORAGE_BF16 = 1,
    KVCHECK_STORAGE_FP16 = 2,
    KVCHECK_STORAGE_INT8 = 3
};
enum { KVCHECK_DEAD_ZEROS = 0, KVCHECK_DEAD_NAN = 1, KVCHECK_DEAD_UNSPECIFIED = 2 };

/* A strided array; strides count elements. data may be NULL where no element exists. */
typedef struct kvcheck_view {
    void* data; /* of inputs: not to be written to */
    int32_t type;
    int32_t rank;
    int64_t extent[4];
    int64_t stride[4];
} kvcheck_view;

typedef struct kvcheck_spec {
    uint32_t size; /* of this structure in bytes, as the caller knows it */
    int32_t level;
    int64_t rows;
    int64_t query_heads; /* a multiple of kv_heads */
    int64_t kv_heads;
    int64_t key_width;
    int64_t value_width;
    int64_t model_width; /* layer only */
    int64_t capacity;    /* slots a row can hold; an append beyond them is refused, unless
                            the features say capacity_unbounded or capacity_evicted */
    int32_t has_scale;   /* 0: the real number 1/sqrt(key_width) */
    float scale;
    int32_t position_signal;
    int32_t position_ids;
    int32_t padded_query;
    int32_t dead_row;
    int32_t biases;
    float softcap;        /* c > 0: c tanh(s / c) in place of a score s; 0: none */
    int64_t window;       /* slot p sees slot k only where p - k < window; 0: none */
    int64_t anchors;      /* first real tokens of a row that the window leaves visible */
    int64_t rotary_width; /* w, even: elements of each head that are turned; 0: none */
    int32_t rotary;       /* pairs are i and w/2 + i, or 2i and 2i + 1 */
    int32_t storage;      /* the format in which keys and values are stored */
} kvcheck_spec;

/* Row-major [out][in]; out = weight in + bias. NULL at attention level. */
typedef struct kvcheck_projection {
    const float* weight;
    const float* bias; /* [out], NULL where spec.biases is 0 */
} kvcheck_projection;

typedef struct kvcheck_parameters {
    uint32_t size;
    uint32_t reserved;
    kvcheck_projection query;    /* [query_heads*key_width][model_width] */
    kvcheck_projection key;      /* [kv_heads*key_width][model_width] */
    kvcheck_projection value;    /* [kv_heads*value_width][model_width] */
    kvcheck_projection output;   /* [model_width][query_heads*value_width] */
    const float* position_table; /* [positions][model_width] */
    int64_t positions;           /* of both tables; a token whose id is not below it is refused */
    const float* slopes;         /* [query_heads], any level; NULL: none */
    const float* sinks;          /* [query_heads], any level; NULL: none */
    const float* rotary_table;   /* [positions][rotary_width]: cosines of all pairs, then sines */
} kvcheck_parameters;

/* Row r receives its first counts[r] tokens; what lies beyond is not part of the call. */
typedef struct kvcheck_append {
    uint32_t size;
    int32_t rows;                /* entries of counts and query_offset */
    int64_t tokens;              /* entries of a row of `real` */
    const int64_t* counts;       /* [rows] */
    kvcheck_view query;          /* [rows][tokens][query_heads][key_width], attention level */
    kvcheck_view key;            /* [rows][tokens][kv_heads][key_width], attention level */
    kvcheck_view value;          /* [rows][tokens][kv_heads][value_width], attention level */
    kvcheck_view x;              /* [rows][tokens][model_width], layer level */
    const uint8_t* real;         /* [rows][tokens], 0 for padding */
    const int64_t* query_offset; /* [rows] or NULL: must be each row's next slot, else refuse */
    kvcheck_view
        output; /* [rows][tokens][query_heads][value_width] or [rows][tokens][model_width] */
    kvcheck_view weights;     /* [rows][query_heads][tokens][slots] with the extension weights/1,
                                 else rank 0; every slot of a row's length is to be written */
    const int64_t* back;      /* [rows][tokens] or NULL, only with the feature tree: the parent of a
                                 token is so many slots before it, 1 for the slot before (so NULL says
                                 of all), one more than its own slot for none; else refuse */
    kvcheck_view log_sum_exp; /* [rows][tokens][query_heads] with the extension log_sum_exp/1, else
                                 rank 0: log sum exp(score) over the visible keys, -infinity over
                                 none; never asked for where the spec has sinks */
} kvcheck_append;

typedef struct kvcheck_session kvcheck_session; /* the plug-in's own */

typedef struct kvcheck_plugin {
    uint32_t abi_version; /* KVCHECK_ABI_VERSION, always the first field */
    uint32_t size;        /* sizeof(kvcheck_plugin) */
    const char* name;
    const char* version;
    const char* features; /* names of docs/adding.md with spaces between: "attention batch
                             warm_chunks". What a plug-in is taken to have it takes back by the
                             words given there: "trusts_callers", "fixed_model_width" */
    int32_t element;      /* KVCHECK_F32 or KVCHECK_F64: of every view it is given */
    int32_t reserved;

    int (*open)(const kvcheck_spec* spec, const kvcheck_parameters* parameters,
                kvcheck_session** session, char* message, size_t message_size);
    int (*append)(kvcheck_session* session, const kvcheck_append* call, char* message,
                  size_t message_size);
    int (*reset)(kvcheck_session* session, char* message, size_t message_size);
    int (*lengths)(kvcheck_session* session, int64_t* lengths /* [rows] */);
    void (*close)(kvcheck_session* session);
    const void* (*get_extension)(const char* name); /* may be NULL: none */
} kvcheck_plugin;

/* The one exported symbol. Returns a table that stays valid; NULL where the plug-in cannot run
 * here. */
const kvcheck_plugin* kvcheck_plugin_entry(void);

/* "reset_row/1": forgets one row; the others go on. reset() of the core forgets all rows. */
typedef struct kvcheck_reset_row {
    int (*reset_row)(kvcheck_session* session, int64_t row, char* message, size_t message_size);
} kvcheck_reset_row;

/* "truncate/1": the row, or with row -1 every row, continues as if only its first `length` slots
   had been appended. A caller's wrong row -1 is refused before it gets here. */
typedef struct kvcheck_truncate {
    int (*truncate)(kvcheck_session* session, int64_t row, int64_t length, char* message,
                    size_t message_size);
} kvcheck_truncate;

/* "reorder/1": row r continues what row sources[r] holds; there are `count` rows from then on, in
   every later call. */
typedef struct kvcheck_reorder {
    int (*reorder)(kvcheck_session* session, const int64_t* sources, int64_t count, char* message,
                   size_t message_size);
} kvcheck_reorder;

/* "fork/1": one row more, at the end, that continues what `row` holds. */
typedef struct kvcheck_fork {
    int (*fork)(kvcheck_session* session, int64_t row, char* message, size_t message_size);
} kvcheck_fork;

/* "finish/1": the row takes no more tokens until it is reset. */
typedef struct kvcheck_finish {
    int (*finish)(kvcheck_session* session, int64_t row, char* message, size_t message_size);
} kvcheck_finish;

/* "evict/1": no later query of the row sees the slots begin ... end - 1; all else stays. */
typedef struct kvcheck_evict {
    int (*evict)(kvcheck_session* session, int64_t row, int64_t begin, int64_t end, char* message,
                 size_t message_size);
} kvcheck_evict;

/* "shift/1": the position ids of the row, and of what is appended to it later, are `by` lower; keys
   that are stored turned are turned back. Refuse a negative `by`, and one by which the next id, or
   that of a real token that is not evicted, would fall below zero. Truncate, reorder, fork and save
   keep what a row was shifted by; reset forgets it. */
typedef struct kvcheck_shift {
    int (*shift)(kvcheck_session* session, int64_t row, int64_t by, char* message,
                 size_t message_size);
} kvcheck_shift;

/* "save/1": a state as bytes, and another session that goes on from it (clause 10). */
typedef struct kvcheck_save {
    /* Hands the bytes to write(to, bytes, count), in one call or several; changes nothing. */
    int (*save)(kvcheck_session* session, void (*write)(void* to, const void* bytes, size_t count),
                void* to, char* message, size_t message_size);
    /* As open, for the spec and the parameters of the session that saved; spec->rows is how many
       rows that had then. Bytes that anything else wrote are refused. They may lie at any address.
     */
    int (*load)(const kvcheck_spec* spec, const kvcheck_parameters* parameters, const void* bytes,
                size_t count, kvcheck_session** session, char* message, size_t message_size);
} kvcheck_save;

/* The key of a prefix (clause 11): two of one session that are equal in every label, every flag and
   the revision stand for the same tokens; another session has prefixes of its own. */
typedef struct kvcheck_prefix_key {
    uint32_t size;
    int32_t reserved;
    int64_t slots;
    const int64_t* labels; /* [slots], 0 to 2^53 - 1 */
    const uint8_t* real;   /* [slots], 0 for padding */
    const char* revision;  /* zero-terminated */
} kvcheck_prefix_key;

/* "prefix_reuse/1" */
typedef struct kvcheck_prefix_reuse {
    /* What the row holds can be reused until all rows are reset; key->slots is its length. Refuse a
       row without tokens, and one that is shifted, a tree, or has evicted slots. */
    int (*publish)(kvcheck_session* session, int64_t row, const kvcheck_prefix_key* key,
                   char* message, size_t message_size);
    /* The row continues the longest published prefix that the key begins with; *slots is its
       length, 0 where there is none. Refuse a row that holds tokens, is finished or is shifted. */
    int (*reuse)(kvcheck_session* session, int64_t row, const kvcheck_prefix_key* key,
                 int64_t* slots, char* message, size_t message_size);
} kvcheck_prefix_reuse;

/* "weak_prefix_hash/1": from now on all prefixes have the same hash. Nothing was published yet. */
typedef struct kvcheck_weak_prefix_hash {
    int (*weaken_prefix_hash)(kvcheck_session* session);
} kvcheck_weak_prefix_hash;

/* "cross/1": queries without keys (clause 15): each sees every token that its row holds, real and
   not evicted, whatever the window; nothing is stored. Of the call counts, query or x, and output
   are meant; key, value and real are not to be read, and a row may get any number of queries. */
typedef struct kvcheck_cross {
    int (*ask)(kvcheck_session* session, const kvcheck_append* call, char* message,
               size_t message_size);
} kvcheck_cross;

/* "admission/1": whether every row would have room for counts[row] tokens more (clause 12). */
typedef struct kvcheck_admission {
    /* *fits is 1 or 0. Refuse another number of rows than there are now, and a count below 0. */
    int (*admits)(kvcheck_session* session, const int64_t* counts, int64_t rows, int32_t* fits,
                  char* message, size_t message_size);
} kvcheck_admission;

/* "weights/1": append fills call->weights. The table is empty; any non-NULL pointer says yes. */

/* "log_sum_exp/1": append fills call->log_sum_exp. The table is empty, as that of weights/1. */

/* "kv_export/1" */
typedef struct kvcheck_kv_export {
    /* key [kv_heads][length][key_width], value [kv_heads][length][value_width] */
    int (*export_kv)(kvcheck_session* session, int64_t row, const kvcheck_view* key,
                     const kvcheck_view* value);
} kvcheck_kv_export;

/* "poison_unused/1": overwrites all memory that is held and has not been appended. */
typedef struct kvcheck_poison_unused {
    int (*poison_unused)(kvcheck_session* session, double pattern);
} kvcheck_poison_unused;

/* "numbers/1": the numbers of clause 7; -1 for one that the plug-in does not have. */
typedef struct kvcheck_numbers {
    int64_t length, visible_count, retained_count, next_slot, next_id, write_end;
} kvcheck_numbers;
typedef struct kvcheck_numbers_of_rows {
    int (*numbers)(kvcheck_session* session, kvcheck_numbers* rows /* [rows] */);
} kvcheck_numbers_of_rows;

/* "profile/1": the arithmetic that is declared (model/types/numeric_profile.hpp, field by field);
   the default holds without it. */
typedef struct kvcheck_profile {
    int32_t flush_to_zero;
    int32_t merge_without_division;
    double exp_ulps, log_ulps, divide_ulps;
    int32_t scale_roundings, difference_roundings, shift_roundings, rescale_block, merge_levels;
    int32_t tanh_ulps; /* 0: the default */
    double reference_slack, score_input_error, weight_error, position_table_error;
} kvcheck_profile;

#ifdef __cplusplus
}
#endif

#endif /* KVCHECK_PLUGIN_H */
