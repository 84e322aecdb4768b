/* SPDX-License-Identifier: MIT */
/*
 * testee.c: the program that the official conformance runner starts. It reads requests from stdin,
 * each behind its length in 4 bytes (little-endian), and writes one response to each in the same
 * form. Requests, responses and test messages are cwire's own generated code; a test message's type
 * is found by its name, and from then on its tables are used.
 */
#include "conformance/conformance.cw.h"
#include "cwire/text.h"
#include "google/protobuf/test_messages_edition2023.cw.h"
#include "google/protobuf/test_messages_proto2.cw.h"
#include "google/protobuf/test_messages_proto2_editions.cw.h"
#include "google/protobuf/test_messages_proto3.cw.h"
#include "google/protobuf/test_messages_proto3_editions.cw.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef conformance_ConformanceRequest request;
typedef conformance_ConformanceResponse response;

/* The files with the test messages; the well-known types come with them as imports. */
static const cw_file *const files[] = {
    &google_protobuf_test_messages_proto2_file,
    &google_protobuf_test_messages_proto3_file,
    &google_protobuf_test_messages_proto2_editions_file,
    &google_protobuf_test_messages_proto3_editions_file,
    &google_protobuf_test_messages_edition2023_file,
};
static const cw_registry types = {files, sizeof files / sizeof *files};

/* The error as text in the arena. */
static cw_str describe(const cw_error *e, cw_arena *a)
{
    char text[512];
    size_t len = cw_error_print(e, text, sizeof text);
    cw_str out = CW_STR_INIT("out of memory");
    cw_arena_str(a, cw_str_of(text, len < sizeof text ? len : sizeof text - 1), &out);
    return out;
}

/* Reads the payload to *m. */
static cw_status parse(const request *q, const cw_type *type, void *m, cw_arena *a, cw_error *e)
{
    const cw_json_parse_options json = {
        .types = &types,
        .ignore_unknown = q->test_category == conformance_JSON_IGNORE_UNKNOWN_PARSING_TEST,
    };
    /* The performance tests give a singular message many times, to be merged. */
    const cw_text_parse_options text = {.types = &types, .overwrite = true};
    cw_bytes bytes = {NULL, 0};
    cw_str s = {NULL, 0};
    switch (q->payload_case) {
    case conformance_ConformanceRequest_payload_protobuf_payload:
        bytes = q->payload.protobuf_payload;
        return type->decode(m, bytes.data, bytes.len, a, NULL, e);
    case conformance_ConformanceRequest_payload_json_payload:
        s = q->payload.json_payload;
        return type->from_json(m, s.data, s.len, a, &json, e);
    case conformance_ConformanceRequest_payload_text_payload:
        s = q->payload.text_payload;
        return cw_text_parse(type, m, s.data, s.len, a, &text, e);
    default:
        return CW_ERR_UNSUPPORTED;
    }
}

/* Writes *m in the format that is asked for. */
static cw_status print(const request *q, const cw_type *type, const void *m, cw_arena *a,
                       response *r, cw_error *e)
{
    const cw_json_print_options json = {.types = &types};
    const cw_text_print_options text = {
        .types = &types,
        .unknown_fields = q->print_unknown_fields,
    };
    cw_bytes bytes;
    cw_str s;
    cw_status st;
    switch (q->requested_output_format) {
    case conformance_PROTOBUF:
        st = type->encode_arena(m, a, &bytes, e);
        if (st == CW_OK) {
            conformance_ConformanceResponse_set_protobuf_payload(r, bytes);
        }
        return st;
    case conformance_JSON:
        st = type->to_json(m, a, &json, &s, e);
        if (st == CW_OK) {
            conformance_ConformanceResponse_set_json_payload(r, s);
        }
        return st;
    case conformance_TEXT_FORMAT:
        st = cw_text_print(type, m, a, &text, &s, e);
        if (st == CW_OK) {
            conformance_ConformanceResponse_set_text_payload(r, s);
        }
        return st;
    default:
        return CW_ERR_UNSUPPORTED;
    }
}

/* The one format for input and output that cwire has not. */
static bool is_jspb(const request *q)
{
    return q->payload_case == conformance_ConformanceRequest_payload_jspb_payload ||
           q->requested_output_format == conformance_JSPB;
}

static void answer(const request *q, cw_arena *a, response *r)
{
    if (cw_str_equal(q->message_type, CW_STR("conformance.FailureSet"))) {
        /* Asked for first of all: the tests that are known to fail. There are none. */
        conformance_ConformanceResponse_set_protobuf_payload(r, (cw_bytes){NULL, 0});
        return;
    }
    if (is_jspb(q)) {
        conformance_ConformanceResponse_set_skipped(r, CW_STR("JSPB is Google's own"));
        return;
    }
    const cw_type *type = cw_registry_find_type(&types, q->message_type);
    void *m = type ? cw_arena_alloc(a, type->struct_size) : NULL;
    if (m == NULL) {
        conformance_ConformanceResponse_set_runtime_error(r, CW_STR("no such type, or no memory"));
        return;
    }
    type->init(m);
    cw_error e = {0};
    if (parse(q, type, m, a, &e) != CW_OK) {
        conformance_ConformanceResponse_set_parse_error(r, describe(&e, a));
    } else if (print(q, type, m, a, r, &e) != CW_OK) {
        conformance_ConformanceResponse_set_serialize_error(r, describe(&e, a));
    }
}

/* Reads all n bytes; false: the input is over. Half a message ends the program as a failure. */
static bool read_all(void *to, size_t n)
{
    size_t got = fread(to, 1, n, stdin);
    if (got != n && got > 0) {
        fputs("testee: the input ends inside of a request\n", stderr);
        exit(1);
    }
    return got == n;
}

static void write_all(const void *from, size_t n)
{
    if (fwrite(from, 1, n, stdout) != n) {
        perror("testee");
        exit(1);
    }
}

/* Answers the next request; false: there is none. */
static bool serve(cw_arena *a)
{
    uint8_t head[4];
    if (!read_all(head, sizeof head)) {
        return false;
    }
    size_t len = head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16 | (size_t)head[3] << 24;
    void *body = cw_arena_alloc(a, len);
    request q;
    response r;
    cw_bytes out;
    cw_error e = {0};
    conformance_ConformanceResponse_init(&r);
    if (body == NULL || (len > 0 && !read_all(body, len)) ||
        conformance_ConformanceRequest_decode(&q, body, len, a, NULL, &e) != CW_OK) {
        fputs("testee: a request cannot be read\n", stderr);
        exit(1);
    }
    clock_t start = clock();
    answer(&q, a, &r);
    if (clock() - start > CLOCKS_PER_SEC) {
        conformance_ConformanceResponse_set_timeout_error(&r, CW_STR("took more than a second"));
    }
    if (conformance_ConformanceResponse_encode_arena(&r, a, &out, &e) != CW_OK) {
        fputs("testee: a response cannot be written\n", stderr);
        exit(1);
    }
    head[0] = (uint8_t)out.len;
    head[1] = (uint8_t)(out.len >> 8);
    head[2] = (uint8_t)(out.len >> 16);
    head[3] = (uint8_t)(out.len >> 24);
    write_all(head, sizeof head);
    write_all(out.data, out.len);
    fflush(stdout);
    return true;
}

int main(void)
{
    cw_arena arena;
    cw_arena_init(&arena, NULL);
    while (serve(&arena)) {
        cw_arena_reset(&arena);
    }
    cw_arena_free(&arena);
    return 0;
}
