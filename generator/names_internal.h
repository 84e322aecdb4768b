/* SPDX-License-Identifier: MIT */
/* names_internal.h: what names.c and names_member.c share. */
#ifndef CWG_NAMES_INTERNAL_H
#define CWG_NAMES_INTERNAL_H

#include "names.h"

/* What is generated for every message, enum and extension, whether the options are on or off. */
#define CWG__MESSAGE_SUFFIXES                                                                      \
    "init clear size encode encode_arena decode merge_from to_json from_json to_text from_text "   \
    "check copy equal list type"
#define CWG__ENUM_SUFFIXES      "name from_name values"
#define CWG__EXTENSION_SUFFIXES "has get set clear"

/* Who has a C name. */
typedef struct owner {
    const char *proto;
    const cwg_file *file;
} owner;

/* Of the whole run. */
typedef struct shared {
    cwg_arena *arena;
    cwg_diag *diag;
    const cwg_options *options;
    cwg_strmap reserved;
    cwg_strmap all; /* C name -> owner, of the files before */
} shared;

/* Of one file. */
typedef struct namer {
    shared *shared;
    cwg_arena *arena;
    cwg_file *file;
    cwg_strmap claims; /* C name at file scope -> owner, in this round */
    cwg_strmap types;  /* C names of the file's types and extensions, in this round */
    bool changed;      /* a type yielded: its functions' names change, another round */
} namer;

const char *cwg__add_underscore(namer *n, const char *name);

/* Nobody has this name at file scope yet, and it is not reserved. */
bool cwg__is_free(const namer *n, const char *name);

/* Takes it when it is free. `proto` is the name that it comes from, for messages to the user. */
bool cwg__claim(namer *n, const char *name, const char *proto);

/* Full name of a value: protobuf puts values into the scope of their enum. */
const char *cwg__value_name(const namer *n, const cwg_enum *e, int index);

/* Names of a message's fields, oneofs and maps, and the functions and constants made of them.
 * False: none found. */
bool cwg__name_members(namer *n, cwg_message *m);

#endif
