/* SPDX-License-Identifier: Apache-2.0
 * A program between the checker and a subject that garbles some of the answers: garbling_child SEED
 * ONE_IN COMMAND runs COMMAND and passes lines both ways; one answer in ONE_IN, never the first,
 * has a byte changed, dropped, doubled or swapped, a piece of itself copied over another, or its
 * end cut. Deterministic by SEED and by the number of answers so far. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned long long state;
static unsigned draw(unsigned below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % below;
}

static size_t garble(char* line, size_t n) {
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

int main(int argc, char** argv) {
    int down[2], up[2];
    if (argc < 4 || pipe(down) != 0 || pipe(up) != 0) return 2;
    state = strtoull(argv[1], NULL, 10);
    const unsigned one_in = (unsigned)atoi(argv[2]);
    if (fork() == 0) {
        dup2(down[0], 0), dup2(up[1], 1);
        close(down[0]), close(down[1]), close(up[0]), close(up[1]);
        execl("/bin/sh", "sh", "-c", argv[3], (char*)NULL);
        _exit(127);
    }
    close(down[0]), close(up[1]);
    FILE *const to = fdopen(down[1], "w"), *const from = fdopen(up[0], "r");
    char *request = NULL, *answer = NULL;
    size_t request_room = 0, answer_room = 0;
    for (int first = 1; getline(&request, &request_room, stdin) > 0; first = 0) {
        fputs(request, to), fflush(to);
        ssize_t n = getline(&answer, &answer_room, from);
        if (n <= 1) return 1;
        answer = realloc(answer, answer_room = (size_t)n + 2); /* room for a doubled byte */
        /* What is asked says which answers are garbled, so that a case fails again. */
        for (const char* c = request; *c != 0; ++c)
            state = (state ^ (unsigned char)*c) * 1099511628211ull;
        size_t size = (size_t)n - 1;
        if (!first && draw(one_in) == 0) size = garble(answer, size);
        fwrite(answer, 1, size, stdout), putchar('\n'), fflush(stdout);
    }
    return 0;
}
