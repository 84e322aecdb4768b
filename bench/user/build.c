/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* mkdtemp, readlink */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mem.h"
#include "progress.h"
#include "user/build.h"

/* Where the headers are when the program was not installed; the build sets it. */
#ifndef BENCH_INCLUDE_DIR
#define BENCH_INCLUDE_DIR ""
#endif

void user_say_log(const char *message, const char *log)
{
    char *text = user_read_file(log, NULL);
    bench_progress(NULL);
    fprintf(stderr, "cwire-bench: %s%s\n%s", message, text != NULL && text[0] ? ":" : "",
            text != NULL ? text : "");
    free(text);
}

/* ---- what has to be there ----------------------------------------------------------------------
 */

/* The folder of this program. */
static char *own_folder(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return user_text(".");
    }
    *slash = '\0';
    return user_text("%s", path);
}

static bool is_readable(const char *format, const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, format, folder);
    return access(path, R_OK) == 0;
}

/* Where the headers are that belong to a program in `folder`; NULL: not there. */
static char *include_beside(const char *folder)
{
    char *include = user_text("%s/../include", folder);
    if (is_readable("%s/cwire/cwire.h", include)) {
        return include;
    }
    free(include);
    return NULL;
}

/* The plugin is beside this program, where it was built or installed, else in PATH; the headers are
 * where they were installed with this program or with the plugin, or in the source tree. */
static void find_own_parts(user_build *b)
{
    char *folder = own_folder();
    char *plugin = user_text("%s/protoc-gen-cwire", folder);
    b->plugin = user_find_program(plugin);
    b->plugin = b->plugin ? b->plugin : user_find_program("protoc-gen-cwire");
    b->include = include_beside(folder);
    if (b->include == NULL && b->plugin != NULL) {
        int len = (int)(strrchr(b->plugin, '/') - b->plugin);
        char *beside = user_text("%.*s", len, b->plugin);
        b->include = include_beside(beside);
        free(beside);
    }
    if (b->include == NULL && is_readable("%s/cwire/cwire.h", BENCH_INCLUDE_DIR)) {
        b->include = user_text("%s", BENCH_INCLUDE_DIR);
    }
    free(folder);
    free(plugin);
}

static void find_compiler(user_build *b)
{
    const char *const names[] = {getenv("CC"), "cc", "gcc", "clang"};
    for (size_t i = 0; i < sizeof names / sizeof names[0] && b->compiler == NULL; i++) {
        b->compiler = names[i] && names[i][0] ? user_find_program(names[i]) : NULL;
        if (i == 0 && b->compiler == NULL && names[0] && names[0][0]) {
            return; /* what the user asks for is not there: nothing else is taken for it */
        }
    }
}

static bool find_tools(user_build *b)
{
    const char *cc = getenv("CC");
    b->protoc = user_find_program("protoc");
    find_compiler(b);
    find_own_parts(b);
    if (b->protoc == NULL) {
        fprintf(stderr, "cwire-bench: no protoc (package protobuf-compiler)\n");
    } else if (b->compiler == NULL) {
        fprintf(stderr, "cwire-bench: no C compiler: %s\n",
                cc && cc[0] ? "CC names none" : "install one (package gcc), or set CC");
    } else if (b->plugin == NULL) {
        fprintf(stderr, "cwire-bench: no protoc-gen-cwire, neither beside this program nor in "
                        "PATH\n");
    } else if (b->include == NULL) {
        fprintf(stderr, "cwire-bench: cwire's headers are not there: install them\n");
    } else {
        return true;
    }
    return false;
}

/* Libraries are loaded from the folder: nobody else may put one there. */
static bool is_ours_alone(const char *folder)
{
    struct stat info;
    return stat(folder, &info) == 0 && info.st_uid == geteuid() &&
           (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* --cache, else as the XDG Base Directory Specification says. */
static bool open_cache(user_build *b)
{
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    b->cache = b->options->cache      ? user_text("%s", b->options->cache)
               : xdg && xdg[0] == '/' ? user_text("%s/cwire-bench", xdg)
               : home && home[0]      ? user_text("%s/.cache/cwire-bench", home)
                                      : user_text("/tmp/cwire-bench-%ld", (long)getuid());
    if (user_make_folder(b->cache) && !is_ours_alone(b->cache)) {
        fprintf(stderr,
                "cwire-bench: %s: others can write there, and what is there is run "
                "(--cache names another folder)\n",
                b->cache);
        return false;
    }
    char *work = user_text("%s/new-XXXXXX", b->cache);
    if (!user_make_folder(b->cache) || mkdtemp(work) == NULL) {
        fprintf(stderr, "cwire-bench: %s: %s (--cache names another folder)\n", b->cache,
                strerror(errno));
        free(work);
        return false;
    }
    b->work = work;
    b->set = user_text("%s/schema.pb", b->work);
    b->log = user_text("%s/log", b->work);
    return true;
}

static void free_build(user_build *b)
{
    if (b->work != NULL) {
        user_remove_folder(b->work);
    }
    for (size_t i = 0; i < b->n_names; i++) {
        free(b->names[i]);
    }
    char *const texts[] = {b->protoc, b->plugin, b->compiler, b->include,
                           b->cache,  b->work,   b->set,      b->log};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        free(texts[i]);
    }
    free(b->names);
}

/* Into its place in the cache, in one step. */
static bool keep(const user_build *b, const char *library)
{
    char *made = user_text("%s/schema.so", b->work);
    bool ok = rename(made, library) == 0;
    if (!ok) {
        fprintf(stderr, "cwire-bench: %s: %s\n", library, strerror(errno));
    }
    free(made);
    return ok;
}

char *user_build_library(const user_options *o)
{
    user_build b = {.options = o};
    char *library = NULL;
    if (find_tools(&b) && open_cache(&b) && user_describe(&b)) {
        char *key = user_build_key(&b);
        library = user_text("%s/%s.so", b.cache, key);
        free(key);
        if (access(library, R_OK) != 0 && !(user_compile(&b) && keep(&b, library))) {
            free(library);
            library = NULL;
        }
    }
    free_build(&b);
    return library;
}
