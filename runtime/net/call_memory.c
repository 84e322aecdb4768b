/* SPDX-License-Identifier: MIT */
/* The memory of calls, recycled from request to request. */
#include "server_internal.h"

#include <stdlib.h>

enum { MAX_SPARES = 256 };

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

static void call_free(cw_http_call *call)
{
    cw__buf_free(&call->body);
    cw__fields_free(&call->head_memory);
    cw__fields_free(&call->trailer_memory);
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
    cw__buf_trim(&call->body, CW__KEPT_BODY);
    cw__fields_trim(&call->head_memory);
    cw__fields_trim(&call->trailer_memory);
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
