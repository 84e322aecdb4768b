/* SPDX-License-Identifier: MIT */
/* diag.h: the first thing that went wrong while the model was made. */
#ifndef CWG_DIAG_H
#define CWG_DIAG_H

#include "mem.h"

typedef struct cwg_diag {
    cwg_arena *arena;  /* owns the text */
    const char *error; /* NULL: all is well */
} cwg_diag;

/* Keeps the first error (printf format); later ones are dropped. Returns false, for `return
 * cwg_error(...)`. */
bool cwg_error(cwg_diag *d, const char *format, ...);

#endif
