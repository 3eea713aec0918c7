/* SPDX-License-Identifier: Apache-2.0
 * The example with prefixes that rows publish and reuse, in one list of the process. With
 * ANY_REVISION a prefix is found whatever the revision, with ANY_SESSION in every session that
 * stores as many numbers of a token. */
#define kvcheck_plugin_entry honest_entry
#include "examples/c/attention.c"
#undef kvcheck_plugin_entry

typedef struct Prefix {
    struct Prefix* next;
    const Session* owner;
    uint64_t id; /* of labels, flags and revision: a real store compares them all */
    int64_t slots;
    uint8_t* seen;      /* [slots] */
    float *key, *value; /* [slots][kv_heads][width] */
} Prefix;
static Prefix* published;

static uint64_t id_of(const Session* s, const kvcheck_prefix_key* key, int64_t slots) {
    const int64_t extents[3] = {s->spec.kv_heads, s->spec.key_width, s->spec.value_width};
    uint64_t id = kvcheck_hash(extents, sizeof extents, 0);
    id = kvcheck_hash(key->labels, (size_t)slots * sizeof *key->labels, id);
    id = kvcheck_hash(key->real, (size_t)slots, id);
#ifndef ANY_REVISION
    id = kvcheck_hash(key->revision, strlen(key->revision), id);
#endif
    return id;
}

static int is_found_by(const Session* s, const Prefix* p) {
#ifdef ANY_SESSION
    (void)s, (void)p;
    return 1;
#else
    return p->owner == s;
#endif
}

static void* copy_of(const void* from, size_t size) { return memcpy(malloc(size), from, size); }

static int publish(Session* s, int64_t row, const kvcheck_prefix_key* key, char* message,
                   size_t size) {
    if (kvcheck_admit_row(&s->spec, row, message, size)) return KVCHECK_REFUSED;
    const int64_t slots = s->length[row], heads = slots * s->spec.kv_heads;
    if (slots == 0 || key->slots != slots)
        return kvcheck_refuse(message, size, "no label for each of its slots");
    const int64_t first = row * s->spec.capacity, step = s->spec.kv_heads;
    Prefix* const prefix = malloc(sizeof *prefix);
    *prefix = (Prefix){published,
                       s,
                       id_of(s, key, slots),
                       slots,
                       copy_of(s->seen + first, (size_t)slots),
                       copy_of(s->key + first * step * s->spec.key_width,
                               (size_t)(heads * s->spec.key_width) * sizeof(float)),
                       copy_of(s->value + first * step * s->spec.value_width,
                               (size_t)(heads * s->spec.value_width) * sizeof(float))};
    published = prefix;
    return KVCHECK_DONE;
}

static int reuse(Session* s, int64_t row, const kvcheck_prefix_key* key, int64_t* slots,
                 char* message, size_t size) {
    if (kvcheck_admit_row(&s->spec, row, message, size)) return KVCHECK_REFUSED;
    if (s->length[row] > 0) return kvcheck_refuse(message, size, "a row that holds tokens");
    const Prefix* longest = NULL;
    for (const Prefix* p = published; p != NULL; p = p->next)
        if (is_found_by(s, p) && (longest == NULL || p->slots > longest->slots) &&
            p->slots <= key->slots && p->id == id_of(s, key, p->slots))
            longest = p;
    *slots = 0;
    if (longest == NULL) return KVCHECK_DONE;
    const int64_t first = row * s->spec.capacity, step = s->spec.kv_heads;
    const int64_t heads = longest->slots * step;
    memcpy(s->seen + first, longest->seen, (size_t)longest->slots);
    memcpy(s->key + first * step * s->spec.key_width, longest->key,
           (size_t)(heads * s->spec.key_width) * sizeof(float));
    memcpy(s->value + first * step * s->spec.value_width, longest->value,
           (size_t)(heads * s->spec.value_width) * sizeof(float));
    *slots = s->length[row] = longest->slots;
    return KVCHECK_DONE;
}

static void forget(const Session* s) {
    for (Prefix** place = &published; *place != NULL;) {
        Prefix* const p = *place;
        if (p->owner != s) {
            place = &p->next;
            continue;
        }
        *place = p->next;
        free(p->seen), free(p->key), free(p->value), free(p);
    }
}

static int reset_all(Session* s, char* message, size_t size) {
    forget(s);
    return reset(s, message, size);
}

static void close_and_forget(Session* s) {
    forget(s);
    close_session(s);
}

static int reset_row(Session* s, int64_t row, char* message, size_t size) {
    if (kvcheck_admit_row(&s->spec, row, message, size)) return KVCHECK_REFUSED;
    return truncate_rows(s, row, 0, message, size);
}

static const void* extension_with_prefixes(const char* name) {
    static const kvcheck_prefix_reuse table = {publish, reuse};
    if (strcmp(name, "prefix_reuse/1") == 0) return &table;
    KVCHECK_EXTENSION(name, "reset_row/1", kvcheck_reset_row, reset_row);
    return extension(name);
}
KVCHECK_PLUGIN_WITH("prefixes", "1",
                    KVCHECK_PLAIN_ATTENTION " reset_row truncate truncate_row prefix_reuse",
                    KVCHECK_F32, open_session, append, reset_all, lengths, close_and_forget,
                    extension_with_prefixes)
