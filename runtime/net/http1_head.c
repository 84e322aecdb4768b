/* SPDX-License-Identifier: MIT */
/* The check of a section that llhttp has taken apart (RFC 9112, sections 2 to 6). */
#include "http1_internal.h"

enum {
    VERSION_LINE = 11, /* " HTTP/1.1\r\n" */
    STATUS_LINE = 14,  /* "HTTP/1.1 200\r\n", the shortest */
    MAX_NAMED = 32     /* fields that Connection fields may name */
};

/* The lower-case form of the characters of tokens (RFC 9110, 5.6.2), 0 for all others. */
static const char token_lower[256] = {
    0,   0,    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
    0,   0,    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   '!', 0,   '#', '$', '%',
    '&', '\'', 0,   0,   '*', '+', 0,   '-', '.', 0,   '0', '1', '2', '3', '4', '5', '6', '7', '8',
    '9', 0,    0,   0,   0,   0,   0,   0,   'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k',
    'l', 'm',  'n', 'o', 'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z', 0,   0,   0,   '^',
    '_', '`',  'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q',
    'r', 's',  't', 'u', 'v', 'w', 'x', 'y', 'z', 0,   '|', 0,   '~', 0};

char cw__http1_lower(char c)
{
    return token_lower[(unsigned char)c];
}

static bool is_token(cw_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (cw__http1_lower(s.data[i]) == 0) {
            return false;
        }
    }
    return s.len > 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool cw__http1_refuse(cw__http1 *h, unsigned code, const char *text)
{
    if (h->bad_code == 0) {
        h->bad_code = code;
        h->bad_text = text;
    }
    return false;
}

/* ---- lines -------------------------------------------------------------------------------------
 */

/*
 * One field's line, "name: value" to where the next line begins: nothing may stand between but ':',
 * blanks and one CRLF, so neither a folded line nor a bare LF passes. The name is turned to lower
 * case, the value trimmed.
 */
static bool check_line(cw__http1 *h, cw__fields *f, cw__field_ref *r, size_t next)
{
    char *text = (char *)f->text.data;
    size_t at = r->name;
    bool is_named = r->name_len > 0;
    for (size_t end = at + r->name_len; at < end; at++) {
        text[at] = cw__http1_lower(text[at]);
        is_named &= text[at] != 0;
    }
    if (!is_named || text[at] != ':') {
        return cw__http1_refuse(h, 400, "a field's name is not a token or not followed by a colon");
    }
    at++;
    while (is_blank(text[at])) {
        at++; /* ends: llhttp has seen a CR */
    }
    if (r->value == 0) {
        r->value = (uint32_t)at;
    }
    size_t end = r->value + r->value_len;
    if (at != r->value || end + 2 != next || text[end] != '\r' || text[end + 1] != '\n') {
        return cw__http1_refuse(h, 400, "a field's line is folded or does not end in CRLF");
    }
    while (r->value_len > 0 && is_blank(text[r->value + r->value_len - 1])) {
        r->value_len--;
    }
    f->size += r->name_len + r->value_len;
    return true;
}

/* All lines of a section from `first` on and the empty one at its end. */
static bool check_lines(cw__http1 *h, cw__fields *f, size_t first)
{
    size_t end = f->text.end;
    size_t at = first;
    for (size_t i = 0; i < f->len; i++) {
        size_t next = i + 1 < f->len ? f->refs[i + 1].name : end - 2;
        if (f->refs[i].name != at) {
            return cw__http1_refuse(h, 400, "bytes between the lines of a header section");
        }
        if (!check_line(h, f, &f->refs[i], next)) {
            return false;
        }
        at = next;
    }
    const char *text = (const char *)f->text.data;
    if (at + 2 != end || text[at] != '\r' || text[at + 1] != '\n') {
        return cw__http1_refuse(h, 400, "a header section does not end in an empty line");
    }
    return true;
}

/* The status for what stands after a request's target and is not "HTTP/1.1" or "HTTP/1.0". */
static unsigned version_status(const char *p, size_t n)
{
    if (n < 7 || memcmp(p, " HTTP/", 6) != 0 || !is_digit(p[6])) {
        return 400;
    }
    bool is_known = p[6] == '1' && (n < 9 || p[7] != '.' || !is_digit(p[8]) || p[8] <= '1');
    return is_known ? 400 : 505;
}

