/* SPDX-License-Identifier: MIT */
#include "raw_client.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool raw_open(raw_client *c, int port)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *c = (raw_client){.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    int one = 1;
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(c->fd, (const struct sockaddr *)&a, sizeof a) != 0) {
        close(c->fd);
        c->fd = -1;
        return false;
    }
    return true;
}

bool raw_start_tls(raw_client *c, const char *alpn)
{
    c->context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_min_proto_version(c->context, TLS1_3_VERSION);
    c->ssl = SSL_new(c->context);
    if (alpn != NULL) {
        SSL_set_alpn_protos(c->ssl, (const unsigned char *)alpn, (unsigned)strlen(alpn));
    }
    SSL_set_fd(c->ssl, c->fd);
    return SSL_connect(c->ssl) == 1;
}

void raw_close(raw_client *c)
{
    SSL_free(c->ssl);
    SSL_CTX_free(c->context);
    if (c->fd >= 0) {
        close(c->fd);
    }
    free(c->data);
    *c = (raw_client){.fd = -1};
}

void raw_reset(raw_client *c)
{
    const struct linger l = {.l_onoff = 1, .l_linger = 0};
    setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &l, sizeof l);
    raw_close(c);
}

void raw_end(raw_client *c)
{
    shutdown(c->fd, SHUT_WR);
}

