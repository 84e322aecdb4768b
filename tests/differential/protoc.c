/* SPDX-License-Identifier: MIT */
#include "protoc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* ---- the box ----------------------------------------------------------------------------------
 */

static void put(protoc_box *box, const void *data, size_t n)
{
    if (box->cap - box->len < n) {
        box->cap = (box->len + n) * 2;
        box->data = realloc(box->data, box->cap);
        assert_non_null(box->data);
    }
    if (n > 0) {
        memcpy(box->data + box->len, data, n);
        box->len += n;
    }
}

static void put_varint(protoc_box *box, uint64_t v)
{
    uint8_t byte;
    for (; v >= 0x80; v >>= 7) {
        byte = (uint8_t)(v | 0x80);
        put(box, &byte, 1);
    }
    byte = (uint8_t)v;
    put(box, &byte, 1);
}

void protoc_box_add(protoc_box *box, size_t type, cw_bytes message)
{
    put_varint(box, (uint64_t)(type + 1) << 3 | 2);
    put_varint(box, message.len);
    put(box, message.data, message.len);
}

static uint64_t take_varint(cw_bytes *rest)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        assert_true(rest->len > 0);
        uint8_t byte = *rest->data;
        *rest = cw_bytes_of(rest->data + 1, rest->len - 1);
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return v;
        }
    }
    fail_msg("broken varint in the box");
    return 0;
}

bool protoc_box_next(cw_bytes *rest, size_t *type, cw_bytes *message)
{
    if (rest->len == 0) {
        return false;
    }
    uint64_t tag = take_varint(rest);
    assert_int_equal(tag & 7, 2);
    *type = (size_t)(tag >> 3) - 1;
    uint64_t len = take_varint(rest);
    assert_true(len <= rest->len);
    *message = cw_bytes_of(rest->data, (size_t)len);
    *rest = cw_bytes_of(rest->data + len, rest->len - (size_t)len);
    return true;
}

/* ---- protoc -----------------------------------------------------------------------------------
 */

static FILE *open_file(const char *name, const char *mode)
{
    FILE *f = fopen(name, mode);
    if (!f) {
        fail_msg("cannot open %s", name);
    }
    return f;
}

static void write_file(const char *name, const void *data, size_t len)
{
    FILE *f = open_file(name, "wb");
    assert_int_equal(fwrite(data, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

/* The file, with a NUL behind it. */
static uint8_t *read_file(const char *name, size_t *len)
{
    FILE *f = open_file(name, "rb");
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    long size = ftell(f);
    assert_true(size >= 0);
    rewind(f);
    uint8_t *data = malloc((size_t)size + 1);
    assert_non_null(data);
    *len = fread(data, 1, (size_t)size, f);
    assert_int_equal(*len, size);
    data[*len] = 0;
    fclose(f);
    return data;
}

static void write_proto(const char *name)
{
    FILE *f = open_file(name, "wb");
    fprintf(f, "syntax = \"proto3\";\npackage box;\n");
    for (size_t i = 0; i < sample_file_count(); i++) {
        fprintf(f, "import \"%s\";\n", sample_file(i)->name);
    }
    fprintf(f, "message Box {\n");
    for (size_t i = 0; i < sample_type_count(); i++) {
        fprintf(f, "  repeated .%s f%zu = %zu;\n", sample_type(i)->full_name, i + 1, i + 1);
    }
    fprintf(f, "}\n");
    assert_int_equal(fclose(f), 0);
}

/* Runs `protoc VERB` from file `in` to file `out`. */
static void run(const char *verb, const char *name, const char *in, const char *out)
{
    const char *protoc = getenv("CWIRE_PROTOC"), *source = getenv("CWIRE_SOURCE_DIR");
    assert_true(protoc && source);
    char proto[64], command[4096];
    snprintf(proto, sizeof proto, "%s_box.proto", name);
    write_proto(proto);
    int n = snprintf(command, sizeof command,
                     "'%s' -I. '-I%s/tests/schemas' '-I%s/schemas' %s=box.Box %s <%s >%s 2>%s.err",
                     protoc, source, source, verb, proto, in, out, out);
    assert_true(n > 0 && (size_t)n < sizeof command);
    if (system(command) != 0) {
        char errors[80];
        snprintf(errors, sizeof errors, "%s.err", out);
        size_t len;
        uint8_t *text = read_file(errors, &len);
        fail_msg("%s\n%.2000s", command, (char *)text);
    }
}

char *protoc_decode(const protoc_box *box, const char *name)
{
    char in[64], out[64];
    snprintf(in, sizeof in, "%s.bin", name);
    snprintf(out, sizeof out, "%s.txt", name);
    write_file(in, box->data, box->len);
    run("--decode", name, in, out);
    size_t len;
    return (char *)read_file(out, &len);
}

protoc_box protoc_encode(const char *text, const char *name)
{
    char in[64], out[64];
    snprintf(in, sizeof in, "%s_again.txt", name);
    snprintf(out, sizeof out, "%s_again.bin", name);
    write_file(in, text, strlen(text));
    run("--deterministic_output --encode", name, in, out);
    protoc_box box = {0};
    box.data = read_file(out, &box.len);
    return box;
}
