/* SPDX-License-Identifier: MIT */
/* fields.h (internal): header sections as they arrive, and the check of those to be sent. */
#ifndef CWIRE_NET_FIELDS_H
#define CWIRE_NET_FIELDS_H

#include "buffer.h"
#include "cwire/net/http.h"

typedef struct cw__field_ref {
    uint32_t name, name_len, value, value_len; /* offsets in text */
} cw__field_ref;

/*
 * Collects text that arrives in pieces. Zeroed is empty. Kept and cleared from message to message,
 * so that steady state allocates nothing.
 */
typedef struct cw__fields {
    cw__buf text;
    cw__field_ref *refs;
    cw_http_field *views; /* made by cw__fields_seal */
    size_t len, cap;
    size_t size; /* sum of name + value + 32 (RFC 9113, 6.5.2) */
} cw__fields;

void cw__fields_clear(cw__fields *f);
/* Clears, and gives back what is more than an ordinary head needs. */
void cw__fields_trim(cw__fields *f);
void cw__fields_free(cw__fields *f);

/* Text that belongs to no field (a path, a method): its offset in text, SIZE_MAX: no memory. */
size_t cw__fields_text(cw__fields *f, cw_str s);

/* A field begins where text ends; its ref, the last one, is the caller's to fill in. False: no
 * memory. */
bool cw__fields_begin(cw__fields *f);

/* Views of all fields, valid until the next change. Text at an offset of cw__fields_text is at
 * (char *)f->text.data + offset after this. */
cw_http_fields cw__fields_seal(cw__fields *f);

/*
 * A copy of fields, or of a head, which lies in f and takes the place of what it held: views of it,
 * valid until the next change. False: no memory.
 */
bool cw__fields_keep(cw__fields *f, cw_http_fields fields, cw_http_fields *copy);
bool cw__fields_keep_head(cw__fields *f, const cw_http_head *head, cw_http_head *copy);

/*
 * All fields of this name become one, in the place of the first, their values in order with the
 * separator between them. False: no memory, nothing changed.
 */
bool cw__fields_join(cw__fields *f, cw_str name, cw_str separator);

/* Is it shown when it arrives in trailers? What frames, routes, authenticates, controls or
 * describes a message must be in its head (RFC 9110, 6.5.1). */
bool cw__may_trail(cw_str name);

/*
 * May these fields be sent by a user? Names are tokens, values free of control characters (RFC
 * 9110, 5.5: no CR, LF, NUL), neither empty names nor ':' names, and none is for the library to
 * write: connection, keep-alive, proxy-connection, transfer-encoding, upgrade, te, host,
 * content-length, date (and in trailers: content-encoding, content-type, trailer too). NULL: fine;
 * else what is wrong, a constant text.
 */
const char *cw__fields_refusal(cw_http_fields fields, bool are_trailers);

/* Blanks at both ends taken off. */
cw_str cw__trim(cw_str s);

/* The part of *s up to the separator, trimmed; *s goes on after it. */
cw_str cw__next_part(cw_str *s, char separator);

/* The same name without regard to case? `lower` is in lower case. */
bool cw__name_is(cw_str name, const char *lower);

#endif
