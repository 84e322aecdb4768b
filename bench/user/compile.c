/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* sysconf */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mem.h"
#include "progress.h"
#include "user/build.h"

/* As the rest of the race; what protoc-c prints is not free of warnings. */
static const char *const flags[] = {"-std=gnu11", "-O2", "-DNDEBUG", "-fPIC", "-w"};

enum { JOBS_MAX = 16 };

/* One source file. */
typedef struct unit {
    char *source, *object, *log;
    int process; /* -1: not running */
} unit;

typedef struct units {
    unit *data;
    size_t n;
} units;

/* Takes the text `source`. The folder's name keeps the objects of both libraries apart. */
static void add_unit(const user_build *b, units *u, const char *folder, char *source)
{
    u->data = realloc(u->data, (u->n + 1) * sizeof *u->data);
    if (u->data == NULL) {
        bench_die("out of memory");
    }
    u->data[u->n] = (unit){source, user_text("%s/%s-%zu.o", b->work, folder, u->n),
                           user_text("%s/%s-%zu.log", b->work, folder, u->n), -1};
    u->n++;
}

static void free_units(units *u)
{
    for (size_t i = 0; i < u->n; i++) {
        free(u->data[i].source);
        free(u->data[i].object);
        free(u->data[i].log);
    }
    free(u->data);
    *u = (units){0};
}

/* ---- generating --------------------------------------------------------------------------------
 */

/* "a/b" of "a/b.proto". */
static int stem_length(const char *proto)
{
    size_t len = strlen(proto);
    return (int)(len > 6 && strcmp(proto + len - 6, ".proto") == 0 ? len - 6 : len);
}

bool user_is_well_known(const char *proto)
{
    static const char *const names[] = {
        "any",    "api",       "duration", "empty",   "field_mask", "source_context",
        "struct", "timestamp", "type",     "wrappers"};
    static const char folder[] = "google/protobuf/";
    const size_t len = sizeof folder - 1;
    int stem = stem_length(proto);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strncmp(proto, folder, len) == 0 && (size_t)stem == len + strlen(names[i]) &&
            strncmp(proto + len, names[i], strlen(names[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* protoc with a plugin's option: all files, into the folder. */
static bool generate(user_build *b, const char *option, const char *folder, bool well_known)
{
    user_words w = {0};
    char *set = user_text("--descriptor_set_in=%s", b->set);
    char *plugin = user_text("--plugin=protoc-gen-cwire=%s", b->plugin);
    char *out = user_text("--%s_out=%s", option, folder);
    const char *const first[] = {b->protoc, set, plugin, out};
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        user_words_add(&w, first[i]);
    }
    size_t files = 0;
    for (size_t i = 0; i < b->n_names; i++) {
        if (well_known || !user_is_well_known(b->names[i])) {
            user_words_add(&w, b->names[i]);
            files++;
        }
    }
    bool ok = user_make_folder(folder) && (files == 0 || user_run(&w, b->log));
    user_words_free(&w);
    free(set);
    free(plugin);
    free(out);
    return ok;
}

/* ---- the file that lists what there is ----------------------------------------------------------
 */

/* The names that a header declares with these words: each is put between `before` and `after`. */
static void list_declared(FILE *out, const char *header, const char *words, const char *before,
                          const char *after)
{
    char *text = user_read_file(header, NULL);
    for (char *at = text; at != NULL && (at = strstr(at, words)) != NULL;) {
        at += strlen(words);
        size_t len = strcspn(at, "; [(\n");
        if (at[len] == ';') {
            fprintf(out, "%s%.*s%s", before, (int)len, at, after);
        }
    }
    free(text);
}

static const char cw_words[] = "const cw_file ";
static const char pbc_words[] = "extern const ProtobufCMessageDescriptor ";

static bool write_registry(const user_build *b, const char *path, bool with_pbc)
{
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        return false;
    }
    fprintf(out, "#include \"cwire/cwire.h\"\n");
    for (int round = 0; round < 2; round++) {
        fprintf(out, round ? "static const cw_file *const files[] = {\n" : "");
        for (size_t i = 0; i < b->n_names; i++) {
            char *header =
                user_text("%s/cw/%.*s.cw.h", b->work, stem_length(b->names[i]), b->names[i]);
            list_declared(out, header, cw_words, round ? "    &" : "extern const cw_file ",
                          round ? ",\n" : ";\n");
            free(header);
        }
    }
    fprintf(out, "    0};\nconst cw_registry cwire_bench_user_files = {files, sizeof files / "
                 "sizeof files[0] - 1};\n");
    for (int round = 0; round < 2; round++) {
        fprintf(out, round ? "const void *const cwire_bench_user_pbc[] = {\n" : "");
        for (size_t i = 0; with_pbc && i < b->n_names; i++) {
            char *header =
                user_text("%s/pbc/%.*s.pb-c.h", b->work, stem_length(b->names[i]), b->names[i]);
            list_declared(out, header, pbc_words, round ? "    &" : "extern const char ",
                          round ? ",\n" : ";\n");
            free(header);
        }
    }
    fprintf(out, "    0};\n");
    bool ok = !ferror(out);
    return fclose(out) == 0 && ok;
}

/* ---- compiling ---------------------------------------------------------------------------------
 */

static void compile_words(const user_build *b, const unit *u, char *const include[2], user_words *w)
{
    user_words_add(w, b->compiler);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        user_words_add(w, flags[i]);
    }
    const char *const rest[] = {include[0], include[1], "-c", u->source, "-o", u->object};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        user_words_add(w, rest[i]);
    }
}

