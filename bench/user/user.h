/* SPDX-License-Identifier: MIT */
/*
 * cwire-bench race: one's own schema and data in the race. The schema's code is generated, compiled
 * and loaded while the program runs; what was made is kept in a cache folder.
 */
#ifndef BENCH_USER_H
#define BENCH_USER_H

#include "cwire/cwire.h"
#include "die.h"
#include "http/emulation.h"
#include "options.h"
#include "payload.h"

typedef struct user_options {
    const char *proto;
    bench_list imports;
    const char *type;
    const char *data;
    const char *cache; /* NULL: the user's cache folder */
    bool no_http;
    bench_emulation emulation; /* of the network between both ends */
} user_options;

/* ---- build.c: from a .proto to a library --------------------------------------------------------
 */

/*
 * Makes the library of the schema, or finds it in the cache: its path, from malloc. Tells on stderr
 * what it does while that takes time. NULL: it cannot be made, which was said on stderr with the
 * words of the program that failed.
 */
char *user_build_library(const user_options *o);

/* ---- load.c: what a library has -----------------------------------------------------------------
 */

struct ProtobufCMessageDescriptor;

/* The type and the library it is in, which stays loaded until the program ends. */
typedef struct user_schema {
    cw_registry files;
    const cw_type *type;
    const struct ProtobufCMessageDescriptor *pbc_type; /* NULL: protobuf-c has no code for it */
} user_schema;

/* Loads it and looks for the type; false: no such type (near names are suggested on stderr), or not
 * loaded. */
bool user_load(const char *library, const char *type_name, user_schema *out);

/* ---- data.c: the messages -----------------------------------------------------------------------
 */

typedef struct user_data {
    cw_arena arena; /* owns what the messages hold */
    char *messages; /* n structs, one behind the other, from malloc */
    size_t n;
} user_data;

/*
 * Reads one file, or every .json, .binpb and .txtpb file of a folder in the order of their names.
 * False, with a line on stderr that has the file and the place in it. Release with user_data_free,
 * also after false.
 */
bool user_data_read(const user_schema *schema, const char *path, user_data *out);
void user_data_free(user_data *d);

/* ---- run.c: other programs ----------------------------------------------------------------------
 */

/* A list of words with a NULL behind the last. {0} is empty; the words are not owned. */
typedef struct user_words {
    const char **word;
    size_t n, cap;
} user_words;

void user_words_add(user_words *w, const char *word);
void user_words_free(user_words *w);

/* Starts the program (looked for in PATH); what it writes, both streams, goes to the file `output`.
 * Returns its process, -1: it could not be started. */
int user_start(const user_words *w, const char *output);
/* Waits for a process, -1: for whichever ends first. Returns which one it was; *ok: it exited with
 * 0. */
int user_wait(int process, bool *ok);
/* Both; true: it exited with 0. */
bool user_run(const user_words *w, const char *output);

/* Where the program is: a path, from malloc; NULL: PATH has none. */
char *user_find_program(const char *name);

/* ---- files.c ------------------------------------------------------------------------------------
 */

/* printf to a text from malloc; dies without memory. */
char *user_text(const char *format, ...) BENCH_PRINTF(1, 2);

/* A whole file, with a NUL behind it, from malloc; *len may be NULL. NULL: errno says why. */
char *user_read_file(const char *path, size_t *len);

/* Makes the folder and those above it. */
bool user_make_folder(const char *path);

/* Removes the folder and all in it. */
void user_remove_folder(const char *path);

#endif
