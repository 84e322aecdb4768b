/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* st_mtim */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "mem.h"
#include "user/build.h"

/* A field of a message, of wire type 2; false: the end, or something else. */
typedef struct scan {
    const uint8_t *p, *end;
} scan;

static bool next_field(scan *s, unsigned *number, scan *value)
{
    uint64_t v[2] = {0, 0}; /* tag, length */
    for (int i = 0; i < 2; i++) {
        unsigned shift = 0;
        do {
            if (s->p == s->end || shift > 28) {
                return false;
            }
            v[i] |= (uint64_t)(*s->p & 0x7f) << shift;
            shift += 7;
        } while (*s->p++ >= 0x80);
    }
    if ((v[0] & 7) != 2 || v[1] > (uint64_t)(s->end - s->p)) {
        return false;
    }
    *number = (unsigned)(v[0] >> 3);
    *value = (scan){s->p, s->p + v[1]};
    s->p = value->end;
    return true;
}

/* google.protobuf.FileDescriptorSet: repeated FileDescriptorProto file = 1, whose first field is
 * string name = 1, as protoc writes it. */
static bool read_names(user_build *b)
{
    size_t len;
    unsigned number;
    char *bytes = user_read_file(b->set, &len);
    if (bytes == NULL) {
        fprintf(stderr, "cwire-bench: %s: %s\n", b->set, strerror(errno));
        return false;
    }
    scan set = {(const uint8_t *)bytes, (const uint8_t *)bytes + len}, file, name;
    while (next_field(&set, &number, &file)) {
        if (number != 1 || !next_field(&file, &number, &name) || number != 1) {
            break;
        }
        b->names = realloc(b->names, (b->n_names + 1) * sizeof *b->names);
        if (b->names == NULL) {
            bench_die("out of memory");
        }
        b->names[b->n_names++] = user_text("%.*s", (int)(name.end - name.p), (const char *)name.p);
    }
    bool ok = set.p == set.end && b->n_names > 0;
    free(bytes);
    if (!ok) {
        fprintf(stderr, "cwire-bench: protoc's description of the schema cannot be read\n");
    }
    return ok;
}

/* protoc's own words; an older one has none for `edition = "2023";`, and stumbles at each field. */
static void say_refusal(const char *log)
{
    char *text = user_read_file(log, NULL);
    user_say_log("protoc does not take the schema", log);
    if (text != NULL && strstr(text, "Expected top-level statement") != NULL) {
        fprintf(stderr, "cwire-bench: if the schema has an edition: protoc knows them from 27.0 on "
                        "(the one in PATH is taken)\n");
    }
    free(text);
}

/* The folder of the file itself comes last: where nothing is said, imports are looked for there. */
bool user_describe(user_build *b)
{
    const char *proto = b->options->proto;
    const char *slash = strrchr(proto, '/');
    const bench_list *imports = &b->options->imports;
    char *folders[BENCH_LIST_MAX + 1], *out = user_text("--descriptor_set_out=%s", b->set);
    user_words w = {0};
    user_words_add(&w, b->protoc);
    for (size_t i = 0; i <= imports->n; i++) {
        folders[i] = i < imports->n ? user_text("-I%s", imports->item[i])
                     : slash        ? user_text("-I%.*s", (int)(slash - proto + 1), proto)
                                    : user_text("-I.");
        user_words_add(&w, folders[i]);
    }
    user_words_add(&w, "--include_imports");
    user_words_add(&w, out);
    user_words_add(&w, proto);
    bool ok = user_run(&w, b->log);
    if (!ok) {
        say_refusal(b->log);
    }
    user_words_free(&w);
    for (size_t i = 0; i <= imports->n; i++) {
        free(folders[i]);
    }
    free(out);
    return ok && read_names(b);
}

/* ---- the key -----------------------------------------------------------------------------------
 */

/* FNV-1a. */
static uint64_t hash(uint64_t h, const void *data, size_t len)
{
    const uint8_t *p = data;
    for (size_t i = 0; i < len; i++) {
        h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    }
    return h;
}

static uint64_t hash_text(uint64_t h, const char *text)
{
    return hash(h, text, strlen(text) + 1);
}

static uint64_t hash_file(uint64_t h, const char *path)
{
    size_t len;
    char *bytes = user_read_file(path, &len);
    h = bytes != NULL ? hash(h, bytes, len) : hash_text(h, "none");
    free(bytes);
    return h;
}

/* A program is known by its place, size and age. */
static uint64_t hash_program(uint64_t h, const char *path)
{
    struct stat info = {0};
    h = hash_text(h, path);
    if (stat(path, &info) == 0) {
        const int64_t facts[] = {info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
        h = hash(h, facts, sizeof facts);
    }
    return h;
}

char *user_build_key(const user_build *b)
{
    char *header = user_text("%s/cwire/cwire.h", b->include);
    char *plugin_c = user_find_program("protoc-gen-c");
    uint64_t h = hash_file(UINT64_C(0xcbf29ce484222325), b->set);
    h = hash_program(h, b->plugin);
    h = hash_program(h, b->compiler);
    h = hash_program(h, header);
    h = hash_program(h, plugin_c != NULL ? plugin_c : "none");
    h = hash_program(h, "/proc/self/exe");
    free(header);
    free(plugin_c);
    return user_text("%016" PRIx64, h);
}
