/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target over every file of the folders and files given, without libFuzzer. */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input lies in a block of exactly its size, so that an over-read is seen. */
static bool replay_file(const char *path, size_t size)
{
    FILE *in = fopen(path, "rb");
    uint8_t *data = malloc(size > 0 ? size : 1);
    if (in == NULL || data == NULL || fread(data, 1, size, in) != size) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fclose(in);
    uint8_t *exact = size > 0 ? data : NULL;
    int rejected = LLVMFuzzerTestOneInput(exact, size);
    free(data);
    if (rejected != 0) {
        fprintf(stderr, "%s: the target returned %d\n", path, rejected);
    }
    return rejected == 0;
}

static size_t replay_path(const char *path, bool *ok);

static size_t replay_folder(const char *path, bool *ok)
{
    size_t count = 0;
    DIR *dir = opendir(path);
    if (dir == NULL) {
        fprintf(stderr, "cannot open folder %s\n", path);
        exit(1);
    }
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        char child[4096];
        if (entry->d_name[0] == '.') {
            continue;
        }
        int len = snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
        if (len < 0 || (size_t)len >= sizeof child) {
            fprintf(stderr, "path too long: %s/%s\n", path, entry->d_name);
            exit(1);
        }
        count += replay_path(child, ok);
    }
    closedir(dir);
    return count;
}

static size_t replay_path(const char *path, bool *ok)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        fprintf(stderr, "no such file or folder: %s\n", path);
        exit(1);
    }
    if (S_ISDIR(info.st_mode)) {
        return replay_folder(path, ok);
    }
    if (!replay_file(path, (size_t)info.st_size)) {
        *ok = false;
    }
    return 1;
}

int main(int argc, char **argv)
{
    bool ok = true;
    size_t count = 0;
    for (int i = 1; i < argc; i++) {
        count += replay_path(argv[i], &ok);
    }
    printf("%zu inputs replayed\n", count);
    return ok && count > 0 ? 0 : 1; /* an empty corpus tests nothing */
}
