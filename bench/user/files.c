/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* nftw */

#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "mem.h"
#include "user/user.h"

char *user_text(const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    char *text = len >= 0 ? bench_calloc((size_t)len + 1, 1) : NULL;
    if (text == NULL || vsnprintf(text, (size_t)len + 1, format, again) != len) {
        bench_die("a text cannot be formatted");
    }
    va_end(again);
    va_end(args);
    return text;
}

char *user_read_file(const char *path, size_t *len)
{
    FILE *in = fopen(path, "rb");
    if (in == NULL) {
        return NULL;
    }
    size_t cap = 4096, n = 0, got;
    char *text = bench_calloc(cap, 1);
    while ((got = fread(text + n, 1, cap - n - 1, in)) > 0) {
        n += got;
        if (n + 1 == cap) {
            cap *= 2;
            text = realloc(text, cap);
            if (text == NULL) {
                bench_die("%s: out of memory", path);
            }
        }
    }
    int failure = ferror(in) ? errno : 0; /* a folder opens, and cannot be read */
    fclose(in);
    if (failure != 0) {
        free(text);
        errno = failure;
        return NULL;
    }
    text[n] = '\0';
    if (len != NULL) {
        *len = n;
    }
    return text;
}

bool user_make_folder(const char *path)
{
    char *part = user_text("%s", path);
    bool ok = true;
    for (char *at = part + 1; ok && *at != '\0'; at++) {
        if (*at == '/') {
            *at = '\0';
            ok = mkdir(part, 0700) == 0 || errno == EEXIST;
            *at = '/';
        }
    }
    ok = ok && (mkdir(part, 0700) == 0 || errno == EEXIST);
    free(part);
    return ok;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

void user_remove_folder(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