unsigned cw__http1_status_of(const cw__http1 *h, llhttp_errno_t err)
{
    cw_str all = cw__http1_text(&h->head, 0, h->head.text.end);
    if (err == HPE_INVALID_METHOD) {
        return is_token(all) ? 501 : 400;
    }
    if (h->target_end > 0 && (err == HPE_INVALID_VERSION || err == HPE_PAUSED_H2_UPGRADE)) {
        return version_status(all.data + h->target_end, all.len - h->target_end);
    }
    return 400;
}

/* ---- fields that say something -----------------------------------------------------------------
 */

/* Digits alone: no sign, no list, no blanks, and a number that anybody can hold. */
static bool read_length(cw__http1 *h, cw_str value)
{
    uint64_t n = 0;
    for (size_t i = 0; i < value.len; i++) {
        if (!is_digit(value.data[i]) || n > (uint64_t)(INT64_MAX - 9) / 10) {
            return cw__http1_refuse(h, 400, "content-length is not a number");
        }
        n = 10 * n + (uint64_t)(value.data[i] - '0');
    }
    h->facts.length = n;
    h->facts.lengths++;
    return value.len > 0 || cw__http1_refuse(h, 400, "content-length is empty");
}

static bool read_connection(cw__http1 *h, cw_str value)
{
    while (value.len > 0) {
        cw_str option = cw__next_part(&value, ',');
        if (cw__name_is(option, "close")) {
            h->facts.wants_close = true;
        } else if (cw__name_is(option, "keep-alive")) {
            h->facts.wants_keep_alive = true;
        } else if (++h->facts.names > MAX_NAMED) { /* empty ones too: they cost as much */
            return cw__http1_refuse(h, 400, "connection names too many fields");
        }
    }
    return true;
}

static void read_coding(cw__http1 *h, cw_str value)
{
    h->facts.codings++;
    h->facts.is_chunked = cw__name_is(value, "chunked");
    cw_str last = {NULL, 0};
    unsigned chunked = 0;
    while (value.len > 0) {
        last = cw__next_part(&value, ',');
        chunked += cw__name_is(last, "chunked");
    }
    h->facts.ends_chunked = chunked == 1 && cw__name_is(last, "chunked");
}

static void read_expect(cw__http1 *h, cw_str value)
{
    bool is_continue = cw__name_is(value, "100-continue");
    h->facts.expects_continue = h->facts.expects_continue || is_continue;
    h->facts.expects_other = h->facts.expects_other || !is_continue;
}

/* Takes note of a field of a head; `hidden`: the owner does not see it. */
static bool read_field(cw__http1 *h, cw_str name, cw_str value, bool *hidden)
{
#define IS(text) (memcmp(name.data, text, sizeof text - 1) == 0)
    switch (name.len) {
    case 2:
        *hidden = IS("te");
        break;
    case 4:
        if (h->is_server && IS("host")) {
            h->facts.host = value;
            h->facts.hosts++;
            *hidden = true;
        }
        break;
    case 6:
        if (h->is_server && IS("expect")) {
            read_expect(h, value);
        }
        break;
    case 7:
        *hidden = IS("upgrade");
        break;
    case 10:
        *hidden = IS("connection") || IS("keep-alive");
        return !IS("connection") || read_connection(h, value);
    case 14:
        return !IS("content-length") || read_length(h, value);
    case 16:
        *hidden = IS("proxy-connection");
        break;
    case 17:
        if (IS("transfer-encoding")) {
            read_coding(h, value);
            *hidden = true;
        }
        break;
    default:
        break;
    }
#undef IS
    return true;
}

/* A field of a section that is not shown: its name's length has this bit. */
#define HIDDEN 0x80000000u

static bool is_same(cw_str option, cw_str lower)
{
    if (option.len != lower.len) {
        return false;
    }
    for (size_t i = 0; i < lower.len; i++) {
        if (cw__http1_lower(option.data[i]) != lower.data[i]) {
            return false;
        }
    }
    return true;
}

