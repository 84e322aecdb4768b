/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* fork, waitpid, sched_setaffinity */

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/user.h"

void user_words_add(user_words *w, const char *word)
{
    if (w->n + 1 >= w->cap) {
        w->cap = w->cap ? 2 * w->cap : 32;
        w->word = realloc(w->word, w->cap * sizeof *w->word);
        if (w->word == NULL) {
            bench_die("out of memory");
        }
    }
    w->word[w->n++] = word;
    w->word[w->n] = NULL;
}

void user_words_free(user_words *w)
{
    free(w->word);
    *w = (user_words){0};
}

/* The race is pinned; a compiler may go where it likes. */
static void unpin(void)
{
    cpu_set_t all;
    CPU_ZERO(&all);
    for (size_t i = 0; i < CPU_SETSIZE; i++) {
        CPU_SET(i, &all);
    }
    (void)sched_setaffinity(0, sizeof all, &all);
}

/* In the child: never returns. The cast: exec takes the words as they are and does not write. */
static _Noreturn void become(const user_words *w, const char *output)
{
    unpin();
    int null = open("/dev/null", O_RDONLY);
    int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (null < 0 || out < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) {
        _exit(127);
    }
    execvp(w->word[0], (char *const *)(uintptr_t)w->word);
    fprintf(stderr, "%s: %s\n", w->word[0], strerror(errno));
    fflush(stderr);
    _exit(127);
}

int user_start(const user_words *w, const char *output)
{
    fflush(NULL); /* not to be written twice */
    pid_t process = fork();
    if (process == 0) {
        become(w, output);
    }
    return (int)process;
}

int user_wait(int process, bool *ok)
{
    int status;
    pid_t ended;
    do {
        ended = waitpid(process, &status, 0);
    } while (ended < 0 && errno == EINTR);
    *ok = ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return (int)ended;
}

bool user_run(const user_words *w, const char *output)
{
    bool ok;
    int process = user_start(w, output);
    if (process < 0) {
        return false;
    }
    user_wait(process, &ok);
    return ok;
}

char *user_find_program(const char *name)
{
    const char *path = getenv("PATH");
    if (strchr(name, '/') != NULL) {
        return access(name, X_OK) == 0 ? user_text("%s", name) : NULL;
    }
    while (path != NULL && *path != '\0') {
        size_t len = strcspn(path, ":");
        char *file = user_text("%.*s/%s", len > 0 ? (int)len : 1, len > 0 ? path : ".", name);
        if (access(file, X_OK) == 0) {
            return file;
        }
        free(file);
        path += len + (path[len] == ':');
    }
    return NULL;
}