static unit *find_unit(units *u, int process)
{
    for (size_t i = 0; i < u->n; i++) {
        if (u->data[i].process == process) {
            return &u->data[i];
        }
    }
    return NULL;
}

/* All of them, as many at once as there are CPUs; after a failure no more. The one that failed, or
 * NULL. */
static const unit *compile_all(const user_build *b, units *u, const char *folder, const char *what)
{
    char *include[2] = {user_text("-I%s", b->include), user_text("-I%s/%s", b->work, folder)};
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    size_t jobs = cpus < 1 ? 1 : cpus > JOBS_MAX ? JOBS_MAX : (size_t)cpus;
    size_t next = 0, running = 0;
    const unit *failed = NULL;
    while (running > 0 || (next < u->n && failed == NULL)) {
        if (next < u->n && running < jobs && failed == NULL) {
            user_words w = {0};
            bench_progress("compiling %s, file %zu of %zu", what, next + 1, u->n);
            compile_words(b, &u->data[next], include, &w);
            u->data[next].process = user_start(&w, u->data[next].log);
            user_words_free(&w);
            failed = u->data[next].process < 0 ? &u->data[next] : failed;
            running += u->data[next].process >= 0;
            next++;
            continue;
        }
        bool ok;
        unit *ended = find_unit(u, user_wait(-1, &ok));
        if (ended == NULL) {
            continue;
        }
        ended->process = -1;
        running--;
        failed = ok || failed != NULL ? failed : ended;
    }
    free(include[0]);
    free(include[1]);
    return failed;
}

static bool link_all(user_build *b, const units *cw, const units *pbc)
{
    user_words w = {0};
    char *out = user_text("%s/schema.so", b->work);
    /* Its own functions first: the program has some of the same name. */
    const char *const first[] = {b->compiler, "-shared", "-Wl,-Bsymbolic", "-o", out};
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        user_words_add(&w, first[i]);
    }
    for (size_t i = 0; i < cw->n; i++) {
        user_words_add(&w, cw->data[i].object);
    }
    for (size_t i = 0; i < pbc->n; i++) {
        user_words_add(&w, pbc->data[i].object);
    }
    if (pbc->n > 0) {
        user_words_add(&w, "-lprotobuf-c");
    }
    bench_progress("linking");
    bool ok = user_run(&w, b->log);
    if (!ok) {
        user_say_log("the schema's code cannot be linked", b->log);
    }
    user_words_free(&w);
    free(out);
    return ok;
}

/* The existing ones of STEM.cw.c, STEM.cw_json.c ... */
static void add_sources(const user_build *b, units *u, const char *folder,
                        const char *const *endings, size_t n)
{
    for (size_t i = 0; i < b->n_names; i++) {
        for (size_t k = 0; k < n; k++) {
            char *source = user_text("%s/%s/%.*s%s", b->work, folder, stem_length(b->names[i]),
                                     b->names[i], endings[k]);
            if (access(source, R_OK) == 0) {
                add_unit(b, u, folder, source);
            } else {
                free(source);
            }
        }
    }
}

/* protobuf-c's code: without it the race has a contender less, which is said. */
static void make_pbc(user_build *b, units *u)
{
    static const char *const endings[] = {".pb-c.c"};
    const char *log = b->log;
    char *folder = user_text("%s/pbc", b->work), *plugin = user_find_program("protoc-gen-c");
    const unit *failed = NULL;
    bench_progress("generating protobuf-c's code");
    bool ok = plugin != NULL && generate(b, "c", folder, true);
    if (ok) {
        add_sources(b, u, "pbc", endings, 1);
        failed = compile_all(b, u, "pbc", "protobuf-c's code");
        log = failed != NULL ? failed->log : log;
    }
    if (plugin == NULL) {
        bench_progress(NULL);
        fprintf(stderr, "cwire-bench: no protoc-gen-c (package protobuf-c-compiler): protobuf-c "
                        "does not take part\n");
    } else if (!ok || failed != NULL) {
        user_say_log("protobuf-c does not take part: no code for this schema", log);
    }
    if (!ok || failed != NULL) {
        free_units(u);
    }
    free(folder);
    free(plugin);
}

bool user_compile(user_build *b)
{
    static const char *const endings[] = {".cw.c", ".cw_json.c", ".cw_type.c"};
    units cw = {0}, pbc = {0};
    char *folder = user_text("%s/cw", b->work), *registry = user_text("%s/cw/registry.c", b->work);
    bench_progress("generating cwire's code");
    bool ok = generate(b, "cwire", folder, false);
    if (!ok) {
        user_say_log("protoc-gen-cwire does not take the schema", b->log);
    } else {
        make_pbc(b, &pbc);
        add_sources(b, &cw, "cw", endings, sizeof endings / sizeof endings[0]);
        ok = write_registry(b, registry, pbc.n > 0);
        if (!ok) {
            fprintf(stderr, "cwire-bench: %s: %s\n", registry, strerror(errno));
        }
    }
    if (ok) {
        add_unit(b, &cw, "cw", registry);
        registry = NULL;
        const unit *failed = compile_all(b, &cw, "cw", "cwire's code");
        ok = failed == NULL;
        if (!ok) {
            user_say_log("the schema's code does not compile", failed->log);
        }
    }
    ok = ok && link_all(b, &cw, &pbc);
    bench_progress(NULL);
    free_units(&cw);
    free_units(&pbc);
    free(folder);
    free(registry);
    return ok;
}
