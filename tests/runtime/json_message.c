/* SPDX-License-Identifier: MIT */
#include "json_message.h"

#include <stdio.h>
#include <stdlib.h>

enum field {
    F_N,
    F_U,
    F_BIG,
    F_UBIG,
    F_B,
    F_D,
    F_F,
    F_S,
    F_DATA,
    F_E,
    F_C,
    F_R,
    F_CHILD,
    F_MAP,
    F_UNIT_CENTS,
    F_SHORT_NAME,
    FIELDS
};

/* clang-format off */
static const cw__json_name names[2 * FIELDS] = {
    {"n", 1}, {"n", 1},
    {"u", 1}, {"u", 1},
    {"big", 3}, {"big", 3},
    {"ubig", 4}, {"ubig", 4},
    {"b", 1}, {"b", 1},
    {"d", 1}, {"d", 1},
    {"f", 1}, {"f", 1},
    {"s", 1}, {"s", 1},
    {"data", 4}, {"data", 4},
    {"e", 1}, {"e", 1},
    {"c", 1}, {"c", 1},
    {"r", 1}, {"r", 1},
    {"child", 5}, {"child", 5},
    {"map", 3}, {"map", 3},
    {"unitCentsInTotal", 16},
    {"unit_cents_in_total", 19},
    {"shortName", 9}, {"short_name", 10},
};
/* clang-format on */

/* A multiplier of 0 puts all names into one row, which is searched from its begin. */
static const uint32_t slots[64] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                                   17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};

static const cw__json_keys keys = {names, slots, 0, 58, FIELDS};

bool color_from_name(const char *name, size_t len, int32_t *v)
{
    static const char *const colors[] = {"RED", "GREEN", "BLUE"};
    for (int32_t i = 0; i < 3; i++) {
        if (strlen(colors[i]) == len && memcmp(colors[i], name, len) == 0) {
            *v = i;
            return true;
        }
    }
    return false;
}

bool color_known(int32_t v)
{
    return v >= 0 && v <= 2;
}

static const char *parse_list(message *m, cw__json_reader *r, const char *p)
{
    p = cw__json_array(r, p);
    while (p && *p != ']') {
        if (m->r.len == m->r.cap) {
            int32_t *data =
                cw__list_grow(r->arena, m->r.data, m->r.len, &m->r.cap, sizeof *data, 1);
            if (!data) {
                return cw__json_fail_memory(r, p);
            }
            m->r.data = data;
        }
        p = cw__json_get_int32(r, p, &m->r.data[m->r.len]);
        if (!p) {
            return cw__json_fail_at(r, "r", m->r.len);
        }
        m->r.len++;
        p = cw__json_element_next(r, p);
    }
    return p ? p + 1 : NULL;
}

static const char *parse_map(message *m, cw__json_reader *r, const char *p)
{
    p = cw__json_object(r, p);
    while (p && *p != '}') {
        if (m->map_len == MAP_MAX) {
            return cw__json_fail(r, CW_ERR_LIMIT, p, NULL);
        }
        p = cw__json_map_key_string(r, p, &m->map[m->map_len].key);
        if (!p) {
            return NULL;
        }
        p = cw__json_get_int32(r, p, &m->map[m->map_len].value);
        if (!p) {
            return cw__json_fail_at_key(r, "map", m->map[m->map_len].key);
        }
        m->map_len++;
        p = cw__json_member_next(r, p);
    }
    return p ? p + 1 : NULL;
}

static const char *parse(message *m, cw__json_reader *r, const char *p, int depth);

static const char *parse_child(message *m, cw__json_reader *r, const char *p, int depth)
{
    if (depth == 0) {
        return cw__json_fail(r, CW_ERR_DEPTH, p, NULL);
    }
    m->child = cw_arena_alloc(r->arena, sizeof *m->child);
    if (!m->child) {
        return cw__json_fail_memory(r, p);
    }
    p = parse(m->child, r, p, depth - 1);
    return p ? p : cw__json_fail_at(r, "child", SIZE_MAX);
}

