/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* scandir */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "mem.h"
#include "user/user.h"

typedef cw_status parse(const user_schema *s, void *m, const char *data, size_t len, cw_arena *a,
                        cw_error *e);

static cw_status parse_json(const user_schema *s, void *m, const char *data, size_t len,
                            cw_arena *a, cw_error *e)
{
    const cw_json_parse_options options = {.types = &s->files};
    return s->type->from_json(m, data, len, a, &options, e);
}

static cw_status parse_binary(const user_schema *s, void *m, const char *data, size_t len,
                              cw_arena *a, cw_error *e)
{
    return s->type->decode(m, data, len, a, NULL, e);
}

static cw_status parse_text(const user_schema *s, void *m, const char *data, size_t len,
                            cw_arena *a, cw_error *e)
{
    const cw_text_parse_options options = {.types = &s->files};
    return cw_text_parse(s->type, m, data, len, a, &options, e);
}

/* By the end of the name, as protoc, buf and their editors know them. */
static const struct {
    const char *ending;
    parse *read;
} formats[] = {
    {".json", parse_json},   {".binpb", parse_binary}, {".bin", parse_binary},
    {".pb", parse_binary},   {".txtpb", parse_text},   {".textproto", parse_text},
    {".textpb", parse_text}, {".pbtxt", parse_text},
};

static parse *format_of(const char *path)
{
    size_t len = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        size_t n = strlen(formats[i].ending);
        if (len > n && strcmp(path + len - n, formats[i].ending) == 0) {
            return formats[i].read;
        }
    }
    return NULL;
}

static bool read_one(const user_schema *schema, const char *path, user_data *out)
{
    char text[512];
    size_t len;
    cw_error e = {0};
    parse *read = format_of(path);
    if (read == NULL) {
        fprintf(stderr, "cwire-bench: %s: neither .json nor .binpb nor .txtpb\n", path);
        return false;
    }
    char *data = user_read_file(path, &len);
    if (data == NULL) {
        fprintf(stderr, "cwire-bench: %s: %s\n", path, strerror(errno));
        return false;
    }
    void *message = out->messages + out->n * schema->type->struct_size;
    cw_status st = read(schema, message, data, len, &out->arena, &e);
    free(data);
    if (st != CW_OK) {
        cw_error_print(&e, text, sizeof text);
        fprintf(stderr, "cwire-bench: %s: %s\n", path, text);
        return false;
    }
    out->n++;
    return true;
}

static int is_payload(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && format_of(entry->d_name) != NULL;
}

static bool read_folder(const user_schema *schema, const char *path, user_data *out)
{
    struct dirent **entries;
    int n = scandir(path, &entries, is_payload, alphasort);
    bool ok = n > 0;
    if (n < 0) {
        fprintf(stderr, "cwire-bench: %s: %s\n", path, strerror(errno));
        return false;
    }
    if (n == 0) {
        fprintf(stderr, "cwire-bench: %s: no .json, .binpb or .txtpb file in it\n", path);
    }
    out->messages = bench_calloc((size_t)n, schema->type->struct_size);
    for (int i = 0; i < n; i++) {
        char *file = user_text("%s/%s", path, entries[i]->d_name);
        ok = ok && read_one(schema, file, out);
        free(file);
        free(entries[i]);
    }
    free(entries);
    return ok;
}

bool user_data_read(const user_schema *schema, const char *path, user_data *out)
{
    struct stat info;
    *out = (user_data){0};
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        return read_folder(schema, path, out);
    }
    out->messages = bench_calloc(1, schema->type->struct_size);
    return read_one(schema, path, out);
}

void user_data_free(user_data *d)
{
    free(d->messages);
    cw_arena_free(&d->arena);
    *d = (user_data){0};
}
