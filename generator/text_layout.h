/* SPDX-License-Identifier: MIT */
/* text_layout.h: what text.c and text_layout.c share. */
#ifndef CWG_TEXT_LAYOUT_H
#define CWG_TEXT_LAYOUT_H

#include "text.h"

#define CWG_COLUMNS 100

/* Appends bytes to the finished text. */
void cwg__out(cwg_text *t, const char *s, size_t n);

/* Lays out one line: n bytes, NUL-terminated, not empty, without leading and trailing blanks. */
void cwg__layout_line(cwg_text *t, const char *s, size_t n);

/* The column of a statement in the blocks that are open now. */
int cwg__block_columns(const cwg_text *t);

#endif