/* What the Connection fields name, MAX_NAMED at most. How many. */
static size_t named_fields(const cw__fields *f, cw_str *names)
{
    size_t n = 0;
    for (size_t i = 0; i < f->len; i++) {
        const cw__field_ref *r = &f->refs[i];
        size_t len = r->name_len & ~HIDDEN;
        if (!cw_str_equal(cw__http1_text(f, r->name, r->name + len), CW_STR("connection"))) {
            continue;
        }
        cw_str list = cw__http1_text(f, r->value, r->value + r->value_len);
        while (list.len > 0 && n < MAX_NAMED) {
            names[n] = cw__next_part(&list, ',');
            bool is_field = !cw__name_is(names[n], "close") && !cw__name_is(names[n], "keep-alive");
            n += is_field && names[n].len > 0;
        }
    }
    return n;
}

/* RFC 9110, 7.6.1; content-length is no option of a connection, whatever it says. */
static void hide_named(cw__fields *f)
{
    cw_str names[MAX_NAMED];
    size_t n = named_fields(f, names);
    for (size_t i = 0; i < f->len; i++) {
        cw__field_ref *r = &f->refs[i];
        cw_str name = cw__http1_text(f, r->name, r->name + (r->name_len & ~HIDDEN));
        bool is_named = false;
        for (size_t k = 0; k < n && !is_named; k++) {
            is_named = is_same(names[k], name);
        }
        if (is_named && !cw_str_equal(name, CW_STR("content-length"))) {
            r->name_len |= HIDDEN;
        }
    }
}

/* Views of the fields that are shown. */
static cw_http_fields show(const cw__fields *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->len; i++) {
        const cw__field_ref *r = &f->refs[i];
        if (!(r->name_len & HIDDEN)) {
            f->views[n].name = cw__http1_text(f, r->name, r->name + r->name_len);
            f->views[n++].value = cw__http1_text(f, r->value, r->value + r->value_len);
        }
    }
    return (cw_http_fields){f->views, n};
}

static bool check_fields(cw__http1 *h, size_t first)
{
    cw__fields *f = &h->head;
    h->facts = (cw__http1_facts){.hosts = 0};
    f->size += first - 2; /* the first line without its CRLF */
    if (!check_lines(h, f, first)) {
        return false;
    }
    if (f->size > h->max_header_bytes) {
        bool is_target = h->is_server && first - 2 > h->max_header_bytes;
        return cw__http1_refuse(h, is_target ? 414 : 431, "header section too large");
    }
    for (size_t i = 0; i < f->len; i++) {
        cw__field_ref *r = &f->refs[i];
        bool hidden = false;
        if (!read_field(h, cw__http1_text(f, r->name, r->name + r->name_len),
                        cw__http1_text(f, r->value, r->value + r->value_len), &hidden)) {
            return false;
        }
        r->name_len |= hidden ? HIDDEN : 0;
    }
    if (h->facts.names > 0) {
        hide_named(f);
    }
    h->s.head.fields = show(f);
    return true;
}

/* How the body is framed (RFC 9112, 6.1 and 6.3): what could be read in two ways is refused. */
static bool check_framing(cw__http1 *h)
{
    const cw__http1_facts *facts = &h->facts;
    if (facts->lengths > 1) {
        return cw__http1_refuse(h, 400, "two content-length fields");
    }
    if (facts->codings == 0) {
        return true;
    }
    if (h->s.head.version != CW_HTTP_1_1) {
        return cw__http1_refuse(h, 400, "transfer-encoding in HTTP/1.0");
    }
    if (facts->lengths > 0) {
        return cw__http1_refuse(h, 400, "transfer-encoding and content-length");
    }
    if (facts->codings > 1 || !facts->ends_chunked) {
        return cw__http1_refuse(h, 400, "transfer-encoding does not end in one \"chunked\"");
    }
    if (!facts->is_chunked) {
        return cw__http1_refuse(h, 501, "a transfer coding other than \"chunked\"");
    }
    /* llhttp must have understood the same. */
    return (h->parser.flags & F_CHUNKED) != 0 ||
           cw__http1_refuse(h, 400, "transfer-encoding is not \"chunked\"");
}

/* ---- requests ----------------------------------------------------------------------------------
 */

