/* SPDX-License-Identifier: MIT */
#include "payload.h"

#include <stdlib.h>

#include "compress.h"
#include "die.h"
#include "mem.h"
#include "reflect.h"
#include "sites.h"

const cw_json_print_options bench_print_options = {
    .proto_names = true,
    .enums_as_numbers = true,
    .int64_as_numbers = true,
};

static _Noreturn void die_of(const bench_payload *p, const char *what, const cw_error *e)
{
    char text[512];
    cw_error_print(e, text, sizeof text);
    bench_die("payload %s: %s: %s", p->name, what, text);
}

cw_bytes bench_payload_write(const bench_payload *p, const void *message, bench_form form,
                             cw_arena *scratch)
{
    cw_error e = {0};
    cw_bytes bytes = {0};
    cw_str text = {0};
    cw_arena_reset(scratch);
    if (form == BENCH_BINARY) {
        if (p->type->encode_arena(message, scratch, &bytes, &e) != CW_OK) {
            die_of(p, "encode", &e);
        }
        return bench_clone(bytes);
    }
    if (p->type->to_json(message, scratch, &bench_print_options, &text, &e) != CW_OK) {
        die_of(p, "to_json", &e);
    }
    bytes = bench_bytes_of(text);
    return form == BENCH_TEXT ? bench_clone(bytes) : bench_gzip(bytes);
}

/* The message lies in the arena as a decoder leaves it. */
void *bench_payload_copy(bench_payload *p, const void *message, cw_arena *scratch)
{
    cw_error e = {0};
    cw_bytes bytes;
    cw_arena_reset(scratch);
    if (p->type->encode_arena(message, scratch, &bytes, &e) != CW_OK) {
        die_of(p, "encode", &e);
    }
    void *copy = cw_arena_alloc(&p->arena, p->type->struct_size);
    if (copy == NULL) {
        bench_die("out of memory");
    }
    if (p->type->decode(copy, bytes.data, bytes.len, &p->arena, NULL, &e) != CW_OK) {
        die_of(p, "decode", &e);
    }
    return copy;
}

static bool is_wide(const bench_probe *probe, cw_kind kind, const void *message)
{
    uint64_t v = bench_load_integer(bench_probe_at(probe, message), kind);
    const uint64_t limit = UINT64_C(1) << 53;
    return bench_is_signed(kind) ? v + limit > 2 * limit : v > limit;
}

static bool uses_well_known(const cw_type *type, unsigned depth)
{
    if (strncmp(type->full_name, "google.protobuf.", 16) == 0) {
        return true;
    }
    for (uint32_t i = 0; depth > 0 && i < type->n_fields; i++) {
        const cw_type *sub = type->fields[i].message;
        if (sub != NULL && uses_well_known(sub, depth - 1)) {
            return true;
        }
    }
    return false;
}

void bench_payload_flags(bench_payload *p, const void *message, const bench_leaves *leaves)
{
    for (size_t i = 0; i < leaves->len; i++) {
        const bench_leaf *leaf = &leaves->data[i];
        bench_probe probe;
        if (!bench_probe_cwire(p->type, leaf, &probe)) {
            bench_die("payload %s: field %u cannot be reached", p->name,
                      (unsigned)leaf->steps[leaf->n_steps - 1].number);
        }
        if (leaf->kind == CW_KIND_DOUBLE || leaf->kind == CW_KIND_FLOAT) {
            p->has_floats = true;
        } else if (!bench_is_view_kind(leaf->kind)) {
            p->has_wide_integers |= is_wide(&probe, leaf->kind, message);
        }
    }
    p->has_well_known = uses_well_known(p->type, 5);
}

void bench_payload_room(bench_payload *p)
{
    for (int form = 0; form < BENCH_FORMS; form++) {
        p->output[form] = bench_calloc(p->n_states, sizeof *p->output[form]);
    }
    p->site_value = bench_calloc(p->n_states, sizeof *p->site_value);
    p->probe_value = bench_calloc(p->repeats > 0 ? 0 : p->n_states, sizeof *p->probe_value);
}

/* The leaves that results are looked at through. */
static void choose_probes(bench_payload *p, const bench_leaves *leaves)
{
    p->n_probes = leaves->len < BENCH_PROBES ? leaves->len : BENCH_PROBES;
    p->probes = bench_calloc(p->n_probes, sizeof *p->probes);
    for (size_t i = 0; i < p->n_probes; i++) {
        p->probes[i] = leaves->data[i * leaves->len / p->n_probes];
    }
}

void bench_patches_in_message(const bench_payload *p, const bench_probe *site_probes, void *message,
                              bench_patch *out)
{
    for (unsigned i = 0; i < p->n_sites; i++) {
        out[i].at = bench_probe_place(&site_probes[i], message);
        out[i].size = site_probes[i].width;
        for (unsigned v = 0; v < BENCH_VALUES; v++) {
            memcpy(out[i].value[v], p->sites[i].value[v], site_probes[i].width);
        }
    }
}

