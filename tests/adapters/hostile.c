/* SPDX-License-Identifier: Apache-2.0
 * Plug-ins that misbehave, each in one way, chosen by HOSTILE when this file is compiled. All else
 * is the example, so that a verdict can only be about the misbehaviour. */
#define kvcheck_plugin_entry honest_entry
#include "examples/c/attention.c"
#undef kvcheck_plugin_entry

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    SEGFAULT,
    LOOP,
    EXIT,
    ABORT,
    HOARD,
    HOARD_SHARED,
    PAST_END,
    BEFORE_START,
    READS_PAST_END,
    READS_PAST_INPUT,
    FORGETS_LAST_ROW,
    CHANGES_INPUT,
    WRONG_STATUS,
    NEGATIVE_LENGTH,
    GARBAGE,
    CLOSES_PIPE,
    HALF_LINE,
    BOASTS
};

static int hostile_append(Session* s, const kvcheck_append* call, char* message, size_t size) {
    const int status = append(s, call, message, size);
    const int64_t rows = s->spec.rows, tokens = call->tokens;
    if (status != KVCHECK_DONE || tokens == 0) return status;
    const int second = s->length[0] > 1; /* misbehave once something is cached */
    float* const last = kvcheck_f32(&call->output, rows - 1, tokens - 1, s->spec.query_heads - 1,
                                    s->spec.value_width - 1);
    switch (HOSTILE) {
        case SEGFAULT:
            if (second) *(volatile int*)8 = 1;
            break;
        case LOOP:
            while (second) sleep(1);
            break;
        case EXIT:
            if (second) exit(0);
            break;
        case ABORT:
            if (second) abort();
            break;
        case HOARD:
            if (second)
                for (volatile char* p = malloc((size_t)100 << 30);; p += 4096) *p = 1;
            break;
        case HOARD_SHARED: /* shared pages, which no limit on data counts */
            if (second)
                for (volatile char* p = mmap(NULL, (size_t)1 << 40, PROT_READ | PROT_WRITE,
                                             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
                     ; p += 4096)
                    *p = 1;
            break;
        case PAST_END:
            last[1] = 1;
            break;
        case BEFORE_START:
            ((float*)call->output.data)[-1] = 1;
            break;
        case READS_PAST_END:
            *last += last[1];
            break;
        case READS_PAST_INPUT: { /* and makes nothing of it */
            const volatile float* const query = kvcheck_f32(
                &call->query, rows - 1, tokens - 1, s->spec.query_heads - 1, s->spec.key_width - 1);
            (void)query[1];
            break;
        }
        case FORGETS_LAST_ROW:
            if (call->counts[rows - 1] == tokens) memcpy(last, "\xa5\xa5\xc5\x7f", 4);
            break;
        case CHANGES_INPUT:
            *kvcheck_f32(&call->query, 0, 0, 0, 0) += 1;
            break;
        case WRONG_STATUS:
            return 42;
        case GARBAGE:
            if (second) puts("hello, world"), fflush(stdout);
            break;
        case CLOSES_PIPE:
            if (second) close(1);
            break;
        case HALF_LINE:
            if (second) write(1, "{\"done\":", 8), _exit(0);
            break;
    }
    return status;
}

static int hostile_lengths(Session* s, int64_t* out) {
    lengths(s, out);
    if (HOSTILE == NEGATIVE_LENGTH) out[0] = -5;
    return KVCHECK_DONE;
}

const kvcheck_plugin* kvcheck_plugin_entry(void) {
    static kvcheck_plugin plugin;
    plugin = *honest_entry();
    plugin.append = hostile_append;
    plugin.lengths = hostile_lengths;
    if (HOSTILE == BOASTS) plugin.features = KVCHECK_PLAIN_ATTENTION " learned_positions";
    return &plugin;
}
