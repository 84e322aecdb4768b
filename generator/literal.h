/* SPDX-License-Identifier: MIT */
/* literal.h: bytes as C string literals. */
#ifndef CWG_LITERAL_H
#define CWG_LITERAL_H

#include <stddef.h>

/* Room that cwg_literal_write needs for len bytes; 0: too many. */
size_t cwg_literal_size(size_t len);

/*
 * Writes the literal with its quotes and a NUL: printable ASCII as it is, the rest as three-digit
 * octal escapes (so that what follows cannot join one), `?` after `?` escaped (no trigraphs).
 */
void cwg_literal_write(char *to, const char *bytes, size_t len);

#endif
