/* SPDX-License-Identifier: MIT */
/* An exchange as its user sees it. */
#include "client_internal.h"

const cw_http_head *cw_http_exchange_head(const cw_http_exchange *x)
{
    static const cw_http_head none = {.status = 0};
    return x->stream != NULL && x->stream->head_seen ? &x->stream->head : &none;
}

cw_bytes cw_http_exchange_body(const cw_http_exchange *x)
{
    return cw__buf_bytes(&x->body);
}

cw_http_fields cw_http_exchange_trailers(const cw_http_exchange *x)
{
    return x->stream != NULL ? x->stream->trailers : (cw_http_fields){.len = 0};
}

bool cw_http_exchange_reused(const cw_http_exchange *x)
{
    return x->is_reused;
}

/* May the request's body still grow? */
static cw_net_status upload_status(const cw_http_exchange *x)
{
    if (!x->is_streamed || x->has_ended_upload || x->state == CW__OVER) {
        return CW_NET_ERR_ARGUMENT;
    }
    return x->error.status;
}

cw_net_status cw_http_exchange_write(cw_http_exchange *x, cw_bytes piece)
{
    cw_net_status st = upload_status(x);
    if (st != CW_NET_OK) {
        return st;
    }
    if (x->state == CW__QUEUED) {
        return cw__buf_append_bytes(&x->upload, piece) ? CW_NET_OK : CW_NET_ERR_MEMORY;
    }
    st = x->stream->core->ops->write(x->stream, piece);
    cw__connection_touch(x->link->connection);
    return st;
}

size_t cw_http_exchange_unsent(const cw_http_exchange *x)
{
    if (x->state == CW__QUEUED) {
        return cw__buf_len(&x->upload);
    }
    return x->state == CW__IN_FLIGHT ? x->stream->core->ops->unsent(x->stream) : 0;
}

cw_net_status cw_http_exchange_end(cw_http_exchange *x, cw_http_fields trailers)
{
    cw_net_status st = upload_status(x);
    if (st == CW_NET_OK && cw__fields_refusal(trailers, true) != NULL) {
        st = CW_NET_ERR_ARGUMENT;
    }
    if (st != CW_NET_OK) {
        return st;
    }
    if (x->state == CW__QUEUED) {
        /* They wait in the exchange until it has a stream. */
        bool is_kept = cw__fields_keep(&x->trailers, trailers, &x->upload_trailers);
        st = is_kept ? CW_NET_OK : CW_NET_ERR_MEMORY;
    } else {
        st = x->stream->core->ops->end(x->stream, trailers);
        cw__connection_touch(x->link->connection);
    }
    x->has_ended_upload = st == CW_NET_OK;
    return st;
}

void cw_http_exchange_pause(cw_http_exchange *x)
{
    x->is_paused = true;
}

void cw_http_exchange_resume(cw_http_exchange *x)
{
    x->is_paused = false;
    if (x->state == CW__IN_FLIGHT) {
        cw__exchange_consume(x);
        cw__connection_touch(x->link->connection);
    }
}

void cw_http_exchange_cancel(cw_http_exchange *x)
{
    cw_net_error e;
    cw_net_error_set(&e, CW_NET_ERR_CANCELLED, 0, "%s", "by its user");
    cw__exchange_fail(x, &e);
}
