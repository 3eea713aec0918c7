/* SPDX-License-Identifier: Apache-2.0
 * A program that answers from a record: recorded_child FILE SEED answers request n with message n
 * of FILE, whatever is asked, and damages one of them, never the first. Deterministic by SEED. A
 * record is a word for each message, its size, and the message. */
#define _GNU_SOURCE
#include "tests/adapters/garble.h"

int main(int argc, char** argv) {
    FILE* const record = argc == 3 ? fopen(argv[1], "rb") : NULL;
    if (record == NULL) return 2;
    char* answers[64];
    size_t sizes[64], count = 0;
    uint64_t size = 0;
    while (count < 64 && fread(&size, sizeof size, 1, record) == 1) {
        answers[count] = malloc(size + 2);
        if (fread(answers[count], 1, size, record) != size) return 2;
        sizes[count++] = size;
    }
    state = strtoull(argv[2], NULL, 10) * 0x9e3779b97f4a7c15ull + 1;
    const size_t damaged = 1 + draw((unsigned)count - 1);
    char* request = NULL;
    size_t room = 0;
    for (size_t n = 0; n < count && read_message(stdin, &request, &room) > 0; ++n)
        write_message(stdout, answers[n], sizes[n], n == damaged);
    return 0;
}
