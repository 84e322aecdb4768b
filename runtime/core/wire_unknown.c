/* SPDX-License-Identifier: MIT */
/* wire_unknown.c: fields that the schema does not know: kept as bytes, or skipped. */
#include "cwire/wire.h"

#define TAG_NUMBER(tag) ((tag) >> 3)
#define TAG_WIRE(tag)   ((tag)&7)

enum { WIRE_VARINT, WIRE_64, WIRE_LEN, WIRE_GROUP, WIRE_END, WIRE_32 };

/* Numbers of the groups that are open while one is skipped: no recursion, so that depth costs no
 * stack. Those that `shallow` does not hold are in the arena. */
typedef struct open_groups {
    uint32_t shallow[CW_DEPTH_DEFAULT];
    uint32_t *deep;
    size_t len;
    size_t cap;
} open_groups;

static bool groups_push(cw__decoder *d, open_groups *g, uint32_t number)
{
    if (g->len < CW_DEPTH_DEFAULT) {
        g->shallow[g->len++] = number;
        return true;
    }
    size_t n = g->len - CW_DEPTH_DEFAULT;
    if (n == g->cap) {
        uint32_t *deep = cw__list_grow(d->arena, g->deep, n, &g->cap, sizeof *deep, 1);
        if (!deep) {
            return false;
        }
        g->deep = deep;
    }
    g->deep[n] = number;
    g->len++;
    return true;
}

static uint32_t groups_pop(open_groups *g)
{
    g->len--;
    return g->len < CW_DEPTH_DEFAULT ? g->shallow[g->len] : g->deep[g->len - CW_DEPTH_DEFAULT];
}

/* Skips a value that is no group. */
static const uint8_t *skip_value(cw__decoder *d, const uint8_t *p, const uint8_t *end, uint32_t tag)
{
    const uint8_t *at = p;
    uint64_t v;
    size_t n;
    switch (TAG_WIRE(tag)) {
    case WIRE_VARINT:
        p = cw__get_varint(d, p, end, &v);
        return !p || p <= end ? p : cw__get_fail(d, CW_ERR_LENGTH, at, NULL);
    case WIRE_64:
        return end - p >= 8 ? p + 8 : cw__get_fail(d, CW_ERR_TRUNCATED, at, NULL);
    case WIRE_LEN:
        p = cw__get_len(d, p, end, &n);
        return p ? p + n : NULL;
    case WIRE_32:
        return end - p >= 4 ? p + 4 : cw__get_fail(d, CW_ERR_TRUNCATED, at, NULL);
    default:
        return cw__get_fail(d, CW_ERR_TAG, at, NULL);
    }
}

/* Skips a group whose start tag has been read; `start` is where the tag begins. */
static const uint8_t *skip_group(cw__decoder *d, const uint8_t *start, const uint8_t *p,
                                 const uint8_t *end, uint32_t number, int depth)
{
    open_groups g;
    g.deep = NULL;
    g.len = 0;
    g.cap = 0;
    const uint8_t *at = start;
    uint32_t tag = number << 3 | WIRE_GROUP;
    for (;;) {
        if (TAG_NUMBER(tag) == 0) {
            return cw__get_fail(d, CW_ERR_TAG, at, NULL);
        }
        if (TAG_WIRE(tag) == WIRE_GROUP) {
            if (g.len >= (size_t)(depth > 0 ? depth : 0)) {
                return cw__get_fail(d, CW_ERR_DEPTH, at, NULL);
            }
            if (!groups_push(d, &g, TAG_NUMBER(tag))) {
                return cw__get_fail_memory(d, at);
            }
        } else if (TAG_WIRE(tag) == WIRE_END) {
            if (groups_pop(&g) != TAG_NUMBER(tag)) {
                return cw__get_fail(d, CW_ERR_GROUP, at, NULL);
            }
            if (g.len == 0) {
                return p;
            }
        } else {
            if (TAG_WIRE(tag) > WIRE_32) {
                return cw__get_fail(d, CW_ERR_TAG, at, NULL);
            }
            p = skip_value(d, p, end, tag);
            if (!p) {
                return NULL;
            }
        }
        if (p == end) {
            cw_status st = end == d->end ? CW_ERR_TRUNCATED : CW_ERR_GROUP;
            return cw__get_fail(d, st, start, "group without its end");
        }
        at = p;
        p = cw__get_tag(d, p, end, &tag);
        if (!p) {
            return NULL;
        }
    }
}

bool cw__unknown_add(cw_arena *a, cw_unknown **u, const void *bytes, size_t n)
{
    if (n == 0) {
        return true;
    }
    cw_unknown *x = *u;
    if (!x) {
        x = cw_arena_alloc(a, sizeof *x);
        if (!x) {
            return false;
        }
        memset(x, 0, sizeof *x);
        *u = x;
    }
    if (n > x->cap || x->len > x->cap - n) {
        uint8_t *data = cw__list_grow(a, x->data, x->len, &x->cap, 1, n);
        if (!data) {
            return false;
        }
        x->data = data;
    }
    memcpy(x->data + x->len, bytes, n);
    x->len += n;
    return true;
}

bool cw__unknown_varint(cw__decoder *d, cw_unknown **u, uint32_t tag, uint64_t value)
{
    uint8_t field[24];
    uint8_t *end = field + sizeof field;
    uint8_t *p = cw__put_tag(cw__put_varint(end, value), tag);
    return cw__unknown_add(d->arena, u, p, (size_t)(end - p));
}

const uint8_t *cw__get_unknown(cw__decoder *d, const uint8_t *start, const uint8_t *p,
                               const uint8_t *end, uint32_t tag, cw_unknown **u, int depth)
{
    if (TAG_NUMBER(tag) == 0 || TAG_WIRE(tag) > WIRE_32) {
        return cw__get_fail(d, CW_ERR_TAG, start, NULL);
    }
    if (TAG_WIRE(tag) == WIRE_END) {
        return cw__get_fail(d, CW_ERR_GROUP, start, NULL);
    }
    if (TAG_WIRE(tag) == WIRE_GROUP) {
        p = skip_group(d, start, p, end, TAG_NUMBER(tag), depth);
    } else {
        p = skip_value(d, p, end, tag);
    }
    if (p && u && !cw__unknown_add(d->arena, u, start, (size_t)(p - start))) {
        return cw__get_fail_memory(d, start);
    }
    return p;
}
