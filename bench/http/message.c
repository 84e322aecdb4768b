/* SPDX-License-Identifier: MIT */
#include "http/message.h"

#include "die.h"
#include "mem.h"

const bench_wire_info bench_wires[BENCH_WIRES] = {
    [BENCH_PROTOBUF] = {"protobuf", CW_STR_INIT("application/x-protobuf"), BENCH_BINARY},
    [BENCH_JSON] = {"json", CW_STR_INIT("application/json"), BENCH_TEXT},
};

/* Media types do not care about case (RFC 9110, 8.3.1). */
static bool is_type(cw_str text, cw_str type)
{
    for (size_t i = 0; i < type.len; i++) {
        char c = i < text.len ? text.data[i] : '\0';
        c = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        if (c != type.data[i]) {
            return false;
        }
    }
    char after = text.len > type.len ? text.data[type.len] : ';';
    return after == ';' || after == ',' || after == ' ' || after == '\t';
}

bench_wire bench_wire_of(cw_str media_type)
{
    for (int wire = 0; wire < BENCH_WIRES; wire++) {
        if (is_type(media_type, bench_wires[wire].content_type)) {
            return (bench_wire)wire;
        }
    }
    return BENCH_WIRES;
}

cw_status bench_message_encode(const cw_type *type, bench_wire wire, const void *message,
                               cw_arena *a, cw_bytes *out, cw_error *e)
{
    if (wire == BENCH_PROTOBUF) {
        return type->encode_arena(message, a, out, e);
    }
    cw_str text = {0};
    cw_status st = type->to_json(message, a, &bench_print_options, &text, e);
    *out = bench_bytes_of(text);
    return st;
}

cw_status bench_message_decode(const cw_type *type, bench_wire wire, cw_bytes in, void *message,
                               cw_arena *a, cw_error *e)
{
    if (wire == BENCH_PROTOBUF) {
        return type->decode(message, in.data, in.len, a, NULL, e);
    }
    return type->from_json(message, (const char *)in.data, in.len, a, NULL, e);
}

void bench_source_open(bench_source *s, bench_payload *p)
{
    *s = (bench_source){.payload = p};
    bench_patch_reset(p->in_message, p->n_sites);
}

void bench_source_free(bench_source *s)
{
    bench_payload_free(s->payload);
    s->payload = NULL;
}

cw_bytes bench_source_next(bench_source *s, bench_wire wire, cw_arena *a, unsigned *state)
{
    bench_payload *p = s->payload;
    cw_bytes out = {0};
    unsigned k = s->next;
    s->next = k + 1 == p->n_states ? 0 : k + 1;
    if (p->n_sites > 0) {
        bench_patch_apply(&p->in_message[k % p->n_sites], k / p->n_sites);
    }
    const void *message = p->repeats > 0 ? p->messages[k] : p->message;
    if (bench_message_encode(p->type, wire, message, a, &out, NULL) != CW_OK) {
        bench_die("payload %s: cannot be encoded", p->name);
    }
    *state = k;
    return out;
}
