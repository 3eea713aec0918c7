/* SPDX-License-Identifier: Apache-2.0
 * Messages of the child protocol read, and damaged: a byte changed, dropped, doubled or swapped, a
 * piece of the message copied over another, or its end cut. A damaged frame mostly says its own
 * size, so that its reader does not wait for more. For programs of one file; deterministic. */
#ifndef KVCHECK_TESTS_GARBLE_H
#define KVCHECK_TESTS_GARBLE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_MARK = 1, FRAME_HEAD = 16, FRAME_SIZE_AT = 8 };

static unsigned long long state;
static inline unsigned draw(unsigned below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % below;
}

static inline size_t garble_bytes(char* line, size_t n) {
    static const char bytes[] = "{}[]\",:0123456789-eEnulltruefals \\\x80\xff\x1b";
    const size_t at = draw((unsigned)n), other = draw((unsigned)n);
    const size_t rest = n - (at > other ? at : other), piece = draw((unsigned)rest) % 16 + 1;
    switch (draw(6)) {
        case 0:
            line[at] = bytes[draw(sizeof bytes - 1)];
            break;
        case 1:
            memmove(line + at, line + at + 1, n - at - 1);
            return n - 1;
        case 2:
            memmove(line + at + 1, line + at, n - at);
            return n + 1;
        case 3: {
            const char c = line[at];
            line[at] = line[other], line[other] = c;
            break;
        }
        case 4:
            memmove(line + at, line + other, piece < rest ? piece : rest);
            break;
        case 5:
            return at;
    }
    return n;
}

static inline size_t garble(char* message, size_t n) {
    const int was_frame = n >= FRAME_HEAD && message[0] == FRAME_MARK;
    n = garble_bytes(message, n);
    if (was_frame && n >= FRAME_HEAD && draw(16) != 0) {
        const uint64_t rest = n - FRAME_HEAD;
        memcpy(message + FRAME_SIZE_AT, &rest, sizeof rest);
    }
    return n;
}

/* One message, with room for a doubled byte: a frame, or a line with its end. 0 where there is
 * none. */
static inline size_t read_message(FILE* from, char** message, size_t* room) {
    const int first = getc(from);
    if (first == EOF) return 0;
    ungetc(first, from);
    size_t size = FRAME_HEAD;
    if (first != FRAME_MARK) {
        const ssize_t n = getline(message, room, from);
        if (n <= 0) return 0;
        size = (size_t)n;
        *message = (char*)realloc(*message, *room = size + 2);
        return size;
    }
    *message = (char*)realloc(*message, *room = FRAME_HEAD + 2);
    if (fread(*message, 1, FRAME_HEAD, from) != FRAME_HEAD) return 0;
    uint64_t rest = 0;
    memcpy(&rest, *message + FRAME_SIZE_AT, sizeof rest);
    size += rest;
    *message = (char*)realloc(*message, *room = size + 2);
    return fread(*message + FRAME_HEAD, 1, rest, from) == rest ? size : 0;
}

/* A line's end is not damaged. */
static inline void write_message(FILE* to, char* message, size_t size, int damaged) {
    const int is_frame = message[0] == FRAME_MARK;
    if (damaged) size = is_frame ? garble(message, size) : garble(message, size - 1);
    fwrite(message, 1, size, to);
    if (damaged && !is_frame) putc('\n', to);
    fflush(to);
}

#endif
