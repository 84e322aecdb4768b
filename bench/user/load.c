/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <protobuf-c/protobuf-c.h>

#include "mem.h"
#include "user/user.h"

enum { SUGGESTIONS = 5, NAME_MAX_LEN = 255 };

/* How many characters have to be changed, put in or left out to make b of a (of each the last
 * NAME_MAX_LEN). */
static unsigned distance(const char *a, const char *b)
{
    unsigned row[NAME_MAX_LEN + 1];
    size_t la = strlen(a), lb = strlen(b);
    a += la > NAME_MAX_LEN ? la - NAME_MAX_LEN : 0;
    b += lb > NAME_MAX_LEN ? lb - NAME_MAX_LEN : 0;
    lb = strlen(b);
    for (size_t j = 0; j <= lb; j++) {
        row[j] = (unsigned)j;
    }
    for (; *a != '\0'; a++) {
        unsigned corner = row[0]++;
        for (size_t j = 1; j <= lb; j++) {
            unsigned changed = corner + (*a != b[j - 1]);
            unsigned moved = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            corner = row[j];
            row[j] = changed < moved ? changed : moved;
        }
    }
    return row[lb];
}

static const char *last_part(const char *full_name)
{
    const char *dot = strrchr(full_name, '.');
    return dot != NULL ? dot + 1 : full_name;
}

/* The smaller, the nearer; the package may have been left out or be another. */
static unsigned far_from(const char *wanted, const char *full_name)
{
    unsigned whole = 2 * distance(wanted, full_name);
    unsigned part = 2 * distance(last_part(wanted), last_part(full_name)) + 3;
    return whole < part ? whole : part;
}

static void say_near_names(const cw_registry *files, const char *wanted)
{
    const char *best[SUGGESTIONS];
    unsigned how_far[SUGGESTIONS];
    size_t n = 0, all = 0;
    for (size_t i = 0; i < files->n_files; i++) {
        for (uint32_t k = 0; k < files->files[i]->n_types; k++) {
            const char *name = files->files[i]->types[k]->full_name;
            unsigned far = far_from(wanted, name);
            size_t at = n < SUGGESTIONS ? n++ : n;
            all++;
            while (at > 0 && far < how_far[at - 1]) {
                if (at < SUGGESTIONS) {
                    best[at] = best[at - 1];
                    how_far[at] = how_far[at - 1];
                }
                at--;
            }
            if (at < SUGGESTIONS) {
                best[at] = name;
                how_far[at] = far;
            }
        }
    }
    fprintf(stderr, "cwire-bench: no message type '%s'", wanted);
    for (size_t i = 0; i < n; i++) {
        fprintf(stderr, "%s%s", i == 0 ? all > n ? "; near names: " : "; there are: " : ", ",
                best[i]);
    }
    fprintf(stderr, n > 0 ? "\n" : ": the schema has none\n");
}

bool user_load(const char *library, const char *type_name, user_schema *out)
{
    *out = (user_schema){0};
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        fprintf(stderr, "cwire-bench: the schema's code cannot be loaded: %s\n", dlerror());
        return false;
    }
    const cw_registry *files = dlsym(handle, "cwire_bench_user_files");
    const ProtobufCMessageDescriptor *const *pbc = dlsym(handle, "cwire_bench_user_pbc");
    if (files == NULL || pbc == NULL) {
        fprintf(stderr, "cwire-bench: %s: no library of a schema\n", library);
        return false;
    }
    type_name += type_name[0] == '.';
    out->files = *files;
    out->type = cw_registry_find_type(files, cw_str_from(type_name));
    for (; *pbc != NULL; pbc++) {
        if (strcmp((*pbc)->name, type_name) == 0) {
            out->pbc_type = *pbc;
        }
    }
    if (out->type == NULL) {
        say_near_names(files, type_name);
    }
    return out->type != NULL;
}
