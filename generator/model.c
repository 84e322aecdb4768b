/* SPDX-License-Identifier: MIT */
/* model.c: facts that follow from the whole request. See model.h. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

/* --- fields ----------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    const cwg_field *const *x = a;
    const cwg_field *const *y = b;
    return ((*x)->number > (*y)->number) - ((*x)->number < (*y)->number);
}

static void finish_fields(cwg_message *m, cwg_arena *a)
{
    size_t n = (size_t)m->n_fields;
    m->by_number = cwg_new(a, n + 1, sizeof *m->by_number);
    for (size_t i = 0; i < n; i++)
        m->by_number[i] = m->fields[i];
    if (n > 1)
        qsort(m->by_number, n, sizeof *m->by_number, compare_numbers);
    for (int i = 0; i < m->n_fields; i++)
        m->by_number[i]->index = i;
}

static bool is_string(const cwg_field *f)
{
    if (f->map)
        return is_string(f->map->key) || is_string(f->map->value);
    return f->kind->id == CWG_KIND_STRING;
}

static bool is_closed(const cwg_field *f)
{
    return f->map ? f->map->value->closed_enum : f->closed_enum;
}

/* The message that a field holds, also as a map's value; NULL: none. */
static cwg_message *child_of(const cwg_field *f)
{
    return f->map ? f->map->value->message : f->message;
}

/* What a message's own fields say; the reaches_* begin with that. */
static void finish_own(cwg_message *m)
{
    m->is_leaf = true;
    m->reaches_maps = m->n_maps > 0;
    m->reaches_extensions = m->n_extension_ranges > 0 || m->is_message_set;
    m->reaches_any = strcmp(m->full_name, "google.protobuf.Any") == 0;
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->fields[i];
        m->has_presence_bits |= f->has_bit;
        m->has_defaults |= f->default_nonzero && f->shape != CWG_ONEOF;
        m->has_required |= f->shape == CWG_REQUIRED;
        m->reaches_strings |= is_string(f);
        m->reaches_closed_enum |= is_closed(f);
        if (child_of(f))
            m->is_leaf = false;
    }
    m->reaches_required = m->has_required;
}

/* --- what is reachable: strongly connected components (Tarjan), without recursion ---------------
 */

typedef struct node {
    cwg_message *message;
    int order; /* 0: not seen */
    int low;
    bool on_stack;
} node;

typedef struct frame {
    int node;
    int next_field;
} frame;

typedef struct walk {
    node *nodes;
    int *stack; /* nodes whose component is not complete */
    int n_stack;
    frame *frames;
    int n_frames;
    int order;
} walk;

/* Merges what a child of a finished component reaches into m. levels: what is open between them. */
static void reach(cwg_message *m, const cwg_message *child, int levels)
{
    m->reaches_required |= child->reaches_required;
    m->reaches_strings |= child->reaches_strings;
    m->reaches_closed_enum |= child->reaches_closed_enum;
    m->reaches_maps |= child->reaches_maps;
    m->reaches_extensions |= child->reaches_extensions;
    m->reaches_any |= child->reaches_any;
    if (m->max_depth < 0 || child->max_depth < 0)
        m->max_depth = -1;
    else if (m->max_depth < child->max_depth + levels)
        m->max_depth = child->max_depth + levels;
}

/* A component is complete: its nodes are the top of the stack, from `first` on. All it leads to is
 * finished. */
static void finish_component(walk *w, int first)
{
    cwg_message sum = {0};
    bool cycle = w->n_stack - first > 1;
    for (int i = first; i < w->n_stack; i++) {
        cwg_message *m = w->nodes[w->stack[i]].message;
        for (int k = 0; k < m->n_fields; k++) {
            const cwg_message *child = child_of(m->fields[k]);
            int levels = m->fields[k]->map ? 2 : 1;
            if (child && !w->nodes[child->serial].on_stack)
                reach(m, child, levels);
            else if (m->fields[k]->map && !child && m->max_depth == 0)
                m->max_depth = 1;
            cycle |= child == m;
        }
        reach(&sum, m, 0);
    }
    while (w->n_stack > first) {
        node *n = &w->nodes[w->stack[--w->n_stack]];
        n->on_stack = false;
        reach(n->message, &sum, 0);
        if (cycle) {
            n->message->is_recursive = true;
            n->message->max_depth = -1;
        }
    }
}

static void enter(walk *w, int index)
{
    node *n = &w->nodes[index];
    n->order = n->low = ++w->order;
    n->on_stack = true;
    w->stack[w->n_stack++] = index;
    w->frames[w->n_frames++] = (frame){index, 0};
}

static void visit(walk *w, int root)
{
    enter(w, root);
    while (w->n_frames > 0) {
        frame *top = &w->frames[w->n_frames - 1];
        node *n = &w->nodes[top->node];
        if (top->next_field < n->message->n_fields) {
            const cwg_message *child = child_of(n->message->fields[top->next_field++]);
            if (!child)
                continue;
            node *c = &w->nodes[child->serial];
            if (c->order == 0)
                enter(w, child->serial);
            else if (c->on_stack && c->order < n->low)
                n->low = c->order;
            continue;
        }
        w->n_frames--;
        if (w->n_frames > 0) {
            node *above = &w->nodes[w->frames[w->n_frames - 1].node];
            if (n->low < above->low)
                above->low = n->low;
        }
        if (n->low == n->order) {
            int first = w->n_stack - 1;
            while (w->nodes[w->stack[first]].order != n->order)
                first--;
            finish_component(w, first);
        }
    }
}

void cwg_model_finish(cwg_model *model, cwg_arena *a)
{
    size_t n = 0;
    for (int i = 0; i < model->n_files; i++)
        n += (size_t)model->files[i]->n_messages;
    walk w = {0};
    w.nodes = cwg_new(a, n + 1, sizeof *w.nodes);
    w.stack = cwg_new(a, n + 1, sizeof *w.stack);
    w.frames = cwg_new(a, n + 1, sizeof *w.frames);
    int serial = 0;
    for (int i = 0; i < model->n_files; i++) {
        for (int k = 0; k < model->files[i]->n_messages; k++) {
            cwg_message *m = model->files[i]->messages[k];
            m->serial = serial;
            w.nodes[serial++].message = m;
            finish_fields(m, a);
            finish_own(m);
        }
    }
    for (int i = 0; i < serial; i++) {
        if (w.nodes[i].order == 0)
            visit(&w, i);
    }
}
