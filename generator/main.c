/* SPDX-License-Identifier: MIT */
/*
 * main.c: protoc-gen-cwire. protoc runs it with a CodeGeneratorRequest on stdin and takes a
 * CodeGeneratorResponse from stdout; errors in the request are in the response. See model.h for the
 * reading order.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit_common.h"
#include "plugin.h"

static int fail(const char *what)
{
    fprintf(stderr, "protoc-gen-cwire: %s\n", what);
    return 1;
}

/* All of stdin; NULL: a read error or no memory. */
static uint8_t *read_all(FILE *in, size_t *len)
{
    size_t cap = 64 * 1024;
    uint8_t *data = malloc(cap);
    *len = 0;
    while (data) {
        *len += fread(data + *len, 1, cap - *len, in);
        if (*len < cap) {
            if (!ferror(in))
                return data;
            break;
        }
        uint8_t *bigger = cap > SIZE_MAX / 2 ? NULL : realloc(data, cap * 2);
        if (!bigger)
            break;
        data = bigger;
        cap *= 2;
    }
    free(data);
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("protoc-gen-cwire %s\n", cwg_version());
        return 0;
    }
    if (argc > 1)
        return fail("takes no arguments: protoc runs it, with --plugin=protoc-gen-cwire=PATH "
                    "--cwire_out=DIR [--cwire_opt=OPTIONS]");
    size_t len, out_len;
    uint8_t *request = read_all(stdin, &len);
    if (!request)
        return fail("cannot read the request from stdin");
    cwg_arena arena = {0};
    const uint8_t *response = cwg_plugin_run(request, len, &arena, &out_len);
    free(request);
    bool ok = fwrite(response, 1, out_len, stdout) == out_len && fflush(stdout) == 0;
    cwg_arena_free(&arena);
    return ok ? 0 : fail("cannot write the response to stdout");
}
