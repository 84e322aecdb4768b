/* SPDX-License-Identifier: MIT */
#include "cwire/net/status.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const texts[] = {
#define TEXT(name, text) text,
    CW_NET_STATUS_LIST(TEXT)
#undef TEXT
};

static const char *const names[] = {
#define NAME(name, text) "CW_NET_" #name,
    CW_NET_STATUS_LIST(NAME)
#undef NAME
};

const char *cw_net_status_text(cw_net_status st)
{
    return (unsigned)st < CW_NET_STATUS_COUNT ? texts[st] : "unknown status";
}

const char *cw_net_status_name(cw_net_status st)
{
    return (unsigned)st < CW_NET_STATUS_COUNT ? names[st] : "unknown status";
}

cw_net_status cw_net_error_set(cw_net_error *e, cw_net_status st, int code, const char *format, ...)
{
    if (e != NULL) {
        e->status = st;
        e->code = code;
        va_list args;
        va_start(args, format);
        if (vsnprintf(e->detail, sizeof e->detail, format, args) < 0) {
            e->detail[0] = '\0';
        }
        va_end(args);
    }
    return st;
}

size_t cw_net_error_print(const cw_net_error *e, char *buf, size_t cap)
{
    char code[16] = "";
    if (e->code != 0) {
        snprintf(code, sizeof code, " (%d)", e->code);
    }
    int n = snprintf(buf, cap, "%s%s%s%s", cw_net_status_text(e->status),
                     e->detail[0] != '\0' ? ": " : "", e->detail, code);
    return n < 0 ? 0 : (size_t)n;
}
