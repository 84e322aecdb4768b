/* SPDX-License-Identifier: MIT */
#include "cwire/net/http.h"

cw_str cw_http_find(cw_http_fields fields, const char *name)
{
    cw_str wanted = cw_str_from(name);
    for (size_t i = 0; i < fields.len; i++) {
        if (cw_str_equal(fields.data[i].name, wanted)) {
            return fields.data[i].value;
        }
    }
    return cw_str_of(NULL, 0);
}

static const cw_http_limits defaults = {
    .max_header_bytes = 16384,
    .max_header_fields = 100,
    .max_body = 16u << 20,
    .max_decoded = 64u << 20,
    .max_expansion = 1032,
    .max_connections = 16384,
    .max_streams = 128,
    .max_running = 256,
    .max_resets = 1000,
    .resets_per_second = 33,
    .max_empty_frames = 1000,
    .stream_window = 1u << 20,
    .connection_window = 4u << 20,
    .header_timeout_ms = 10000,
    .body_timeout_ms = 30000,
    .idle_timeout_ms = 60000,
    .drain_timeout_ms = 10000,
};

cw_http_limits cw_http_limits_of(const cw_http_limits *limits)
{
    cw_http_limits r = limits != NULL ? *limits : defaults;
#define DEFAULT(member) r.member = r.member != 0 ? r.member : defaults.member
    DEFAULT(max_header_bytes);
    DEFAULT(max_header_fields);
    DEFAULT(max_body);
    DEFAULT(max_decoded);
    DEFAULT(max_expansion);
    DEFAULT(max_connections);
    DEFAULT(max_streams);
    DEFAULT(max_running);
    DEFAULT(max_resets);
    DEFAULT(resets_per_second);
    DEFAULT(max_empty_frames);
    DEFAULT(stream_window);
    DEFAULT(connection_window);
    DEFAULT(header_timeout_ms);
    DEFAULT(body_timeout_ms);
    DEFAULT(idle_timeout_ms);
    DEFAULT(drain_timeout_ms);
#undef DEFAULT
    return r;
}
