/* SPDX-License-Identifier: MIT */
/*
 * json_message.h: a message for the tests of the JSON reader, with a parser written by hand in the
 * form that the generator makes:
 *
 *   message M { int32 n; uint32 u; int64 big; uint64 ubig; bool b; double d; float f; string s;
 *               bytes data; Color e; closed Color c; repeated int32 r; M child;
 *               map<string, int32> map; uint32 unit_cents_in_total; string short_name; }
 */
#ifndef CWIRE_TESTS_JSON_MESSAGE_H
#define CWIRE_TESTS_JSON_MESSAGE_H

#include "cwire/json.h"

#define MAP_MAX 4

typedef struct message {
    int32_t n;
    uint32_t u;
    int64_t big;
    uint64_t ubig;
    bool b;
    double d;
    float f;
    cw_str s;
    cw_bytes data;
    int32_t e, c;
    cw_i32_list r;
    struct message *child;
    struct {
        cw_str key;
        int32_t value;
    } map[MAP_MAX];
    size_t map_len;
    uint32_t unit_cents_in_total;
    cw_str short_name;
    unsigned style; /* the reader's at the end */
    bool ignored;   /* an enum name was ignored */
} message;

/* Color: RED 0, GREEN 1, BLUE 2. */
bool color_from_name(const char *name, size_t len, int32_t *v);
bool color_known(int32_t v);

/* Parses a copy of the text in a heap block of exactly its size. The arena must outlive *m, and
 * with the option alias the caller's text must too: strings then point into it. */
cw_status message_from_json(message *m, const char *text, size_t len, cw_arena *a,
                            const cw_json_parse_options *o, cw_error *e);

/*
 * `{"KEY":VALUE` with each of these behind it: values near the end of the text take other paths
 * than those with room behind them.
 */
#define VALUE_TAILS 4
extern const char *const value_tails[VALUE_TAILS];

/* Parses `{"KEY":VALUE` + value_tails[tail]; e->offset is made relative to the value. */
cw_status message_from_value(message *m, const char *key, cw_str value, size_t tail, cw_arena *a,
                             const cw_json_parse_options *o, cw_error *e);

bool message_equal(const message *a, const message *b);

#endif