static const char *parse_field(message *m, cw__json_reader *r, const char *p, uint32_t at,
                               int depth)
{
    bool ignored = false;
    switch (at) {
    case F_N:
        return cw__json_get_int32(r, p, &m->n);
    case F_U:
        return cw__json_get_uint32(r, p, &m->u);
    case F_BIG:
        return cw__json_get_int64(r, p, &m->big);
    case F_UBIG:
        return cw__json_get_uint64(r, p, &m->ubig);
    case F_B:
        return cw__json_get_bool(r, p, &m->b);
    case F_D:
        return cw__json_get_double(r, p, &m->d);
    case F_F:
        return cw__json_get_float(r, p, &m->f);
    case F_S:
        return cw__json_get_string(r, p, &m->s);
    case F_DATA:
        return cw__json_get_bytes(r, p, &m->data);
    case F_E:
        p = cw__json_get_enum(r, p, &m->e, color_from_name, NULL, &ignored);
        m->ignored |= ignored;
        return p;
    case F_C:
        p = cw__json_get_enum(r, p, &m->c, color_from_name, color_known, &ignored);
        m->ignored |= ignored;
        return p;
    case F_R:
        return parse_list(m, r, p);
    case F_CHILD:
        return parse_child(m, r, p, depth);
    case F_MAP:
        return parse_map(m, r, p);
    case F_UNIT_CENTS:
        return cw__json_get_uint32(r, p, &m->unit_cents_in_total);
    case F_SHORT_NAME:
        return cw__json_get_string(r, p, &m->short_name);
    default:
        return cw__json_unknown(r, p, depth);
    }
}

static const char *parse(message *m, cw__json_reader *r, const char *p, int depth)
{
    uint64_t seen = 0;
    memset(m, 0, sizeof *m);
    p = cw__json_first(r, p, &keys, &seen);
    while (p && r->at != CW__JSON_END) {
        uint32_t at = r->at;
        if (at != CW__JSON_NULL) {
            p = parse_field(m, r, p, at, depth);
            if (!p && (at < F_R || at == F_UNIT_CENTS || at == F_SHORT_NAME)) {
                return cw__json_fail_at(r, names[2 * at].text, SIZE_MAX);
            }
        }
        p = p ? cw__json_member(r, p, &keys, &seen) : NULL;
    }
    m->style = r->style;
    return p;
}

cw_status message_from_json(message *m, const char *text, size_t len, cw_arena *a,
                            const cw_json_parse_options *o, cw_error *e)
{
    cw__json_reader r;
    int depth;
    bool alias = o && o->alias;
    char *block = malloc(len ? len : 1);
    if (!block) {
        return CW_ERR_MEMORY;
    }
    if (len > 0) {
        memcpy(block, text, len);
    }
    /* An empty text is at the end of a block: nothing of it may be read. */
    const char *input = alias ? text : len > 0 ? block : block + 1;
    const char *p = cw__json_read_begin(&r, input, len, a, o, &depth, e);
    p = p ? parse(m, &r, p, depth) : NULL;
    cw_status st = cw__json_read_end(&r, p, "M");
    free(block);
    return st;
}

const char *const value_tails[VALUE_TAILS] = {"}", " \n}", ",\"short_name\":\"y\"}",
                                              "                                                 }"};

cw_status message_from_value(message *m, const char *key, cw_str value, size_t tail, cw_arena *a,
                             const cw_json_parse_options *o, cw_error *e)
{
    size_t size = strlen(key) + value.len + strlen(value_tails[tail]) + 8;
    char *text = malloc(size);
    if (!text) {
        return CW_ERR_MEMORY;
    }
    size_t start = (size_t)snprintf(text, size, "{\"%s\":", key);
    memcpy(text + start, value.data, value.len);
    memcpy(text + start + value.len, value_tails[tail], strlen(value_tails[tail]));
    memset(e, 0, sizeof *e);
    cw_status st =
        message_from_json(m, text, start + value.len + strlen(value_tails[tail]), a, o, e);
    if (st != CW_OK) {
        e->offset -= start;
    }
    free(text);
    return st;
}

bool message_equal(const message *a, const message *b)
{
    if (a->n != b->n || a->u != b->u || a->big != b->big || a->ubig != b->ubig || a->b != b->b ||
        memcmp(&a->d, &b->d, sizeof a->d) != 0 || memcmp(&a->f, &b->f, sizeof a->f) != 0 ||
        !cw_str_equal(a->s, b->s) || !cw_bytes_equal(a->data, b->data) || a->e != b->e ||
        a->c != b->c || a->r.len != b->r.len || a->map_len != b->map_len ||
        a->unit_cents_in_total != b->unit_cents_in_total ||
        !cw_str_equal(a->short_name, b->short_name) || a->ignored != b->ignored) {
        return false;
    }
    if (a->r.len > 0 && memcmp(a->r.data, b->r.data, a->r.len * sizeof *a->r.data) != 0) {
        return false;
    }
    for (size_t i = 0; i < a->map_len; i++) {
        if (!cw_str_equal(a->map[i].key, b->map[i].key) || a->map[i].value != b->map[i].value) {
            return false;
        }
    }
    if ((a->child == NULL) != (b->child == NULL)) {
        return false;
    }
    return !a->child || message_equal(a->child, b->child);
}
