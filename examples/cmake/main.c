/* SPDX-License-Identifier: MIT */
/* Builds a letter, encodes it, decodes it again and prints it as JSON. */
#include <stdio.h>

#include "letter.cw.h"

static int fail(const cw_error *e)
{
    char text[256];
    cw_error_print(e, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 1;
}

int main(void)
{
    cw_arena arena = {0};
    cw_error e;
    cw_bytes wire;
    cw_str json;
    mail_Letter letter = {.subject = CW_STR("Lunch"), .sent_ms = 1767225600000u}, again;

    if (!mail_Letter_add_to(&letter, CW_STR("ada@example.org"), &arena) ||
        !mail_Letter_add_to(&letter, CW_STR("grace@example.org"), &arena)) {
        return 1; /* no memory */
    }
    if (mail_Letter_encode_arena(&letter, &arena, &wire, &e) != CW_OK ||
        mail_Letter_decode(&again, wire.data, wire.len, &arena, NULL, &e) != CW_OK ||
        mail_Letter_to_json(&again, &arena, NULL, &json, &e) != CW_OK) {
        return fail(&e);
    }
    printf("%zu bytes, as JSON %zu: %s\n", wire.len, json.len, json.data);
    cw_arena_free(&arena);
    return 0;
}
