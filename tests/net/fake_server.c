/* SPDX-License-Identifier: MIT */
#include "fake_server.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

static void must(bool is_fine, const char *what)
{
    if (!is_fine) {
        perror(what);
        abort();
    }
}

/* ---- sockets and threads -----------------------------------------------------------------------
 */

static int listen_on(int *port)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(fd >= 0, "socket");
    must(bind(fd, (struct sockaddr *)&a, sizeof a) == 0, "bind");
    must(getsockname(fd, (struct sockaddr *)&a, &len) == 0, "getsockname");
    *port = ntohs(a.sin_port);
    return fd;
}

int fake_dead_port(void)
{
    int port;
    int fd = listen_on(&port); /* bound, so nobody else gets it, and not listening */
    close(fd);
    return port;
}

static void *run_script(void *arg)
{
    fake_peer *p = arg;
    fake_server *s = p->server;
    s->script(p);
    pthread_mutex_lock(&s->lock);
    close(p->fd);
    p->fd = -1;
    s->open--;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static void *accept_all(void *arg)
{
    fake_server *s = arg;
    for (;;) {
        int fd = accept(s->fd, NULL, NULL);
        if (fd < 0) {
            return NULL;
        }
        pthread_mutex_lock(&s->lock);
        if (s->is_stopping || s->accepted == FAKE_PEERS) {
            pthread_mutex_unlock(&s->lock);
            close(fd);
            continue;
        }
        fake_peer *p = &s->peers[s->accepted];
        *p = (fake_peer){.server = s, .ctx = s->ctx, .number = s->accepted, .fd = fd};
        s->accepted++;
        s->open++;
        s->most_open = s->open > s->most_open ? s->open : s->most_open;
        must(pthread_create(&p->thread, NULL, run_script, p) == 0, "pthread_create");
        pthread_cond_broadcast(&s->changed);
        pthread_mutex_unlock(&s->lock);
    }
}

fake_server *fake_start(fake_script *script, void *ctx)
{
    fake_server *s = calloc(1, sizeof *s);
    must(s != NULL, "calloc");
    signal(SIGPIPE, SIG_IGN); /* scripts may use other libraries to write */
    s->script = script;
    s->ctx = ctx;
    s->fd = listen_on(&s->port);
    must(listen(s->fd, 128) == 0, "listen");
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    must(pthread_create(&s->thread, NULL, accept_all, s) == 0, "pthread_create");
    return s;
}

void fake_stop_listening(fake_server *s)
{
    if (s->fd < 0) {
        return;
    }
    shutdown(s->fd, SHUT_RDWR); /* accept returns */
    pthread_join(s->thread, NULL);
    close(s->fd);
    s->fd = -1;
}

void fake_stop(fake_server *s)
{
    pthread_mutex_lock(&s->lock);
    s->is_stopping = true;
    for (unsigned i = 0; i < s->accepted; i++) {
        if (s->peers[i].fd >= 0) {
            shutdown(s->peers[i].fd, SHUT_RDWR);
        }
    }
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    fake_stop_listening(s);
    for (unsigned i = 0; i < s->accepted; i++) {
        pthread_join(s->peers[i].thread, NULL);
        free(s->peers[i].data);
        free(s->peers[i].head);
        free(s->peers[i].body);
    }
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* ---- for the test ------------------------------------------------------------------------------
 */

static unsigned look(fake_server *s, const unsigned *at)
{
    pthread_mutex_lock(&s->lock);
    unsigned n = *at;
    pthread_mutex_unlock(&s->lock);
    return n;
}

unsigned fake_accepted(fake_server *s)
{
    return look(s, &s->accepted);
}

unsigned fake_most_open(fake_server *s)
{
    return look(s, &s->most_open);
}

unsigned fake_requests(fake_server *s)
{
    return look(s, &s->requests);
}

void fake_signal(fake_server *s)
{
    pthread_mutex_lock(&s->lock);
    s->signals++;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

/* ---- for scripts -------------------------------------------------------------------------------
 */

static bool read_more(fake_peer *p)
{
    if (p->cap - p->len < 4096) {
        p->cap = 2 * p->cap + 8192;
        p->data = realloc(p->data, p->cap);
        must(p->data != NULL, "realloc");
    }
    ssize_t n = recv(p->fd, p->data + p->len, p->cap - p->len - 1, 0);
    if (n <= 0) {
        return false;
    }
    p->len += (size_t)n;
    p->data[p->len] = '\0';
    return true;
}

bool fake_read(fake_peer *p, size_t n)
{
    while (p->len < n) {
        if (!read_more(p)) {
            return false;
        }
    }
    return true;
}

void fake_take(fake_peer *p, size_t n)
{
    p->len -= n;
    memmove(p->data, p->data + n, p->len + 1);
}

static void write_to_log(fake_server *s, const char *head)
{
    pthread_mutex_lock(&s->lock);
    if (s->requests < FAKE_LOG) {
        snprintf(s->log[s->requests], FAKE_LINE, "%.*s", (int)strcspn(head, "\r"), head);
    }
    s->requests++;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

/* Until data has this text at or after `from`; where it ends, 0: the client has closed. */
static size_t read_until(fake_peer *p, size_t from, const char *text)
{
    for (;;) {
        const char *found =
            p->len > from ? memmem(p->data + from, p->len - from, text, strlen(text)) : NULL;
        if (found != NULL) {
            return (size_t)(found - p->data) + strlen(text);
        }
        if (!read_more(p)) {
            return 0;
        }
    }
}

static char *copy_of(const char *data, size_t len)
{
    char *copy = malloc(len + 1);
    must(copy != NULL, "malloc");
    if (len > 0) {
        memcpy(copy, data, len);
    }
    copy[len] = '\0';
    return copy;
}

bool fake_read_head(fake_peer *p)
{
    size_t n = read_until(p, 0, "\r\n\r\n");
    if (n == 0) {
        return false;
    }
    free(p->head);
    free(p->body);
    p->head = copy_of(p->data, n);
    p->body = copy_of(NULL, 0);
    p->body_len = p->body_cap = 0;
    fake_take(p, n);
    write_to_log(p->server, p->head);
    return true;
}

/* Moves the chunks at the front of data together, to body. */
static bool read_chunks(fake_peer *p)
{
    size_t at = 0, n = 1;
    while (n > 0) {
        size_t begin = read_until(p, at, "\r\n");
        if (begin == 0) {
            return false;
        }
        n = strtoul(p->data + at, NULL, 16);
        at = begin + n + (n > 0 ? 2 : 0);
        if (!fake_read(p, at)) {
            return false;
        }
        if (p->body_len + n >= p->body_cap) {
            p->body_cap = 2 * (p->body_len + n + 1);
            p->body = realloc(p->body, p->body_cap);
            must(p->body != NULL, "realloc");
        }
        memcpy(p->body + p->body_len, p->data + begin, n);
        p->body_len += n;
        p->body[p->body_len] = '\0';
    }
    size_t end = read_until(p, at - 2, "\r\n\r\n");
    if (end > 0) {
        fake_take(p, end);
    }
    return end > 0;
}

bool fake_read_body(fake_peer *p)
{
    static const char length[] = "\r\ncontent-length:";
    const char *found = strcasestr(p->head, length);
    if (found == NULL) {
        return strcasestr(p->head, "\r\ntransfer-encoding: chunked") == NULL || read_chunks(p);
    }
    size_t n = strtoul(found + strlen(length), NULL, 10);
    if (!fake_read(p, n)) {
        return false;
    }
    if (n > 0) {
        free(p->body);
        p->body = copy_of(p->data, n);
        p->body_len = n;
        fake_take(p, n);
    }
    return true;
}

bool fake_read_request(fake_peer *p)
{
    return fake_read_head(p) && fake_read_body(p);
}

bool fake_write_bytes(fake_peer *p, const void *data, size_t n)
{
    const char *at = data;
    while (n > 0) {
        ssize_t sent = send(p->fd, at, n, MSG_NOSIGNAL);
        if (sent < 0) {
            return false;
        }
        at += sent;
        n -= (size_t)sent;
    }
    return true;
}

bool fake_write(fake_peer *p, const char *text)
{
    return fake_write_bytes(p, text, strlen(text));
}

void fake_wait_end(fake_peer *p)
{
    p->len = 0;
    while (read_more(p)) {
        p->len = 0;
    }
}

void fake_end(fake_peer *p)
{
    shutdown(p->fd, SHUT_WR);
    fake_wait_end(p);
}

bool fake_wait(fake_peer *p, unsigned n)
{
    fake_server *s = p->server;
    pthread_mutex_lock(&s->lock);
    while (!s->is_stopping && s->signals < n) {
        pthread_cond_wait(&s->changed, &s->lock);
    }
    bool is_on = !s->is_stopping;
    pthread_mutex_unlock(&s->lock);
    return is_on;
}

void fake_reset(fake_peer *p)
{
    const struct linger now = {.l_onoff = 1, .l_linger = 0};
    setsockopt(p->fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

bool fake_has_line(const fake_peer *p, const char *line)
{
    char text[256];
    snprintf(text, sizeof text, "\r\n%s\r\n", line);
    return strcasestr(p->head, text) != NULL;
}
