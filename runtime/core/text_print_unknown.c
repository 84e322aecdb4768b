/* SPDX-License-Identifier: MIT */
/*
 * text_print_unknown.c: fields that the schema does not know, under their numbers. What is
 * length-delimited is shown as a message when it can be read as one.
 */
#include "extension_scan.h"
#include "text_shared.h"
#include "text_writer.h"

/* Most guessed messages inside each other: every level reads its bytes once more. */
#define GUESSES 10

static cw__decoder reader(cw_bytes bytes)
{
    static const uint8_t nothing[1] = {0};
    cw__decoder d;
    memset(&d, 0, sizeof d);
    d.begin = bytes.len > 0 ? bytes.data : nothing;
    d.end = d.begin + bytes.len;
    return d;
}

/* Can the bytes be read as fields, with at most `depth` groups open? */
static bool is_message(cw_bytes bytes, int depth)
{
    cw__decoder d = reader(bytes);
    const uint8_t *p = d.begin;
    while (p && p < d.end) {
        const uint8_t *start = p;
        uint32_t tag = 0;
        p = cw__get_tag(&d, p, d.end, &tag);
        p = p ? cw__get_unknown(&d, start, p, d.end, tag, NULL, depth) : NULL;
    }
    return p != NULL && bytes.len > 0;
}

static bool put_fields(cw__text_writer *w, cw_bytes bytes, int guesses, int depth);

static bool put_message(cw__text_writer *w, cw_bytes bytes, int guesses, int depth)
{
    if (depth < 1) {
        return cw__text_put_fail(w, CW_ERR_DEPTH);
    }
    return cw__text_open(w) && put_fields(w, bytes, guesses - 1, depth - 1) && cw__text_close(w);
}

static bool put_delimited(cw__text_writer *w, cw_bytes bytes, int guesses, int depth)
{
    int groups = guesses < depth - 1 ? guesses : depth - 1;
    if (guesses > 0 && depth > 0 && is_message(bytes, groups)) {
        return put_message(w, bytes, guesses, depth);
    }
    return cw__text_put(w, ": ", 2) && cw__text_put_bytes(w, bytes) && cw__text_end_field(w);
}

static bool put_number(cw__text_writer *w, const cw__ext_record *r)
{
    uint64_t v = 0;
    if (!cw__text_put(w, ": ", 2)) {
        return false;
    }
    if (r->wire_type == CW__WIRE_64) {
        return cw__text_put_hex(w, cw__load64(r->payload.data), 16);
    }
    if (r->wire_type == CW__WIRE_32) {
        return cw__text_put_hex(w, cw__load32(r->payload.data), 8);
    }
    cw__decoder d = reader(r->payload);
    cw__get_varint(&d, d.begin, d.end, &v);
    return cw__text_put_uint(w, v);
}

static bool put_record(cw__text_writer *w, const cw__ext_record *r, int guesses, int depth)
{
    if (!cw__text_begin_field(w) || !cw__text_put_uint(w, r->number)) {
        return false;
    }
    switch (r->wire_type) {
    case CW__WIRE_LEN:
        return put_delimited(w, r->payload, guesses, depth);
    case CW__WIRE_GROUP:
        return put_message(w, r->payload, guesses, depth);
    default:
        return put_number(w, r) && cw__text_end_field(w);
    }
}

static bool put_fields(cw__text_writer *w, cw_bytes bytes, int guesses, int depth)
{
    cw__decoder d = reader(bytes);
    const uint8_t *p = d.begin;
    while (p < d.end) {
        cw__ext_record r;
        p = cw__ext_scan(&d, p, false, &r);
        if (!p) {
            return true; /* nobody can read what follows */
        }
        if (!put_record(w, &r, guesses, depth)) {
            return false;
        }
    }
    return true;
}

/* Was the record printed as an extension? */
static bool is_extension(const cw__text_extensions *x, const cw__ext_record *r)
{
    const cw_extension *extension = cw__text_extension_of(x, r->number);
    if (!extension) {
        return false;
    }
    cw__ext ext;
    cw__ext_message message;
    cw__ext_of(extension, &ext, &message);
    if (!cw__ext_fits(&ext, r)) {
        return false;
    }
    int32_t v = 0;
    cw__decoder d = reader(r->payload);
    return !ext.closed || r->wire_type != CW__WIRE_VARINT ||
           (cw__get_enum(&d, d.begin, d.end, &v) && !cw__ext_is_stranger(&ext, v));
}

bool cw__text_put_unknown(cw__text_writer *w, const cw_type *t, const cw__text_extensions *x,
                          int depth)
{
    cw__ext_record r;
    size_t pos = 0;
    while (x->unknown && cw__ext_next(x->unknown, t->is_message_set, &pos, &r)) {
        if (!is_extension(x, &r) && !put_fields(w, r.whole, GUESSES, depth)) {
            return false;
        }
    }
    return true;
}
