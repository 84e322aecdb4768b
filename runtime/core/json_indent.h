/* SPDX-License-Identifier: MIT */
#ifndef CWIRE_CORE_JSON_INDENT_H
#define CWIRE_CORE_JSON_INDENT_H

#include "cwire/json.h"

/*
 * Turns the compact text [w->begin, p), which the writer made (so it is valid JSON), into indented
 * text in the same place: w->indent (> 0) blanks a level, a line for each member and element,
 * `"key": value`, empty objects and arrays as {} and []. Returns the new end; NULL: no memory.
 * Linear in the length of the result; no recursion.
 */
char *cw__json_indent(cw__json_writer *w, char *p);

#endif
