/* SPDX-License-Identifier: MIT */
/*
 * Stands between protoc and a plugin that protoc itself refuses to run: protoc-gen-c does not
 * announce proto3 `optional`, so protoc rejects such schemas although the plugin handles them.
 *
 *   codegen_io list SET             the names of the files in a FileDescriptorSet, imports first
 *   codegen_io request SET FILE     a CodeGeneratorRequest for FILE on stdout
 *   codegen_io unpack DIR           a CodeGeneratorResponse on stdin -> files below DIR
 *
 * The three messages are framed by hand: FileDescriptorSet.file = 1; FileDescriptorProto.name = 1;
 * CodeGeneratorRequest.file_to_generate = 1, .proto_file = 15; CodeGeneratorResponse.error = 1,
 * .file = 15; File.name = 1, .content = 15. Exit code 0, or 1 with a line on stderr.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct bytes {
    unsigned char *data;
    size_t len;
};

/* One length-delimited field; anything else is skipped by next_field(). */
struct field {
    uint64_t number;
    struct bytes value;
};

static void fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("codegen_io: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

static struct bytes read_all(FILE *in, const char *name)
{
    unsigned char *data = NULL;
    size_t len = 0, cap = 0;
    for (;;) {
        if (len == cap) {
            cap = cap ? 2 * cap : 65536;
            data = realloc(data, cap);
            if (data == NULL) {
                fail("out of memory");
            }
        }
        size_t got = fread(data + len, 1, cap - len, in);
        if (got == 0) {
            break;
        }
        len += got;
    }
    if (ferror(in)) {
        fail("cannot read %s: %s", name, strerror(errno));
    }
    return (struct bytes){data, len};
}

static struct bytes read_file(const char *path)
{
    FILE *in = fopen(path, "rb");
    if (in == NULL) {
        fail("cannot open %s: %s", path, strerror(errno));
    }
    struct bytes all = read_all(in, path);
    fclose(in);
    return all;
}

static uint64_t take_varint(struct bytes *in)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (in->len == 0) {
            fail("truncated message");
        }
        unsigned char byte = *in->data++;
        in->len--;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
    fail("malformed varint");
    return 0;
}

static struct bytes take_bytes(struct bytes *in, uint64_t len)
{
    if (len > in->len) {
        fail("truncated message");
    }
    struct bytes taken = {in->data, (size_t)len};
    in->data += len;
    in->len -= (size_t)len;
    return taken;
}

/* The next length-delimited field of the message, or false at its end. */
static bool next_field(struct bytes *in, struct field *field)
{
    while (in->len > 0) {
        uint64_t tag = take_varint(in);
        switch (tag & 7) {
        case 0:
            take_varint(in);
            break;
        case 1:
            take_bytes(in, 8);
            break;
        case 2:
            field->number = tag >> 3;
            field->value = take_bytes(in, take_varint(in));
            return true;
        case 5:
            take_bytes(in, 4);
            break;
        default:
            fail("unexpected wire type %u", (unsigned)(tag & 7));
        }
    }
    return false;
}

/* The last length-delimited field of that number, or an empty value. */
static struct bytes find_field(struct bytes message, uint64_t number)
{
    struct field field;
    struct bytes found = {NULL, 0};
    while (next_field(&message, &field)) {
        if (field.number == number) {
            found = field.value;
        }
    }
    return found;
}

static void put(const void *data, size_t len)
{
    if (len > 0 && fwrite(data, 1, len, stdout) != len) {
        fail("cannot write: %s", strerror(errno));
    }
}

static void put_field(unsigned number, struct bytes value)
{
    unsigned char head[11];
    size_t n = 0;
    head[n++] = (unsigned char)(number << 3 | 2); /* numbers up to 15 only */
    uint64_t len = value.len;
    for (; len >= 0x80; len >>= 7) {
        head[n++] = (unsigned char)(len | 0x80);
    }
    head[n++] = (unsigned char)len;
    put(head, n);
    put(value.data, value.len);
}

static void list_files(struct bytes set)
{
    struct field field;
    while (next_field(&set, &field)) {
        if (field.number == 1) {
            struct bytes name = find_field(field.value, 1);
            put(name.data, name.len);
            put("\n", 1);
        }
    }
}

static void write_request(struct bytes set, char *file)
{
    struct bytes name = {(unsigned char *)file, strlen(file)};
    struct field field;
    put_field(1, name);
    while (next_field(&set, &field)) {
        if (field.number == 1) {
            put_field(15, field.value);
        }
    }
}

/* Makes the folders on the way to `path`, from character `from` on. */
static void make_parents(char *path, size_t from)
{
    for (char *slash = strchr(path + from, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            fail("cannot make folder %s: %s", path, strerror(errno));
        }
        *slash = '/';
    }
}

static void unpack_file(const char *dir, struct bytes file)
{
    struct bytes name = find_field(file, 1);
    struct bytes content = find_field(file, 15);
    char path[4096];
    int len = snprintf(path, sizeof path, "%s/%.*s", dir, (int)name.len, (const char *)name.data);
    if (len < 0 || (size_t)len >= sizeof path) {
        fail("file name too long");
    }
    const char *relative = path + strlen(dir) + 1;
    if (relative[0] == '\0' || relative[0] == '/' || strstr(relative, "..") != NULL) {
        fail("bad file name in the response: %s", relative);
    }
    make_parents(path, strlen(dir) + 1);
    FILE *out = fopen(path, "wb");
    if (out == NULL) {
        fail("cannot write %s: %s", path, strerror(errno));
    }
    bool written = content.len == 0 || fwrite(content.data, 1, content.len, out) == content.len;
    if (fclose(out) != 0 || !written) {
        fail("cannot write %s: %s", path, strerror(errno));
    }
}

static void unpack_response(struct bytes response, const char *dir)
{
    struct bytes error = find_field(response, 1);
    if (error.len > 0) {
        fail("the plugin says: %.*s", (int)error.len, (const char *)error.data);
    }
    struct field field;
    size_t files = 0;
    while (next_field(&response, &field)) {
        if (field.number == 15) {
            unpack_file(dir, field.value);
            files++;
        }
    }
    if (files == 0) {
        fail("the plugin wrote no files");
    }
}

int main(int argc, char **argv)
{
    const char *verb = argc > 1 ? argv[1] : "";
    struct bytes input = {NULL, 0};
    if (argc == 3 && strcmp(verb, "list") == 0) {
        input = read_file(argv[2]);
        list_files(input);
    } else if (argc == 4 && strcmp(verb, "request") == 0) {
        input = read_file(argv[2]);
        write_request(input, argv[3]);
    } else if (argc == 3 && strcmp(verb, "unpack") == 0) {
        input = read_all(stdin, "stdin");
        unpack_response(input, argv[2]);
    } else {
        fail("usage: codegen_io list SET | request SET FILE | unpack DIR");
    }
    free(input.data);
    if (fflush(stdout) != 0) {
        fail("cannot write: %s", strerror(errno));
    }
    return 0;
}
