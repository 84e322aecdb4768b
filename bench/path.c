/* SPDX-License-Identifier: MIT */
#include "path.h"

#include <stdlib.h>

#include "die.h"
#include "reflect.h"

/* The place the walk is at: the leaf that it would append. */
typedef struct walk {
    bench_leaves leaves;
    bench_leaf here;
} walk;

static void visit_message(walk *w, const cw_type *type, const void *message);

static void append(walk *w)
{
    if (w->leaves.len == w->leaves.cap) {
        size_t cap = w->leaves.cap ? 2 * w->leaves.cap : 64;
        bench_leaf *data = realloc(w->leaves.data, cap * sizeof *data);
        if (data == NULL) {
            bench_die("out of memory (%zu leaves)", cap);
        }
        w->leaves.data = data;
        w->leaves.cap = cap;
    }
    w->leaves.data[w->leaves.len++] = w->here;
}

/* One value of field f at `at`; the step to it is already in w->here. */
static void visit_value(walk *w, const cw_field *f, const void *at)
{
    if (bench_is_message_kind(f->kind)) {
        visit_message(w, f->message, at);
        return;
    }
    w->here.kind = f->kind;
    w->here.byte = 0;
    if (bench_is_view_kind(f->kind)) {
        size_t len = bench_load_str(at).len;
        if (len == 0) {
            return;
        }
        w->here.byte = (uint32_t)(len - 1);
    }
    append(w);
}

static void visit_field(walk *w, const cw_type *type, const cw_field *f, const void *message)
{
    const char *at = (const char *)message + f->offset;
    bench_step *step = &w->here.steps[w->here.n_steps++];
    bool was_key = w->here.is_key;
    step->number = f->number;
    step->index = 0;
    w->here.is_key = was_key || (bench_is_map_entry(type) && f->number == 1);
    if (bench_is_list(f->shape)) {
        cw_list_view list = cw_list_load(at);
        for (size_t i = 0; i < list.len; i++) {
            step->index = (uint32_t)i;
            visit_value(w, f, (const char *)list.data + i * f->element_size);
        }
    } else if (bench_is_message_kind(f->kind)) {
        visit_value(w, f, bench_submessage(type, f, message));
    } else {
        visit_value(w, f, at);
    }
    w->here.is_key = was_key;
    w->here.n_steps--;
}

static void visit_message(walk *w, const cw_type *type, const void *message)
{
    if (w->here.n_steps == BENCH_PATH_MAX) {
        return;
    }
    for (uint32_t i = 0; i < type->n_fields; i++) {
        if (bench_is_present(type, i, message)) {
            visit_field(w, type, &type->fields[i], message);
        }
    }
}

bench_leaves bench_leaves_of(const cw_type *type, const void *message)
{
    walk w = {{NULL, 0, 0}, {.n_steps = 0}};
    visit_message(&w, type, message);
    return w.leaves;
}

void bench_leaves_free(bench_leaves *leaves)
{
    free(leaves->data);
    *leaves = (bench_leaves){NULL, 0, 0};
}

bool bench_probe_cwire(const cw_type *type, const bench_leaf *leaf, bench_probe *out)
{
    size_t offset = 0;
    out->n = 0;
    out->width = 0;
    out->tag = 0;
    for (uint32_t i = 0; i < leaf->n_steps; i++) {
        const cw_field *f = cw_type_field(type, leaf->steps[i].number);
        if (f == NULL) {
            return false;
        }
        bool by_value = bench_is_map_entry(type);
        offset += f->offset;
        if (bench_is_list(f->shape)) {
            out->offset[out->n++] = offset; /* a list starts with its data pointer */
            offset = leaf->steps[i].index * f->element_size;
        } else if (bench_is_message_kind(f->kind) && !by_value) {
            out->offset[out->n++] = offset;
            offset = 0;
        }
        if (bench_is_view_kind(f->kind)) {
            out->offset[out->n++] = offset; /* and so does a view */
            offset = leaf->byte;
            out->width = 1;
        } else if (!bench_is_message_kind(f->kind)) {
            out->width = (uint32_t)bench_kind_size(f->kind);
        } else {
            type = f->message;
        }
    }
    out->offset[out->n++] = offset;
    return out->width != 0;
}
