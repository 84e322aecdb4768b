/* SPDX-License-Identifier: MIT */
/* check.c: see check.h. */
#include "check.h"

#include "emit_json_common.h"

static bool bad_field(const cwg_field *f, const char *reason, cwg_diag *d)
{
    return cwg_error(d, "%s: %s: %s", f->parent->file->name, f->full_name, reason);
}

static bool check_numbers(const cwg_message *m, cwg_diag *d)
{
    for (int i = 1; i < m->n_fields; i++) {
        const cwg_field *f = m->by_number[i];
        const cwg_field *before = m->by_number[i - 1];
        if (f->number == before->number)
            return cwg_error(d, "%s: %s: fields %s and %s have the same number %u", m->file->name,
                             m->full_name, before->name, f->name, f->number);
    }
    if (m->is_message_set && m->n_fields > 0)
        return bad_field(m->fields[0], "a message set cannot have fields", d);
    for (int i = 0; i < m->n_fields; i++) {
        uint32_t n = m->fields[i]->number;
        for (int k = 0; k < m->n_extension_ranges; k++) {
            if (n >= m->extension_ranges[k].start && n < m->extension_ranges[k].end)
                return bad_field(m->fields[i], "its number is in an extension range", d);
        }
        for (int k = 0; k < m->n_reserved_ranges; k++) {
            if (n >= m->reserved_ranges[k].start && n < m->reserved_ranges[k].end)
                return bad_field(m->fields[i], "its number is reserved", d);
        }
    }
    return true;
}

static bool check_names(const cwg_message *m, cwg_diag *d)
{
    cwg_strmap names = {0};
    for (int i = 0; i < m->n_fields; i++) {
        if (cwg_map_put(d->arena, &names, m->fields[i]->name, m->fields[i]))
            return bad_field(m->fields[i], "its name is used twice", d);
    }
    for (int i = 0; i < m->n_oneofs; i++) {
        if (cwg_map_put(d->arena, &names, m->oneofs[i]->name, m->oneofs[i]))
            return cwg_error(d, "%s: %s: oneof %s: its name is used twice", m->file->name,
                             m->full_name, m->oneofs[i]->name);
    }
    return true;
}

static bool same_json(const cwg_field *a, const cwg_field *b, const char *name, cwg_diag *d)
{
    return cwg_error(d,
                     "%s: %s: fields %s and %s are both \"%s\" in JSON; set json_name, or generate "
                     "without JSON (json=off)",
                     a->parent->file->name, a->parent->full_name, a->name, b->name, name);
}

/* A parser takes a field's JSON name and its name: all of them must differ between fields. */
static bool check_json(const cwg_message *m, cwg_diag *d)
{
    cwg_strmap names = {0};
    for (int i = 0; i < m->n_fields; i++) {
        cwg_field *f = m->fields[i];
        if (cwg__json_name_len(f->json_name) > CWG_JSON_NAME_MAX ||
            cwg__json_name_len(f->name) > CWG_JSON_NAME_MAX)
            return bad_field(f,
                             "its name in JSON is too long; shorten it, or generate without JSON "
                             "(json=off)",
                             d);
        cwg_field *other = cwg_map_put(d->arena, &names, f->json_name, f);
        if (other)
            return same_json(other, f, f->json_name, d);
    }
    for (int i = 0; i < m->n_fields; i++) {
        cwg_field *f = m->fields[i];
        cwg_field *other = cwg_map_put(d->arena, &names, f->name, f);
        if (other && other != f)
            return same_json(other, f, f->name, d);
    }
    return true;
}

static bool can_be_in_set(const cwg_field *f)
{
    return f->message && !f->is_group && f->shape == CWG_OPTIONAL;
}

/* Two extensions of one message with one number; what a message set cannot hold. */
static bool check_extensions(const cwg_model *model, cwg_diag *d)
{
    cwg_strmap seen = {0};
    for (int i = 0; i < model->n_files; i++) {
        for (int k = 0; k < model->files[i]->n_extensions; k++) {
            cwg_extension *e = model->files[i]->extensions[k];
            const char *key =
                cwg_printf(d->arena, "%s %u", e->extendee->full_name, e->field->number);
            const cwg_extension *other = cwg_map_put(d->arena, &seen, key, e);
            if (other)
                return cwg_error(d, "%s: extensions %s and %s of %s have the same number %u",
                                 e->file->name, other->full_name, e->full_name,
                                 e->extendee->full_name, e->field->number);
            if (e->extendee->is_message_set && !can_be_in_set(e->field))
                return cwg_error(d, "%s: %s: an extension of a message set is an optional message",
                                 e->file->name, e->full_name);
        }
    }
    return true;
}

bool cwg_check_model(const cwg_model *model, bool json, cwg_diag *d)
{
    for (int i = 0; i < model->n_files; i++) {
        const cwg_file *f = model->files[i];
        for (int k = 0; k < f->n_messages; k++) {
            if (!check_numbers(f->messages[k], d) || !check_names(f->messages[k], d))
                return false;
            if (json && f->generate && !check_json(f->messages[k], d))
                return false;
        }
    }
    return check_extensions(model, d);
}
