/* SPDX-License-Identifier: MIT */
/* json_writer.h: what the files of the JSON writer share. */
#ifndef CWIRE_CORE_JSON_WRITER_H
#define CWIRE_CORE_JSON_WRITER_H

#include "cwire/json.h"

/* A call that has put its failure into w->error: takes the status (its offset is none of the
 * text's); returns NULL. */
CW_COLD char *cw__json_put_fail_with(cw__json_writer *w, cw_status st);

/*
 * An arena for what is needed while the text goes on at p; begin may take half of the room at p
 * away, end gives it back. Also after a failure.
 */
void cw__json_inner_begin(cw__json_writer *w, char *p, cw__arena_inner *in);
void cw__json_inner_end(cw__json_writer *w, cw__arena_inner *in);

#endif
