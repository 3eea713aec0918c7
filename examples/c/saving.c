/* SPDX-License-Identifier: Apache-2.0
 * The plug-in of attention.c with a state that can be saved: a fingerprint of the spec, all arrays
 * as they lie in memory, and a checksum of both. Simple, and as large as the capacity; a state of
 * a layer, or with tables, has their fingerprint, too. Build like attention.c. */
#define kvcheck_plugin_entry entry_without_save
#include "attention.c"
#undef kvcheck_plugin_entry

typedef struct Part {
    void* data;
    size_t size;
} Part;
enum { PARTS = 4 };

/* All that later outputs depend on. */
static void parts_of(Session* s, Part part[PARTS]) {
    const size_t slots = s->spec.rows * s->spec.capacity, heads = slots * s->spec.kv_heads;
    part[0] = (Part){s->length, s->spec.rows * sizeof *s->length};
    part[1] = (Part){s->seen, slots};
    part[2] = (Part){s->key, heads * s->spec.key_width * sizeof(float)};
    part[3] = (Part){s->value, heads * s->spec.value_width * sizeof(float)};
}

static int save(Session* s, void (*write)(void* to, const void* bytes, size_t count), void* to,
                char* message, size_t size) {
    (void)message, (void)size;
    Part part[PARTS];
    parts_of(s, part);
    const uint64_t spec = kvcheck_hash(&s->spec, sizeof s->spec, 0);
    uint64_t sum = kvcheck_hash(&spec, sizeof spec, 0);
    write(to, &spec, sizeof spec);
    for (int i = 0; i < PARTS; ++i) {
        sum = kvcheck_hash(part[i].data, part[i].size, sum);
        write(to, part[i].data, part[i].size);
    }
    write(to, &sum, sizeof sum);
    return KVCHECK_DONE;
}

/* What is wrong with the bytes; NULL where nothing is. They may lie at any address. */
static const char* objection_to(const kvcheck_spec* spec, const uint8_t* bytes, size_t count,
                                size_t right) {
    uint64_t own = kvcheck_hash(spec, sizeof *spec, 0), of, sum;
    if (count < sizeof of) return "no state";
    memcpy(&of, bytes, sizeof of);
    if (of != own) return "the state of another spec";
    if (count != right) return "a state that is cut off, or too long";
    memcpy(&sum, bytes + count - sizeof sum, sizeof sum);
    return sum == kvcheck_hash(bytes, count - sizeof sum, 0) ? NULL : "a damaged state";
}

static int load(const kvcheck_spec* spec, const kvcheck_parameters* parameters, const void* bytes,
                size_t count, Session** session, char* message, size_t size) {
    Session* s;
    if (parameters->slopes || parameters->sinks || parameters->rotary_table)
        return kvcheck_refuse(message, size, "none of these here");
    if (open_session(spec, parameters, &s, message, size)) return KVCHECK_REFUSED;
    Part part[PARTS];
    parts_of(s, part);
    size_t right = 2 * sizeof(uint64_t);
    for (int i = 0; i < PARTS; ++i) right += part[i].size;
    const uint8_t* from = bytes;
    const char* const objection = objection_to(spec, from, count, right);
    if (objection != NULL) return close_session(s), kvcheck_refuse(message, size, objection);
    from += sizeof(uint64_t);
    for (int i = 0; i < PARTS; from += part[i++].size) memcpy(part[i].data, from, part[i].size);
    *session = s;
    return KVCHECK_DONE;
}

static const void* extension_with_save(const char* name) {
    static const kvcheck_save table = {save, load};
    return strcmp(name, "save/1") == 0 ? &table : extension(name);
}

const kvcheck_plugin* kvcheck_plugin_entry(void) {
    static kvcheck_plugin plugin;
    plugin = *entry_without_save();
    plugin.name = "c-example-saving";
    plugin.features =
        KVCHECK_PLAIN_ATTENTION " truncate truncate_row reorder varying_rows fork evict save";
    plugin.get_extension = extension_with_save;
    return &plugin;
}
