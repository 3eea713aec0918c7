/* SPDX-License-Identifier: Apache-2.0
 * A program between the checker and a subject that garbles some of the answers: garbling_child SEED
 * ONE_IN COMMAND runs COMMAND and passes messages both ways; one answer in ONE_IN, never the first,
 * is damaged. Deterministic by SEED and by what has been asked so far. */
#define _GNU_SOURCE
#include "tests/adapters/garble.h"

#include <unistd.h>

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
    size_t request_room = 0, answer_room = 0, n = 0;
    for (int first = 1; (n = read_message(stdin, &request, &request_room)) > 0; first = 0) {
        fwrite(request, 1, n, to), fflush(to);
        const size_t size = read_message(from, &answer, &answer_room);
        if (size <= 1) return 1;
        /* What is asked says which answers are garbled, so that a case fails again. */
        for (size_t i = 0; i < n; ++i)
            state = (state ^ (unsigned char)request[i]) * 1099511628211ull;
        write_message(stdout, answer, size, !first && draw(one_in) == 0);
    }
    return 0;
}
