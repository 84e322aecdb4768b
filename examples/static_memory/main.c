/* SPDX-License-Identifier: MIT */
/*
 * Decodes into static memory: the arena has one block of the program's own and may not ask for
 * more, so a message that needs more is an error and never an allocation.
 */
#include <stdio.h>

#include "letter.cw.h"

static char memory[1024];

/* A letter from somewhere: subject "Hi", to "a@b.c" and "d@e.f". */
static const unsigned char received[] = "\x0a\x02Hi\x12\x05"
                                        "a@b.c"
                                        "\x12\x05"
                                        "d@e.f";

/* As received, with more recipients than the memory holds. */
static size_t flood(unsigned char *out, size_t cap)
{
    size_t n = 0;
    while (cap - n >= 7) {
        const unsigned char to[] = "\x12\x05x@y.z";
        for (size_t i = 0; i < 7; i++) {
            out[n++] = to[i];
        }
    }
    return n;
}

int main(void)
{
    const cw_arena_options options = {
        .block = memory, .block_size = sizeof memory, .no_alloc = true};
    static unsigned char large[2048];
    cw_arena arena;
    cw_error e;
    mail_Letter letter;
    char text[256];

    cw_arena_init(&arena, &options);
    if (mail_Letter_decode(&letter, received, sizeof received - 1, &arena, NULL, &e) != CW_OK) {
        cw_error_print(&e, text, sizeof text);
        fprintf(stderr, "%s\n", text);
        return 1;
    }
    printf("%s, to %zu\n", letter.subject.data, letter.to.len);

    cw_arena_reset(&arena); /* the next message takes the same memory */
    if (mail_Letter_decode(&letter, large, flood(large, sizeof large), &arena, NULL, &e) !=
        CW_ERR_LIMIT) {
        return 1;
    }
    cw_error_print(&e, text, sizeof text);
    printf("too large: %s\n", text);
    return 0;
}
