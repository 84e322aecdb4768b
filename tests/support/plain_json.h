/* SPDX-License-Identifier: MIT */
/* plain_json.h: a slow JSON printer over type tables, to compare the generated printers with. */
#ifndef CWIRE_TESTS_PLAIN_JSON_H
#define CWIRE_TESTS_PLAIN_JSON_H

#include "cwire/cwire.h"

/*
 * The text that T_to_json should give for m (compact: options->indent is not looked at), in malloc
 * memory; *len is its length. Shares only the text of doubles and floats with the runtime. Fails
 * the test when there is no memory.
 */
char *test_plain_json(const cw_type *t, const void *m, const cw_json_print_options *options,
                      size_t *len);

#endif
