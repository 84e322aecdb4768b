/* SPDX-License-Identifier: MIT */
/*
 * request.h: bytes of a CodeGeneratorRequest -> model, and the answer -> bytes. request*.c are the
 * only files that see protobuf-c types.
 *
 *   request.c         the walk over files, messages, enums, oneofs, extensions; imports
 *   request_import.c  paths, and which imports matter
 *   request_field.c   one field: type, shape, tags, default
 *   request_reply.c   the CodeGeneratorResponse
 *
 * The model comes out with everything but C names (names.h) and what follows from the whole
 * (model.c). What is malformed is an error with file, element and reason.
 */
#ifndef CWG_REQUEST_H
#define CWG_REQUEST_H

#include <stdint.h>

#include "diag.h"
#include "model.h"

/* Reads a request. *parameter (in the arena) is the text of --cwire_opt, NULL: none. False:
 * d->error is set. */
bool cwg_request_read(const uint8_t *data, size_t len, cwg_model *model, const char **parameter,
                      cwg_diag *d);

/* One file of the answer. */
typedef struct cwg_output {
    const char *name;
    const char *content;
} cwg_output;

/*
 * The bytes of the response (in the arena): the error when there is one, else the files. Always
 * carries what the plugin supports: proto3 optional, editions proto2 to 2024.
 */
const uint8_t *cwg_reply(const cwg_output *files, size_t n_files, const char *error, cwg_arena *a,
                         size_t *len);

#endif
