/* SPDX-License-Identifier: MIT */
/* message.c: see message.h. */
#include "cwire/message.h"

const uint8_t *cw__group_close(cw__decoder *d, cw__group outer, const void *m, const uint8_t *p,
                               const uint8_t *end)
{
    bool open = d->group == m;
    d->group = outer.group;
    d->group_number = outer.number;
    if (p && open) {
        cw_status st = end == d->end ? CW_ERR_TRUNCATED : CW_ERR_GROUP;
        return cw__get_fail(d, st, p, "group without its end");
    }
    return p;
}

bool cw__copy_array(cw_arena *a, const void *from, size_t len, size_t elem, void **data)
{
    *data = NULL;
    if (len == 0) {
        return true;
    }
    void *to = cw_arena_array(a, len, elem);
    if (!to) {
        return false;
    }
    memcpy(to, from, len * elem);
    *data = to;
    return true;
}

bool cw__copy_unknown(cw_arena *a, const cw_unknown *u, cw_unknown **out)
{
    *out = NULL;
    return !u || cw__unknown_add(a, out, u->data, u->len);
}

bool cw__equal_array(const void *a, size_t a_len, const void *b, size_t b_len, size_t elem)
{
    return a_len == b_len && (a_len == 0 || memcmp(a, b, a_len * elem) == 0);
}

bool cw__equal_unknown(const cw_unknown *a, const cw_unknown *b)
{
    return cw__equal_array(a ? a->data : NULL, a ? a->len : 0, b ? b->data : NULL, b ? b->len : 0,
                           1);
}

bool cw__check_fail(cw_error *e, cw_status st, const char *name, size_t index)
{
    cw__error_clear(e);
    cw__error_set(e, st, SIZE_MAX, NULL);
    cw__error_prefix(e, name, index);
    return false;
}

bool cw__check_fail_at(cw_error *e, const char *name, size_t index)
{
    cw__error_prefix(e, name, index);
    return false;
}

bool cw__check_too_deep(cw_error *e)
{
    cw__error_clear(e);
    cw__error_set(e, CW_ERR_DEPTH, SIZE_MAX, NULL);
    return false;
}

cw_status cw__check_end(cw_error *e, bool ok, uint64_t size, const char *full_name)
{
    if (ok && size <= INT32_MAX) {
        return CW_OK;
    }
    if (ok) {
        cw__error_clear(e);
        cw__error_set(e, CW_ERR_TOO_LARGE, SIZE_MAX, NULL);
    }
    cw__error_root(e, full_name);
    return e->status;
}