/* "POST /path HTTP/1.1" CRLF; where the next line begins, 0: refused. */
static size_t check_request_line(cw__http1 *h)
{
    const cw__fields *f = &h->head;
    cw_http_head *head = &h->s.head;
    size_t end = h->target_end;
    if (h->target < 2 || end <= h->target || f->text.data[h->target - 1] != ' ' ||
        !is_token(cw__http1_text(f, 0, h->target - 1))) {
        cw__http1_refuse(h, 400, "request line");
        return 0;
    }
    cw_str rest = cw__http1_text(f, end, f->text.end);
    if (rest.len < VERSION_LINE || memcmp(rest.data, " HTTP/1.", 8) != 0 ||
        (rest.data[8] != '0' && rest.data[8] != '1') || memcmp(rest.data + 9, "\r\n", 2) != 0) {
        cw__http1_refuse(h, version_status(rest.data, rest.len), "HTTP version");
        return 0;
    }
    head->version = rest.data[8] == '1' ? CW_HTTP_1_1 : CW_HTTP_1_0;
    head->method = cw__http1_text(f, 0, h->target - 1);
    head->scheme = cw_str_from(h->scheme);
    return end + VERSION_LINE;
}

static bool check_request(cw__http1 *h)
{
    size_t first = check_request_line(h);
    if (first == 0 || !check_fields(h, first) || !cw__http1_check_host(h) ||
        !cw__http1_check_target(h) || !check_framing(h)) {
        return false;
    }
    const cw__http1_facts *facts = &h->facts;
    if (h->s.head.version == CW_HTTP_1_0) {
        return true; /* knows no expectations: RFC 9110, 10.1.1 */
    }
    h->s.expects_continue = facts->expects_continue && (facts->is_chunked || facts->length > 0);
    return !facts->expects_other || cw__http1_refuse(h, 417, "an expectation not known");
}

/* ---- responses ---------------------------------------------------------------------------------
 */

/* "HTTP/1.1 200 OK" CRLF; where the next line begins, 0: refused. */
static size_t check_status_line(cw__http1 *h)
{
    const cw__fields *f = &h->head;
    const char *p = (const char *)f->text.data;
    size_t first = f->len > 0 ? f->refs[0].name : f->text.end - 2;
    bool is_good = first >= STATUS_LINE && memcmp(p, "HTTP/1.", 7) == 0 &&
                   (p[7] == '0' || p[7] == '1') && p[8] == ' ' && p[9] >= '1' && p[9] <= '5' &&
                   is_digit(p[10]) && is_digit(p[11]) && (p[12] == ' ' || first == STATUS_LINE) &&
                   memcmp(p + first - 2, "\r\n", 2) == 0;
    for (size_t i = 12; is_good && i < first - 2; i++) {
        is_good = ((unsigned char)p[i] >= ' ' || p[i] == '\t') && p[i] != 0x7f;
    }
    if (!is_good) {
        cw__http1_refuse(h, 400, "status line");
        return 0;
    }
    h->s.head.version = p[7] == '1' ? CW_HTTP_1_1 : CW_HTTP_1_0;
    h->s.head.status = (unsigned)(100 * (p[9] - '0') + 10 * (p[10] - '0') + (p[11] - '0'));
    return first;
}

static bool check_response(cw__http1 *h)
{
    size_t first = check_status_line(h);
    if (first == 0 || !check_fields(h, first)) {
        return false;
    }
    unsigned status = h->s.head.status;
    bool has_body = !h->is_head_request && status >= 200 && status != 204 && status != 304;
    return !has_body || check_framing(h);
}

bool cw__http1_check_head(cw__http1 *h)
{
    return h->is_server ? check_request(h) : check_response(h);
}

/* ---- trailers ----------------------------------------------------------------------------------
 */

bool cw__http1_check_trailers(cw__http1 *h)
{
    cw__fields *f = &h->trailers;
    if (!check_lines(h, f, 0)) {
        return false;
    }
    if (f->size > h->max_header_bytes) {
        return cw__http1_refuse(h, 431, "trailers too large");
    }
    for (size_t i = 0; i < f->len; i++) {
        cw__field_ref *r = &f->refs[i];
        r->name_len |=
            cw__may_trail(cw__http1_text(f, r->name, r->name + r->name_len)) ? 0 : HIDDEN;
    }
    h->s.trailers = show(f);
    return true;
}
