/* SPDX-License-Identifier: Apache-2.0
 * Plug-ins that misbehave outside of a single call: at its edges, over several calls, against the
 * folder and the process they run in. One kind each, chosen by BEAST when this file is compiled;
 * all else is the example. */
#define _GNU_SOURCE
#define kvcheck_plugin_entry honest_entry
#include "examples/c/attention.c"
#undef kvcheck_plugin_entry

#include <signal.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HIDES_THE_CASE,
    CLOSE_CRASHES,
    CLOSE_EXITS,
    CLOSE_HANGS,
    CLOSE_PRINTS,
    END_CRASHES,
    END_EXITS,
    END_HANGS,
    END_PRINTS,
    WRITES_LATE,
    TIRES,
    EXITS_LATE,
    HANGS_LATE,
    FORKS_AND_HOLDS,
    KILLED_ONCE,
    KILLED_ALWAYS,
    SHORT_TABLE,
    LATIN1,
    ESCAPES,
    RECURSES,
    LITTERS,
    LEAVES_THE_GROUP,
    FLUSHES,
    COUNTS_ITS_HANGS,
    REFUSES_AND_WRITES,
    NO_PROFILE
};

/* Clears a line and writes another verdict over it. */
#define ESCAPE                         \
    "\x1b[2K\r  passed     all \a\x9b" \
    "2J\n  passed     all"

static int recurse(int n) {
    volatile char frame[4096];
    frame[n & 4095] = (char)n;
    return recurse(n + 1) + frame[n & 4095];
}

static int appends; /* of the whole process */

/* A folder, with something in it, where the checker keeps the case that is running. */
static void hide_the_case(void) {
    char path[200];
    snprintf(path, sizeof path, "/proc/%d/cwd/counterexamples/current-case.json", (int)getppid());
    unlink(path);
    mkdir(path, 0700);
    strcat(path, "/x");
    mkdir(path, 0700);
}

/* One number beside an output, on the side where no page ends the process. */
static void write_beside(const kvcheck_view* view) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const int page_before = (uintptr_t)view->data % page == 0;
    int64_t last = 0;
    for (int i = 0; i < view->rank; ++i) {
        if (view->extent[i] == 0) return;
        last += (view->extent[i] - 1) * view->stride[i];
    }
    ((float*)view->data)[page_before ? last + 1 : -1] = 1e30f;
}

static int beast_append(Session* s, const kvcheck_append* call, char* message, size_t size) {
    const int status = append(s, call, message, size);
    if (status == KVCHECK_REFUSED && BEAST == LATIN1)
        return kvcheck_refuse(message, size,
                              "Gr\xf6\xdf"
                              "e");
    if (status == KVCHECK_REFUSED && BEAST == REFUSES_AND_WRITES &&
        call->output.type == KVCHECK_F32)
        write_beside(&call->output);
    if (BEAST == ESCAPES) return kvcheck_refuse(message, size, ESCAPE);
    if (status != KVCHECK_DONE || call->tokens == 0) return status;
    ++appends;
    float* const first = kvcheck_f32(&call->output, 0, 0, 0, 0);
    static float* last;
    switch (BEAST) {
        case WRITES_LATE: /* into what it was given the call before */
            if (last != NULL) *last = 1e30f;
            last = call->counts[0] > 0 ? first : NULL;
            break;
        case FORKS_AND_HOLDS: /* the pipe is open as long as the grandchild lives */
            if (appends < 3) break;
            if (fork() == 0) sleep(60);
            _exit(3);
        case KILLED_ONCE: /* as if the system had run out of memory */
            if (appends != 30 || access(getenv("MARK"), F_OK) == 0) break;
            fclose(fopen(getenv("MARK"), "w"));
            kill(getpid(), SIGKILL);
            break;
        case KILLED_ALWAYS:
            if (appends == 2) kill(getpid(), SIGKILL);
            break;
        case RECURSES:
            if (appends == 3) recurse(0);
            break;
        case LITTERS:
            mkdir("counterexamples", 0700);
            fclose(fopen("litter", "w"));
            break;
        case LEAVES_THE_GROUP:
            if (appends != 3 || fork() != 0) break;
            setsid();
            if (fork() != 0) _exit(0);
            execlp("sleep", "sleep", "77.7", NULL);
        case FLUSHES: /* subnormal numbers, from now on */
#ifdef __SSE__
            _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
            break;
        case COUNTS_ITS_HANGS: {
            FILE* const mark = fopen(getenv("MARK"), "a");
            fputc('.', mark), fclose(mark);
            for (;;) sleep(1);
        }
        case TIRES: /* of a process that has asked too much */
            if (appends > 60 && call->counts[0] > 0) *first = 1e30f;
            break;
        case EXITS_LATE: /* whatever it is asked then */
            if (appends == 400) _exit(3);
            break;
        case HANGS_LATE:
            while (appends >= 60) sleep(1);
            break;
        case HIDES_THE_CASE:
            if (appends == 40) hide_the_case();
            if (appends >= 40 && call->counts[0] > 0) *first = 1e30f;
            break;
    }
    return status;
}

static void beast_close(Session* s) {
    close_session(s);
    switch (BEAST) {
        case CLOSE_CRASHES:
            *(volatile int*)8 = 1;
            break;
        case CLOSE_EXITS:
            _exit(0);
        case CLOSE_HANGS:
            for (;;) sleep(1);
        case CLOSE_PRINTS:
            puts("good bye"), fflush(stdout);
            break;
    }
}

__attribute__((destructor)) static void at_the_end(void) {
    if (appends == 0) return;
    switch (BEAST) {
        case END_CRASHES:
            *(volatile int*)8 = 1;
            break;
        case END_EXITS:
            _exit(3);
        case END_HANGS:
            for (;;) sleep(1);
        case END_PRINTS:
            puts("good bye"), fflush(stdout);
            break;
    }
}

/* Without its last field, and with nothing behind it that could be read. */
static const kvcheck_plugin* short_table(kvcheck_plugin* plugin) {
    const size_t size = offsetof(kvcheck_plugin, get_extension);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char* const pages =
        mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages + page, page, PROT_NONE);
    plugin->size = (uint32_t)size;
    return memcpy(pages + page - size, plugin, size);
}

const kvcheck_plugin* kvcheck_plugin_entry(void) {
    static kvcheck_plugin plugin;
    plugin = *honest_entry();
    plugin.append = beast_append;
    plugin.close = beast_close;
    if (BEAST == NO_PROFILE) plugin.get_extension = NULL;
    /* Commands but a reset come through extensions. */
    if (BEAST == NO_PROFILE || BEAST == SHORT_TABLE) plugin.features = KVCHECK_PLAIN_ATTENTION;
    if (BEAST == LATIN1) plugin.version = "1 \xa7";
    if (BEAST == ESCAPES) plugin.name = plugin.version = ESCAPE;
    if (BEAST == SHORT_TABLE) return short_table(&plugin);
    return &plugin;
}
