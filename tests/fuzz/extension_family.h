/* SPDX-License-Identifier: MIT */
/* extension_family.h: the extensions that fuzz_extension works on, for it and its seeds. */
#ifndef CWIRE_TESTS_FUZZ_EXTENSION_FAMILY_H
#define CWIRE_TESTS_FUZZ_EXTENSION_FAMILY_H

#include "cwire/extension.h"

/* One message type's extensions, ascending by number. */
typedef struct extension_family {
    const cw_type *type;
    const cw_extension *rows[100];
    size_t n;
} extension_family;

/* Of ext.Host, or (message_set) of ext.Set. */
extension_family extension_family_of(bool message_set);

/*
 * An input is three bytes and then unknown bytes:
 *   flags  EXTENSION_* below
 *   which  index in the family's rows, modulo their number
 *   seed   of a random value; with EXTENSION_BLOCK also the size of a block for the arena / 8
 */
enum {
    EXTENSION_SET = 1, /* ext.Set */
    EXTENSION_ALIAS = 2,
    EXTENSION_PARTIAL = 4,
    EXTENSION_BLOCK = 8,
    EXTENSION_HEADER = 3
};

#endif
