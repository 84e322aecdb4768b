/* SPDX-License-Identifier: MIT */
/* The memory of calls: recycled from request to request, with what a call keeps of its head. */
#include "server_internal.h"

#include <stdlib.h>

enum { MAX_SPARES = 256, KEPT_TEXT = 4096, KEPT_FIELDS = 64 };

cw_http_call *cw__call_take(cw_http_server *s)
{
    cw_http_call *call = s->spare;
    if (call != NULL) {
        s->spare = call->next;
        s->spares--;
    } else {
        call = calloc(1, sizeof *call);
        if (call == NULL) {
            return NULL;
        }
    }
    *call = (cw_http_call){.server = s,
                           .head_memory = call->head_memory,
                           .trailer_memory = call->trailer_memory,
                           .body = call->body};
    s->calls++;
    return call;
}

static void kept_free(cw__kept *k)
{
    cw__buf_free(&k->text);
    free(k->views);
    *k = (cw__kept){.cap = 0};
}

static void kept_trim(cw__kept *k)
{
    if (k->text.cap > KEPT_TEXT || k->cap > KEPT_FIELDS) {
        kept_free(k);
    } else {
        cw__buf_clear(&k->text);
    }
}

static void call_free(cw_http_call *call)
{
    cw__buf_free(&call->body);
    kept_free(&call->head_memory);
    kept_free(&call->trailer_memory);
    free(call);
}

void cw__call_release(cw_http_call *call)
{
    cw_http_server *s = call->server;
    cw__coder_free(call->decoder);
    cw__coder_free(call->encoder);
    s->calls--;
    if (s->state == CW__SERVER_CLOSES || s->spares == MAX_SPARES) {
        call_free(call);
        cw__server_release(s);
        return;
    }
    cw__buf_trim(&call->body, CW__SERVER_KEPT);
    kept_trim(&call->head_memory);
    kept_trim(&call->trailer_memory);
    call->next = s->spare;
    s->spare = call;
    s->spares++;
}

void cw__calls_free(cw_http_server *s)
{
    while (s->spare != NULL) {
        cw_http_call *call = s->spare;
        s->spare = call->next;
        call_free(call);
    }
    s->spares = 0;
}

static cw_str keep_str(cw__kept *k, cw_str s)
{
    char *at = (char *)k->text.data + k->text.end;
    if (s.len > 0) {
        memcpy(at, s.data, s.len);
    }
    cw__buf_added(&k->text, s.len);
    return cw_str_of(at, s.len);
}

/* Room for this much text and so many fields. False: no memory. */
static bool keep_room(cw__kept *k, size_t text, size_t fields)
{
    cw__buf_clear(&k->text);
    if (cw__buf_reserve(&k->text, text + 1) == NULL) {
        return false;
    }
    if (fields > k->cap) {
        cw_http_field *views = realloc(k->views, fields * sizeof *views);
        if (views == NULL) {
            return false;
        }
        k->views = views;
        k->cap = fields;
    }
    return true;
}

static size_t text_size(cw_http_fields fields)
{
    size_t n = 0;
    for (size_t i = 0; i < fields.len; i++) {
        n += fields.data[i].name.len + fields.data[i].value.len;
    }
    return n;
}

static cw_http_fields keep_fields(cw__kept *k, cw_http_fields fields)
{
    for (size_t i = 0; i < fields.len; i++) {
        k->views[i].name = keep_str(k, fields.data[i].name);
        k->views[i].value = keep_str(k, fields.data[i].value);
    }
    return (cw_http_fields){k->views, fields.len};
}

bool cw__call_keep_head(cw_http_call *call, const cw_http_head *head)
{
    cw__kept *k = &call->head_memory;
    size_t text = head->method.len + head->scheme.len + head->authority.len + head->path.len;
    if (!keep_room(k, text + text_size(head->fields), head->fields.len)) {
        return false;
    }
    call->head.version = head->version;
    call->head.method = keep_str(k, head->method);
    call->head.scheme = keep_str(k, head->scheme);
    call->head.authority = keep_str(k, head->authority);
    call->head.path = keep_str(k, head->path);
    call->head.fields = keep_fields(k, head->fields);
    return true;
}

bool cw__call_keep_trailers(cw_http_call *call, cw_http_fields trailers)
{
    if (trailers.len == 0) {
        return true;
    }
    cw__kept *k = &call->trailer_memory;
    if (!keep_room(k, text_size(trailers), trailers.len)) {
        return false;
    }
    call->trailers = keep_fields(k, trailers);
    return true;
}
