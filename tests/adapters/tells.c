/* SPDX-License-Identifier: Apache-2.0
 * The example, which writes down every command that it is given, with all its arguments, into the
 * file that the environment variable COMMANDS names. It takes finish, too, and does nothing then.
 * Where there is a variable FEATURES, it declares these and offers no extension. */
#define kvcheck_plugin_entry honest_entry
#include "examples/c/attention.c"
#undef kvcheck_plugin_entry

#include <stdarg.h>
#include <stdio.h>

static void tell(const char* format, ...) {
    const char* const path = getenv("COMMANDS");
    FILE* const file = path != NULL ? fopen(path, "a") : NULL;
    if (file == NULL) return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    fclose(file);
}

static int tell_reset(Session* s, char* message, size_t size) {
    tell("reset\n");
    return reset(s, message, size);
}
static int tell_reset_row(Session* s, int64_t row, char* message, size_t size) {
    tell("reset_row %d\n", (int)row);
    return truncate_rows(s, row, 0, message, size);
}
static int tell_truncate(Session* s, int64_t row, int64_t length, char* message, size_t size) {
    tell("truncate %d %d\n", (int)row, (int)length);
    return truncate_rows(s, row, length, message, size);
}
static int tell_reorder(Session* s, const int64_t* sources, int64_t count, char* message,
                        size_t size) {
    tell("reorder");
    for (int64_t r = 0; r < count; ++r) tell(" %d", (int)sources[r]);
    tell("\n");
    return reorder(s, sources, count, message, size);
}
static int tell_fork(Session* s, int64_t row, char* message, size_t size) {
    tell("fork %d\n", (int)row);
    return fork_row(s, row, message, size);
}
static int tell_finish(Session* s, int64_t row, char* message, size_t size) {
    tell("finish %d\n", (int)row);
    return row < s->spec.rows ? KVCHECK_DONE : kvcheck_refuse(message, size, "no such row");
}
static int tell_evict(Session* s, int64_t row, int64_t begin, int64_t end, char* message,
                      size_t size) {
    tell("evict %d %d %d\n", (int)row, (int)begin, (int)end);
    return evict(s, row, begin, end, message, size);
}

/* It turns nothing and has no ids: a shift changes none of its numbers. */
static int tell_shift(Session* s, int64_t row, int64_t by, char* message, size_t size) {
    tell("shift %d %d\n", (int)row, (int)by);
    return row < s->spec.rows ? KVCHECK_DONE : kvcheck_refuse(message, size, "no such row");
}

/* Of the labels their number, and of each flag its value; it finds nothing. */
static void tell_key(const char* what, int64_t row, const kvcheck_prefix_key* key) {
    tell("%s %d %d labels ", what, (int)row, (int)key->slots);
    for (int64_t n = 0; n < key->slots; ++n) tell("%d", key->labels[n] >= 0 ? key->real[n] : 9);
    tell(" %s\n", key->revision);
}
static int tell_publish(Session* s, int64_t row, const kvcheck_prefix_key* key, char* message,
                        size_t size) {
    tell_key("publish", row, key);
    return row < s->spec.rows ? KVCHECK_DONE : kvcheck_refuse(message, size, "no such row");
}
static int tell_reuse(Session* s, int64_t row, const kvcheck_prefix_key* key, int64_t* slots,
                      char* message, size_t size) {
    tell_key("reuse", row, key);
    *slots = 0;
    return row < s->spec.rows ? KVCHECK_DONE : kvcheck_refuse(message, size, "no such row");
}

static const void* telling_extension(const char* name) {
    KVCHECK_EXTENSION(name, "reset_row/1", kvcheck_reset_row, tell_reset_row);
    KVCHECK_EXTENSION(name, "truncate/1", kvcheck_truncate, tell_truncate);
    KVCHECK_EXTENSION(name, "reorder/1", kvcheck_reorder, tell_reorder);
    KVCHECK_EXTENSION(name, "fork/1", kvcheck_fork, tell_fork);
    KVCHECK_EXTENSION(name, "finish/1", kvcheck_finish, tell_finish);
    KVCHECK_EXTENSION(name, "evict/1", kvcheck_evict, tell_evict);
    KVCHECK_EXTENSION(name, "shift/1", kvcheck_shift, tell_shift);
    static const kvcheck_prefix_reuse prefixes = {tell_publish, tell_reuse};
    if (strcmp(name, "prefix_reuse/1") == 0) return &prefixes;
    return extension(name);
}

const kvcheck_plugin* kvcheck_plugin_entry(void) {
    static kvcheck_plugin plugin;
    plugin = *honest_entry();
    plugin.features = KVCHECK_PLAIN_ATTENTION
        " reset_row truncate truncate_row reorder varying_rows fork finish evict shift "
        "prefix_reuse";
    plugin.reset = tell_reset;
    plugin.get_extension = telling_extension;
    if (getenv("FEATURES") != NULL)
        plugin.features = getenv("FEATURES"), plugin.get_extension = NULL;
    return &plugin;
}