bool raw_send(raw_client *c, const void *data, size_t n)
{
    const char *at = data;
    while (n > 0) {
        ssize_t sent =
            c->ssl != NULL ? SSL_write(c->ssl, at, (int)n) : send(c->fd, at, n, MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        at += sent;
        n -= (size_t)sent;
    }
    return true;
}

bool raw_send_text(raw_client *c, const char *text)
{
    return raw_send(c, text, strlen(text));
}

bool raw_send_cut(raw_client *c, const char *text, size_t n, size_t step)
{
    for (size_t i = 0; i < n; i += step) {
        if (!raw_send(c, text + i, n - i < step ? n - i : step)) {
            return false;
        }
    }
    return true;
}

size_t raw_send_some(raw_client *c, const void *data, size_t n)
{
    ssize_t sent = send(c->fd, data, n, MSG_NOSIGNAL | MSG_DONTWAIT);
    return sent > 0 ? (size_t)sent : 0;
}

static void make_room(raw_client *c, size_t n)
{
    if (c->len + n + 1 > c->cap) {
        c->cap = 2 * (c->len + n + 1);
        c->data = realloc(c->data, c->cap);
        if (c->data == NULL) {
            abort();
        }
    }
}

bool raw_read(raw_client *c, int timeout_ms)
{
    struct pollfd p = {.fd = c->fd, .events = POLLIN};
    if (c->ended) {
        return false;
    }
    if ((c->ssl == NULL || SSL_pending(c->ssl) == 0) && poll(&p, 1, timeout_ms) <= 0) {
        return false;
    }
    make_room(c, 65536);
    ssize_t n = c->ssl != NULL ? SSL_read(c->ssl, c->data + c->len, 65536)
                               : recv(c->fd, c->data + c->len, 65536, 0);
    if (n <= 0) {
        c->was_reset = n < 0 && errno == ECONNRESET;
        c->ended = true;
        return false;
    }
    c->len += (size_t)n;
    c->data[c->len] = '\0';
    return true;
}

bool raw_read_to_end(raw_client *c)
{
    while (raw_read(c, RAW_WAIT_MS)) {
    }
    return c->ended;
}

bool raw_read_until(raw_client *c, const char *text)
{
    while (c->len == 0 || strstr(c->data, text) == NULL) {
        if (!raw_read(c, RAW_WAIT_MS)) {
            return false;
        }
    }
    return true;
}

void raw_take(raw_client *c, size_t n)
{
    memmove(c->data, c->data + n, c->len - n + 1);
    c->len -= n;
}

static char *taken(raw_client *c, size_t n)
{
    char *text = malloc(n + 1);
    if (text == NULL) {
        abort();
    }
    memcpy(text, c->len > 0 ? c->data : "", n);
    text[n] = '\0';
    if (n > 0) {
        raw_take(c, n);
    }
    return text;
}

static bool read_bytes(raw_client *c, size_t n)
{
    while (c->len < n) {
        if (!raw_read(c, RAW_WAIT_MS)) {
            return false;
        }
    }
    return true;
}

/* A line with its CRLF, taken; NULL: none came. */
static char *read_line(raw_client *c)
{
    if (!raw_read_until(c, "\r\n")) {
        return NULL;
    }
    return taken(c, (size_t)(strstr(c->data, "\r\n") - c->data) + 2);
}

/* The room is always the smallest power of two that holds text and NUL: no need to keep it. */
static void add(char **to, size_t *len, const char *data, size_t n)
{
    size_t cap = 64;
    while (cap <= *len) {
        cap *= 2;
    }
    if (*to == NULL || *len + n + 1 > cap) {
        while (cap < *len + n + 1) {
            cap *= 2;
        }
        *to = realloc(*to, cap);
    }
    if (*to == NULL) {
        abort();
    }
    memcpy(*to + *len, data, n);
    *len += n;
    (*to)[*len] = '\0';
}

static bool read_trailers(raw_client *c, raw_response *r)
{
    size_t len = 0;
    for (;;) {
        char *line = read_line(c);
        if (line == NULL) {
            return false;
        }
        bool is_end = strcmp(line, "\r\n") == 0;
        if (!is_end) {
            add(&r->trailers, &len, line, strlen(line));
        }
        free(line);
        if (is_end) {
            return true;
        }
    }
}

static bool read_chunks(raw_client *c, raw_response *r)
{
    for (;;) {
        char *line = read_line(c);
        if (line == NULL) {
            return false;
        }
        char *end;
        size_t n = strtoul(line, &end, 16);
        bool is_good = end != line && strcmp(end, "\r\n") == 0;
        free(line);
        if (!is_good) {
            return false;
        }
        if (n == 0) {
            return read_trailers(c, r);
        }
        if (!read_bytes(c, n + 2) || memcmp(c->data + n, "\r\n", 2) != 0) {
            return false;
        }
        add(&r->body, &r->body_len, c->data, n);
        raw_take(c, n + 2);
    }
}

bool raw_has_line(const raw_response *r, const char *line)
{
    size_t n = strlen(line);
    for (const char *at = r->head; (at = strstr(at, "\r\n")) != NULL;) {
        at += 2;
        if (strncasecmp(at, line, n) == 0 && strncmp(at + n, "\r\n", 2) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_body(raw_client *c, raw_response *r)
{
    const char *length = strcasestr(r->head, "\r\ncontent-length:");
    if (raw_has_line(r, "transfer-encoding: chunked")) {
        return length == NULL && read_chunks(c, r);
    }
    if (length != NULL) {
        size_t n = strtoul(length + 17, NULL, 10);
        if (!read_bytes(c, n)) {
            return false;
        }
        add(&r->body, &r->body_len, n > 0 ? c->data : "", n);
        if (n > 0) {
            raw_take(c, n);
        }
        return true;
    }
    if (!raw_read_to_end(c)) {
        return false;
    }
    add(&r->body, &r->body_len, c->len > 0 ? c->data : "", c->len);
    c->len = 0;
    return true;
}

bool raw_get_response(raw_client *c, bool has_body, raw_response *r)
{
    *r = (raw_response){.status = -1};
    if (!raw_read_until(c, "\r\n\r\n")) {
        return false;
    }
    r->head = taken(c, (size_t)(strstr(c->data, "\r\n\r\n") - c->data) + 4);
    if (sscanf(r->head, "HTTP/1.%*1[01] %3d ", &r->status) != 1) {
        return false;
    }
    size_t none = 0;
    add(&r->body, &none, "", 0);
    add(&r->trailers, &none, "", 0);
    if (!has_body || r->status < 200 || r->status == 204 || r->status == 304) {
        return true;
    }
    return read_body(c, r);
}

void raw_response_free(raw_response *r)
{
    free(r->head);
    free(r->body);
    free(r->trailers);
    *r = (raw_response){.status = -1};
}

int raw_ask(raw_client *c, const char *request, raw_response *r)
{
    *r = (raw_response){.status = -1};
    if (!raw_send_text(c, request) || !raw_get_response(c, strncmp(request, "HEAD", 4) != 0, r)) {
        return -1;
    }
    return r->status;
}
