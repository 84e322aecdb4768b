/* SPDX-License-Identifier: MIT */
/* request_reply.c: the CodeGeneratorResponse. See request.h. */
#include "feature_set.h"
#include "plugin.pb-c.h"
#include "request.h"

/* CodeGeneratorResponse.Feature */
#define PROTO3_OPTIONAL   1
#define SUPPORTS_EDITIONS 2

/* protoc wants UTF-8, and an error may quote anything. */
static char *printable(const char *s, cwg_arena *a)
{
    char *r = cwg_dup(a, s);
    for (char *p = r; *p; p++) {
        if ((unsigned char)*p >= 0x7f || ((unsigned char)*p < 0x20 && *p != '\n'))
            *p = '?';
    }
    return r;
}

const uint8_t *cwg_reply(const cwg_output *files, size_t n_files, const char *error, cwg_arena *a,
                         size_t *len)
{
    Cwire__Plugin__CodeGeneratorResponse r = CWIRE__PLUGIN__CODE_GENERATOR_RESPONSE__INIT;
    r.has_supported_features = 1;
    r.supported_features = PROTO3_OPTIONAL | SUPPORTS_EDITIONS;
    r.has_minimum_edition = 1;
    r.minimum_edition = CWG_PROTO2;
    r.has_maximum_edition = 1;
    r.maximum_edition = CWG_EDITION_2024;
    if (error) {
        r.error = printable(error, a);
    } else if (n_files != 0) {
        Cwire__Plugin__CodeGeneratorResponse__File *all = cwg_new(a, n_files, sizeof *all);
        r.file = cwg_new(a, n_files, sizeof *r.file);
        for (size_t i = 0; i < n_files; i++) {
            cwire__plugin__code_generator_response__file__init(&all[i]);
            all[i].name = cwg_dup(a, files[i].name);
            all[i].content = cwg_dup(a, files[i].content);
            r.file[i] = &all[i];
        }
        r.n_file = n_files;
    }
    *len = cwire__plugin__code_generator_response__get_packed_size(&r);
    uint8_t *bytes = cwg_new(a, *len, 1);
    cwire__plugin__code_generator_response__pack(&r, bytes);
    return bytes;
}
