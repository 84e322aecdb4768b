/* SPDX-License-Identifier: MIT */
/* scan.c: see scan.h. */
#include "scan.h"

bool cwg_scan_varint(const uint8_t **p, const uint8_t *end, uint64_t *value)
{
    *value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
        if (*p == end)
            return false;
        uint8_t b = *(*p)++;
        if (shift < 63 || b <= 1)
            *value |= (uint64_t)(b & 0x7f) << shift;
        if (b < 0x80)
            return true;
    }
    return false;
}

typedef struct record {
    uint32_t number;
    const uint8_t *data; /* of a length-delimited field; else NULL */
    size_t len;
} record;

/* The next field at *p; groups are refused, there are none in what protoc writes. */
static bool next_record(const uint8_t **p, const uint8_t *end, record *r)
{
    uint64_t tag, n;
    if (!cwg_scan_varint(p, end, &tag) || tag >> 32 != 0 || tag >> 3 == 0)
        return false;
    r->number = (uint32_t)(tag >> 3);
    r->data = NULL;
    r->len = 0;
    switch (tag & 7) {
    case 0:
        return cwg_scan_varint(p, end, &n);
    case 1:
        n = 8;
        break;
    case 2:
        if (!cwg_scan_varint(p, end, &n))
            return false;
        r->data = *p;
        break;
    case 5:
        n = 4;
        break;
    default:
        return false;
    }
    if (n > (uint64_t)(end - *p))
        return false;
    r->len = (size_t)n;
    *p += r->len;
    return true;
}

/* Numbers of the fields that are walked into: request.proto_file, file.message_type,
 * message.nested_type. */
static bool walk(const uint8_t *p, const uint8_t *end, int depth, cwg_diag *d)
{
    const uint32_t inner = depth == 0 ? 15 : depth == 1 ? 4 : 3;
    if (depth > CWG_MAX_NESTING + 1)
        return cwg_error(d, "message types are nested more than %d deep", CWG_MAX_NESTING);
    while (p < end) {
        record r;
        if (!next_record(&p, end, &r))
            return cwg_error(d, "malformed CodeGeneratorRequest");
        if (r.number == inner && r.data && !walk(r.data, r.data + r.len, depth + 1, d))
            return false;
    }
    return true;
}

bool cwg_scan_request(const uint8_t *data, size_t len, cwg_diag *d)
{
    return len == 0 || walk(data, data + len, 0, d);
}
