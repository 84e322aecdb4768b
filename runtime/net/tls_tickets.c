/* SPDX-License-Identifier: MIT */
#include "tls_tickets.h"

#include <stdlib.h>
#include <string.h>

bool cw__tickets_open(cw__tickets *t)
{
    memset(t->hosts, 0, sizeof t->hosts);
    t->clock = 0;
    return pthread_mutex_init(&t->lock, NULL) == 0;
}

static void forget(cw__ticket_host *h)
{
    for (size_t i = 0; i < h->count; i++) {
        SSL_SESSION_free(h->tickets[i]);
    }
    free(h->name);
    *h = (cw__ticket_host){.name = NULL};
}

void cw__tickets_close(cw__tickets *t)
{
    for (size_t i = 0; i < CW__TICKET_HOSTS; i++) {
        forget(&t->hosts[i]);
    }
    pthread_mutex_destroy(&t->lock);
}

static cw__ticket_host *find(cw__tickets *t, const char *name)
{
    for (size_t i = 0; i < CW__TICKET_HOSTS; i++) {
        cw__ticket_host *h = &t->hosts[i];
        if (h->name != NULL && strcmp(h->name, name) == 0) {
            h->used = ++t->clock;
            return h;
        }
    }
    return NULL;
}

static cw__ticket_host *add(cw__tickets *t, const char *name)
{
    cw__ticket_host *oldest = &t->hosts[0]; /* a free one was never used: 0 */
    for (size_t i = 1; i < CW__TICKET_HOSTS; i++) {
        if (t->hosts[i].used < oldest->used) {
            oldest = &t->hosts[i];
        }
    }
    forget(oldest);
    oldest->name = strdup(name);
    oldest->used = oldest->name != NULL ? ++t->clock : 0;
    return oldest->name != NULL ? oldest : NULL;
}

void cw__tickets_put(cw__tickets *t, const char *host, const SSL_SESSION *session)
{
    SSL_SESSION *copy = SSL_SESSION_dup(session);
    if (copy == NULL || !SSL_SESSION_is_resumable(copy)) {
        SSL_SESSION_free(copy);
        return;
    }
    pthread_mutex_lock(&t->lock);
    cw__ticket_host *h = find(t, host);
    if (h == NULL) {
        h = add(t, host);
    }
    SSL_SESSION *unused = copy;
    if (h != NULL) {
        unused = NULL;
        if (h->count == CW__TICKETS_OF_HOST) {
            unused = h->tickets[0];
            memmove(h->tickets, h->tickets + 1, --h->count * sizeof h->tickets[0]);
        }
        h->tickets[h->count++] = copy;
    }
    pthread_mutex_unlock(&t->lock);
    SSL_SESSION_free(unused);
}

SSL_SESSION *cw__tickets_take(cw__tickets *t, const char *host)
{
    SSL_SESSION *session = NULL;
    pthread_mutex_lock(&t->lock);
    cw__ticket_host *h = find(t, host);
    if (h != NULL && h->count > 0) {
        SSL_SESSION *newest = h->tickets[h->count - 1];
        if (h->count > 1 && SSL_SESSION_get_protocol_version(newest) >= TLS1_3_VERSION) {
            h->count--;
            session = newest;
        } else {
            session = SSL_SESSION_dup(newest);
        }
    }
    pthread_mutex_unlock(&t->lock);
    return session;
}
