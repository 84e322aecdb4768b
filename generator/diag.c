/* SPDX-License-Identifier: MIT */
/* diag.c: see diag.h. */
#include "diag.h"

bool cwg_error(cwg_diag *d, const char *format, ...)
{
    if (!d->error) {
        va_list ap;
        va_start(ap, format);
        d->error = cwg_vprintf(d->arena, format, ap);
        va_end(ap);
    }
    return false;
}