/* The bytes of input[form] that differ between the site's values, and what they are for each. */
static void find_patch(bench_payload *p, bench_form form, unsigned site, cw_arena *a)
{
    cw_bytes variant[BENCH_VALUES];
    size_t from = SIZE_MAX, to = 0;
    for (unsigned v = 0; v < BENCH_VALUES; v++) {
        bench_patch_apply(&p->in_message[site], v);
        variant[v] = bench_payload_write(p, p->message, form, a);
        if (variant[v].len != p->input[form].len) {
            bench_die("payload %s: lengths differ between values of a site", p->name);
        }
        for (size_t i = 0; i < variant[v].len; i++) {
            if (variant[v].data[i] != variant[0].data[i]) {
                from = i < from ? i : from;
                to = i + 1 > to ? i + 1 : to;
            }
        }
    }
    if (from >= to || to - from > BENCH_PATCH_MAX) {
        bench_die("payload %s: a site changes %zu to %zu", p->name, from, to);
    }
    bench_patch *patch = &p->patch[form][site];
    patch->at = (uint8_t *)(uintptr_t)p->input[form].data + from;
    patch->size = to - from;
    for (unsigned v = 0; v < BENCH_VALUES; v++) {
        memcpy(patch->value[v], variant[v].data + from, to - from);
        bench_release(variant[v]);
    }
}

/* References: every state's outputs and field values. */
static void record_states(bench_payload *p, const bench_probe *sites, cw_arena *a)
{
    bench_probe probes[BENCH_PROBES];
    for (size_t i = 0; i < p->n_probes; i++) {
        bench_probe_cwire(p->type, &p->probes[i], &probes[i]);
    }
    for (unsigned k = 0; k < p->n_states; k++) {
        if (p->n_sites > 0) {
            bench_patch_apply(&p->in_message[k % p->n_sites], k / p->n_sites);
        }
        for (int form = 0; form < BENCH_FORMS; form++) {
            if (form != BENCH_TEXT_GZIP || !p->is_large) {
                p->output[form][k] = bench_payload_write(p, p->message, (bench_form)form, a);
            }
        }
        for (unsigned i = 0; i < p->n_sites; i++) {
            p->site_value[k][i] = bench_probe_load(&sites[i], p->message);
        }
        for (size_t i = 0; i < p->n_probes; i++) {
            p->probe_value[k][i] = bench_probe_load(&probes[i], p->message);
        }
    }
}

/* Sets p->input as the message stands now, and what hangs on its length. */
static void write_inputs(bench_payload *p, cw_arena *a)
{
    for (int form = BENCH_BINARY; form <= BENCH_TEXT; form++) {
        p->input[form] = bench_payload_write(p, p->message, (bench_form)form, a);
        p->longest[form] = p->total[form] = p->input[form].len;
    }
}

bench_payload *bench_payload_make(const char *name, const cw_type *type, const void *message)
{
    bench_payload *p = bench_calloc(1, sizeof *p);
    bench_probe site_probes[BENCH_SITES];
    cw_arena scratch = {0};
    cw_str text;
    p->name = name;
    p->type = type;
    p->n_messages = 1;
    p->message = bench_payload_copy(p, message, &scratch);
    p->messages = &p->message;
    p->is_large = type->to_json(p->message, &scratch, &bench_print_options, &text, NULL) == CW_OK &&
                  text.len >= BENCH_LARGE;
    p->n_values = p->is_large ? 2 : BENCH_VALUES;

    bench_leaves leaves = bench_leaves_of(type, p->message);
    bench_payload_flags(p, p->message, &leaves);
    choose_probes(p, &leaves);
    bench_sites_choose(p, &leaves);
    bench_leaves_free(&leaves);

    p->is_constant = p->n_sites == 0;
    p->n_states = p->is_constant ? BENCH_VALUES : p->n_sites * p->n_values;
    for (unsigned i = 0; i < p->n_sites; i++) {
        bench_probe_cwire(type, &p->sites[i].leaf, &site_probes[i]);
    }
    bench_patches_in_message(p, site_probes, p->message, p->in_message);
    bench_patch_reset(p->in_message, p->n_sites);
    write_inputs(p, &scratch);
    for (unsigned i = 0; i < p->n_sites; i++) {
        find_patch(p, BENCH_BINARY, i, &scratch);
        find_patch(p, BENCH_TEXT, i, &scratch);
    }
    bench_payload_room(p);
    record_states(p, site_probes, &scratch);
    cw_arena_free(&scratch);
    return p;
}

void bench_payload_free(bench_payload *p)
{
    if (p == NULL) {
        return;
    }
    for (int form = 0; form < BENCH_FORMS; form++) {
        for (unsigned k = 0; k < p->n_states; k++) {
            bench_release(p->output[form][k]);
        }
        free(p->output[form]);
    }
    bench_release(p->input[BENCH_BINARY]);
    bench_release(p->input[BENCH_TEXT]);
    if (p->repeats > 0) {
        free(p->messages);
    }
    free(p->probes);
    free(p->looks);
    free(p->first_look);
    free(p->site_value);
    free(p->probe_value);
    cw_arena_free(&p->arena);
    free(p);
}
