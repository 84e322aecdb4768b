/* SPDX-License-Identifier: MIT */
/* What a peer may cost without bringing anything. */
#include "http2_internal.h"

enum {
    MAX_CONTINUATIONS = 8, /* a header section of 16 KiB needs none */
    TINY_WINDOW = 256,     /* an increment that makes us send in dribbles */
    MILLI = 1000
};

void cw__h2_bucket_init(cw__h2_bucket *b, size_t burst, size_t per_second, uint64_t now_ms)
{
    b->burst = burst > UINT64_MAX / (2 * MILLI) ? UINT64_MAX / 2 : (uint64_t)burst * MILLI;
    b->rate = per_second; /* tokens in a second are thousandths in a millisecond */
    b->level = b->burst;
    b->at_ms = now_ms;
}

bool cw__h2_bucket_draw(cw__h2_bucket *b, uint64_t now_ms)
{
    uint64_t passed = now_ms - b->at_ms;
    uint64_t wanted = b->burst - b->level;
    b->at_ms = now_ms;
    if (b->rate > 0 && passed > wanted / b->rate) {
        b->level = b->burst;
    } else {
        b->level += passed * b->rate;
    }
    if (b->level < MILLI) {
        return false;
    }
    b->level -= MILLI;
    return true;
}

bool cw__h2_charge_reset(cw__http2 *c)
{
    /* A client's streams are its own requests: whatever the server does to them is bounded. */
    if (c->is_server && !cw__h2_bucket_draw(&c->resets, c->now_ms(c->base.ctx))) {
        cw__h2_fail(c, CW_NET_ERR_FLOOD, NGHTTP2_ENHANCE_YOUR_CALM, "too many streams were reset");
        return false;
    }
    return true;
}

bool cw__h2_count_frame(cw__http2 *c, uint8_t type)
{
    if (type == NGHTTP2_HEADERS) {
        c->continuations = 0;
    } else if (type == NGHTTP2_CONTINUATION && ++c->continuations > MAX_CONTINUATIONS) {
        cw__h2_fail(c, CW_NET_ERR_FLOOD, NGHTTP2_ENHANCE_YOUR_CALM, "too many CONTINUATION frames");
        return false;
    }
    if (++c->empty_frames > c->limits.max_empty_frames) {
        cw__h2_fail(c, CW_NET_ERR_FLOOD, NGHTTP2_ENHANCE_YOUR_CALM,
                    "too many frames that bring nothing");
        return false;
    }
    return true;
}

void cw__h2_count_window(cw__http2 *c, int32_t increment)
{
    /* Not without end: a window has its maximum. */
    if (increment >= TINY_WINDOW) {
        c->empty_frames -= c->empty_frames > 0;
    }
}

void cw__h2_forgive(cw__http2 *c, uint64_t now_ms)
{
    /* PINGs that keep an idle connection alive for days are no flood. */
    uint64_t seconds = (now_ms - c->forgiven_ms) / MILLI;
    if (seconds > 0) {
        c->forgiven_ms = now_ms;
        bool all = seconds > c->empty_frames / c->limits.resets_per_second;
        c->empty_frames = all ? 0 : c->empty_frames - (size_t)seconds * c->limits.resets_per_second;
    }
}
