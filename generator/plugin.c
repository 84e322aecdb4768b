/* SPDX-License-Identifier: MIT */
/* plugin.c: request -> model -> files -> response. See plugin.h. */
#include "plugin.h"

#include "check.h"
#include "emit.h"
#include "names.h"
#include "options.h"
#include "request.h"

typedef void emitter(const cwg_file *f, cwg_text *t);

/* What makes a file of the output. */
typedef enum condition {
    ALWAYS,
    FOR_SPEED,
    FOR_SIZE,
    JSON_FOR_SPEED,
    JSON_FOR_SIZE,
    WITH_TEXT
} condition;

/* One file of the output: NULL-terminated emitters. */
typedef struct output_kind {
    const char *suffix;
    condition condition;
    emitter *emitters[8];
} output_kind;

static const output_kind kinds[] = {
    {".cw.h", ALWAYS, {cwg_emit_header}},
    {".cw.c",
     FOR_SPEED,
     {cwg_emit_c_top, cwg_emit_misc, cwg_emit_size, cwg_emit_encode, cwg_emit_decode,
      cwg_emit_extension}},
    {".cw.c", FOR_SIZE, {cwg_emit_c_top, cwg_emit_table, cwg_emit_extension}},
    {".cw_json.c", JSON_FOR_SPEED, {cwg_emit_json_top, cwg_emit_json_print, cwg_emit_json_parse}},
    {".cw_json.c", JSON_FOR_SIZE, {cwg_emit_table_json}},
    {".cw_type.c", ALWAYS, {cwg_emit_type}},
    {".cw_text.c", WITH_TEXT, {cwg_emit_text}},
};

#define N_KINDS (sizeof kinds / sizeof kinds[0])

static bool run_emitters(const cwg_file *f, const output_kind *kind, cwg_output *out, cwg_diag *d)
{
    cwg_text t;
    cwg_text_init(&t);
    for (int i = 0; kind->emitters[i]; i++)
        kind->emitters[i](f, &t);
    size_t len = 0;
    const char *text = cwg_text_finish(&t, &len);
    out->name = cwg_printf(d->arena, "%s%s", f->base, kind->suffix);
    if (text)
        out->content = cwg_dup_bytes(d->arena, text, len);
    else
        cwg_error(d, "%s: %s: internal error of the generator: %s", f->name, out->name,
                  cwg_text_error(&t));
    cwg_text_free(&t);
    return !d->error;
}

static bool is_made(const output_kind *kind, const cwg_file *f)
{
    switch (kind->condition) {
    case FOR_SPEED:
        return !f->for_size;
    case FOR_SIZE:
        return f->for_size;
    case JSON_FOR_SPEED:
        return f->with_json && !f->for_size;
    case JSON_FOR_SIZE:
        return f->with_json && f->for_size;
    case WITH_TEXT:
        return f->with_text;
    case ALWAYS:
        break;
    }
    return true;
}

static bool generate(cwg_model *model, cwg_output **files, size_t *n, cwg_diag *d)
{
    *files = cwg_new(d->arena, (size_t)model->n_files * N_KINDS + 1, sizeof **files);
    for (int i = 0; i < model->n_files; i++) {
        cwg_file *f = model->files[i];
        if (!f->generate)
            continue;
        for (size_t k = 0; k < N_KINDS; k++) {
            if (!is_made(&kinds[k], f))
                continue;
            if (!run_emitters(f, &kinds[k], &(*files)[(*n)++], d))
                return false;
        }
    }
    return true;
}

const uint8_t *cwg_plugin_run(const uint8_t *request, size_t len, cwg_arena *a, size_t *out_len)
{
    cwg_diag d = {a, NULL};
    cwg_model model;
    cwg_options options;
    const char *parameter;
    cwg_output *files = NULL;
    size_t n = 0;
    if (cwg_request_read(request, len, &model, &parameter, &d) &&
        cwg_options_parse(parameter, &options, &d)) {
        for (int i = 0; i < model.n_files; i++) {
            model.files[i]->with_json = options.json;
            model.files[i]->with_text = options.text;
            model.files[i]->for_size = !options.speed;
        }
        cwg_model_finish(&model, a);
        if (cwg_check_model(&model, options.json, &d) && cwg_names_assign(&model, &options, &d))
            generate(&model, &files, &n, &d);
    }
    return cwg_reply(files, n, d.error, a, out_len);
}
