/* SPDX-License-Identifier: MIT */
/* What the parts of a build share. Private to bench/user. */
#ifndef BENCH_USER_BUILD_H
#define BENCH_USER_BUILD_H

#include "user/user.h"

typedef struct user_build {
    const user_options *options;
    char *protoc, *plugin; /* programs; the plugin is protoc-gen-cwire */
    char *compiler;
    char *include; /* the folder of cwire/cwire.h */
    char *cache;   /* folder */
    char *work;    /* folder of this build, below it; gone afterwards */
    char *set;     /* file: a FileDescriptorSet of the schema and all that it imports */
    char *log;     /* file: what the last program said */
    char **names;  /* the .proto files in it, imports first, as import statements name them */
    size_t n_names;
} user_build;

/* describe.c: sets `set` and `names`; false: said on stderr. */
bool user_describe(user_build *b);
/* The name of what would be built: equal when nothing differs that has a say in it. From malloc. */
char *user_build_key(const user_build *b);

/* compile.c: the library, work/schema.so; false: said on stderr. */
bool user_compile(user_build *b);

/* The cwire runtime has the code of this file. */
bool user_is_well_known(const char *proto);

/* Prints a message, and what the log has to say. */
void user_say_log(const char *message, const char *log);

#endif
