/* SPDX-License-Identifier: MIT */
#include "entry_look.h"

#include <stdlib.h>

#include "clock.h"
#include "mem.h"

/* How far the looked-at offset moves each time; a prime, so that it comes by everywhere. */
#define OFFSET_STEP 41

/* Which iteration is next: its patch, its value, its state. */
typedef struct cursor {
    unsigned site, value, state;
} cursor;

static inline void advance(const bench_entry *e, cursor *at)
{
    if (++at->site == e->n_patches) {
        at->site = 0;
        if (++at->value == BENCH_VALUES) {
            at->value = 0;
        }
    }
    if (++at->state == e->payload->n_states) {
        at->state = 0;
    }
}

/* ---- opening -----------------------------------------------------------------------------------
 */

static bool open_source(bench_entry *e)
{
    const bench_payload *p = e->payload;
    bench_probe at[BENCH_SITES];
    e->source = bench_calloc(p->n_messages, sizeof *e->source);
    for (size_t i = 0; i < p->n_messages; i++) {
        e->source[i] = e->contender->source(e->state, i);
    }
    for (unsigned i = 0; i < p->n_sites; i++) {
        if (!e->contender->probe(e->state, &p->sites[i].leaf, &at[i])) {
            return false;
        }
    }
    bench_patches_in_message(p, at, e->source[0], e->patch);
    e->output = bench_calloc(p->n_states, sizeof *e->output);
    if (e->op->form != BENCH_OWN) {
        memcpy(e->output, p->output[e->op->form], p->n_states * sizeof *e->output);
    }
    return true;
}

static bool open_result(bench_entry *e)
{
    const bench_payload *p = e->payload;
    for (unsigned i = 0; i < p->n_sites; i++) {
        if (!e->contender->probe(e->state, &p->sites[i].leaf, &e->site_probe[i])) {
            return false;
        }
    }
    e->probe = bench_calloc(p->n_probes, sizeof *e->probe);
    for (size_t i = 0; i < p->n_probes; i++) {
        if (!e->contender->probe(e->state, &p->probes[i], &e->probe[i])) {
            return false;
        }
    }
    e->input = bench_calloc(p->n_states, sizeof *e->input);
    if (e->op->form == BENCH_OWN) {
        return true; /* see write_inputs */
    }
    bool patched = e->op->form != BENCH_TEXT_GZIP && p->repeats == 0;
    for (unsigned k = 0; k < p->n_states; k++) {
        e->input[k] = patched ? p->input[e->op->form] : p->output[e->op->form][k];
    }
    if (patched && !p->is_constant) {
        memcpy(e->patch, p->patch[e->op->form], sizeof e->patch);
    }
    return true;
}

/* The changes where nothing can change, or where each state has an input of its own. */
static void patch_nothing(bench_entry *e)
{
    for (unsigned i = 0; i < e->n_patches; i++) {
        e->patch[i] = (bench_patch){.at = &e->nothing, .size = 1};
    }
}

static const bench_op *find_own(const bench_contender *c, bool writes)
{
    for (size_t i = 0; i < c->n_ops; i++) {
        if (c->ops[i].form == BENCH_OWN && (c->ops[i].write != NULL) == writes) {
            return &c->ops[i];
        }
    }
    return NULL;
}

/* BENCH_OWN: what is read is what the contender wrote for each state, once that is proven. */
static const char *write_inputs(bench_entry *e)
{
    bench_entry writer;
    const bench_op *op = find_own(e->contender, true);
    if (op == NULL) {
        return "nobody writes this format";
    }
    const char *wrong = bench_entry_open(&writer, e->payload, e->contender, op, e->state);
    wrong = wrong != NULL ? wrong : bench_entry_verify(&writer);
    if (wrong != NULL) {
        bench_entry_close(&writer);
        return wrong;
    }
    memcpy(e->input, writer.output, e->payload->n_states * sizeof *e->input);
    e->owns_input = true;
    writer.owns_output = false;
    bench_entry_close(&writer);
    return NULL;
}

const char *bench_entry_open(bench_entry *e, const bench_payload *p, const bench_contender *c,
                             const bench_op *op, void *state)
{
    *e = (bench_entry){.payload = p, .contender = c, .op = op, .state = state};
    e->n_patches = p->n_sites > 0 ? p->n_sites : 1;
    patch_nothing(e);
    if (!(op->write != NULL ? open_source(e) : open_result(e))) {
        return "a field of the message has no place in its structs";
    }
    if (p->repeats > 0) {
        bench_set_open(e);
    }
    if (op->write == NULL && op->form == BENCH_OWN) {
        return write_inputs(e);
    }
    return NULL;
}

void bench_entry_close(bench_entry *e)
{
    for (unsigned k = 0; e->owns_output && k < e->payload->n_states; k++) {
        bench_release(e->output[k]);
    }
    for (unsigned k = 0; e->owns_input && k < e->payload->n_states; k++) {
        bench_release(e->input[k]);
    }
    e->owns_output = e->owns_input = false;
    free(e->source);
    free(e->probe);
    free(e->input);
    free(e->output);
    free(e->picks);
    free(e->deck);
}

uint64_t bench_entry_pass(const bench_entry *e)
{
    const bench_payload *p = e->payload;
    return p->repeats > 0 ? p->n_messages * (uint64_t)p->repeats : 1;
}

size_t bench_entry_bytes(const bench_entry *e)
{
    const cw_bytes *all = e->op->write != NULL ? e->output : e->input;
    size_t sum = 0;
    for (unsigned k = 0; k < e->payload->n_states; k++) {
        sum += all[k].len;
    }
    return sum / e->payload->n_states;
}

/* ---- whole outputs -----------------------------------------------------------------------------
 */

/* BENCH_OWN: the contender's own reader finds the state's reference in what it wrote. */
static bool own_reads_back_equal(const bench_entry *e, cw_bytes written, unsigned state)
{
    const bench_op *op = find_own(e->contender, false);
    const void *m = op != NULL ? op->read(e->state, written) : NULL;
    bool same =
        m != NULL && e->contender->matches(e->state, m, e->payload->output[BENCH_BINARY][state]);
    if (m != NULL && op->release != NULL) {
        op->release(e->state, m);
    }
    return same;
}

/* Text that says the same as the state's reference, whatever its digits. */
static bool text_reads_back_equal(const bench_payload *p, cw_bytes text, unsigned state)
{
    cw_arena arena = {0};
    cw_bytes binary;
    void *m = cw_arena_alloc(&arena, p->type->struct_size);
    bool ok =
        m != NULL &&
        p->type->from_json(m, (const char *)text.data, text.len, &arena, NULL, NULL) == CW_OK &&
        p->type->encode_arena(m, &arena, &binary, NULL) == CW_OK &&
        cw_bytes_equal(binary, p->output[BENCH_BINARY][state]);
    cw_arena_free(&arena);
    return ok;
}

/* The message that stands for the state. */
static const void *source_of(const bench_entry *e, unsigned state)
{
    return e->source[e->payload->n_messages > 1 ? state : 0];
}

static const char *check_write(bench_entry *e, const cursor *at)
{
    bench_patch_apply(&e->patch[at->site], at->value);
    cw_bytes out = e->op->write(e->state, source_of(e, at->state));
    if (out.data == NULL) {
        return "the operation failed";
    }
    return cw_bytes_equal(out, e->output[at->state]) ? NULL : "the output is not the reference";
}

static const char *check_read(bench_entry *e, const cursor *at)
{
    bench_patch_apply(&e->patch[at->site], at->value);
    const void *m = e->op->read(e->state, e->input[at->state]);
    if (m == NULL) {
        return "the operation failed";
    }
    const cw_bytes reference = e->payload->output[BENCH_BINARY][at->state];
    bool same = e->contender->matches(e->state, m, reference);
    if (e->op->release != NULL) {
        e->op->release(e->state, m);
    }
    return same ? NULL : "the message does not encode to the reference";
}

static const char *check_one(bench_entry *e, const cursor *at)
{
    return e->op->write != NULL ? check_write(e, at) : check_read(e, at);
}

/* The contender's own outputs become its references once they are proven to say the same. */
static const char *record_outputs(bench_entry *e)
{
    cursor at = {0, 0, 0};
    cw_bytes *own = bench_calloc(e->payload->n_states, sizeof *own);
    const char *wrong = NULL;
    unsigned n = 0;
    for (; n < e->payload->n_states && wrong == NULL; n++, advance(e, &at)) {
        bench_patch_apply(&e->patch[at.site], at.value);
        cw_bytes out = e->op->write(e->state, source_of(e, at.state));
        own[n] = bench_clone(out);
        if (out.data == NULL) {
            wrong = "the operation failed";
        } else if (e->payload->repeats > 0 && out.len > UINT16_MAX) {
            wrong = "the output is too long for a set";
        } else if (!(e->op->form == BENCH_OWN ? own_reads_back_equal(e, own[n], n)
                                              : text_reads_back_equal(e->payload, own[n], n))) {
            wrong = "the output does not read back as the reference";
        }
    }
    if (wrong != NULL) {
        while (n > 0) {
            bench_release(own[--n]);
        }
        free(own);
        return wrong;
    }
    free(e->output);
    e->output = own;
    e->owns_output = true;
    return NULL;
}

static void set_window(bench_entry *e)
{
    size_t shortest = SIZE_MAX;
    for (unsigned k = 0; e->output != NULL && k < e->payload->n_states; k++) {
        shortest = e->output[k].len < shortest ? e->output[k].len : shortest;
    }
    e->window = shortest > sizeof(uint64_t) ? shortest - sizeof(uint64_t) + 1 : 1;
}

static const char *verify_states(bench_entry *e)
{
    const char *wrong = NULL;
    cursor at = {0, 0, 0};
    bench_patch_reset(e->patch, e->n_patches);
    for (unsigned k = 0; k < e->payload->n_states && wrong == NULL; k++) {
        wrong = check_one(e, &at);
        advance(e, &at);
    }
    return wrong;
}

const char *bench_entry_verify(bench_entry *e)
{
    const char *wrong = verify_states(e);
    bool may_differ =
        e->op->form == BENCH_OWN || (e->op->form == BENCH_TEXT && e->contender->own_text);
    if (wrong != NULL && e->op->write != NULL && may_differ && !e->owns_output) {
        bench_patch_reset(e->patch, e->n_patches);
        wrong = record_outputs(e);
        wrong = wrong != NULL ? wrong : verify_states(e);
    }
    set_window(e);
    return wrong;
}

/* ---- timed -------------------------------------------------------------------------------------
 */

/* The running value that `count` writes must give. */
static uint64_t expect_writes(const bench_entry *e, uint64_t count, size_t offset)
{
    cursor at = {0, 0, 0};
    uint64_t running = 0;
    size_t step = OFFSET_STEP % e->window;
    for (uint64_t i = 0; i < count; i++) {
        cw_bytes out = e->output[at.state];
        running = bench_fold(running, bench_look_at(out, offset) ^ out.len);
        offset += step;
        offset -= offset >= e->window ? e->window : 0;
        advance(e, &at);
    }
    return running;
}

/* Sets *ns; the running value. The cursor is left behind the last iteration. */
static uint64_t run_writes(bench_entry *e, uint64_t count, size_t offset, cursor *cur, uint64_t *ns)
{
    cw_bytes (*write)(void *, const void *) = e->op->write;
    const void *source = e->source[0];
    void *state = e->state;
    cursor at = {0, 0, 0};
    uint64_t running = 0;
    size_t step = OFFSET_STEP % e->window;
    uint64_t begin = bench_cpu_ns();
    for (uint64_t i = 0; i < count; i++) {
        bench_patch_apply(&e->patch[at.site], at.value);
        cw_bytes out = write(state, source);
        running = bench_fold(running, bench_look_at(out, offset) ^ out.len);
        offset += step;
        offset -= offset >= e->window ? e->window : 0;
        advance(e, &at);
    }
    *ns = bench_cpu_ns() - begin;
    *cur = at;
    return running;
}

/* The running value that `count` reads must give. */
static uint64_t expect_reads(const bench_entry *e, uint64_t count, size_t probe)
{
    const bench_payload *p = e->payload;
    cursor at = {0, 0, 0};
    uint64_t running = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (p->n_sites > 0) {
            running = bench_fold(running, p->site_value[at.state][at.state % p->n_sites]);
        }
        if (p->n_probes > 0) {
            running = bench_fold(running, p->probe_value[at.state][probe]);
            probe = probe + 1 == p->n_probes ? 0 : probe + 1;
        }
        advance(e, &at);
    }
    return running;
}

/* Sets *ns; the running value. A failed read ends it early, and the value is then not the expected.
 */
static uint64_t run_reads(bench_entry *e, uint64_t count, size_t probe, cursor *cur, uint64_t *ns)
{
    const void *(*read)(void *, cw_bytes) = e->op->read;
    void (*release)(void *, const void *) = e->op->release;
    void *state = e->state;
    const unsigned n_sites = e->payload->n_sites;
    const size_t n_probes = e->payload->n_probes;
    cursor at = {0, 0, 0};
    uint64_t running = 0;
    uint64_t begin = bench_cpu_ns();
    for (uint64_t i = 0; i < count; i++) {
        bench_patch_apply(&e->patch[at.site], at.value);
        const void *m = read(state, e->input[at.state]);
        if (CW_UNLIKELY(m == NULL)) {
            break;
        }
        if (n_sites > 0) {
            running = bench_fold(running, bench_probe_load(&e->site_probe[at.site], m));
        }
        if (n_probes > 0) {
            running = bench_fold(running, bench_probe_load(&e->probe[probe], m));
            probe = probe + 1 == n_probes ? 0 : probe + 1;
        }
        if (release != NULL) {
            release(state, m);
        }
        advance(e, &at);
    }
    *ns = bench_cpu_ns() - begin;
    *cur = at;
    return running;
}

const char *bench_entry_run(bench_entry *e, uint64_t count, uint64_t start, uint64_t *ns)
{
    cursor at = {0, 0, 0};
    if (e->payload->repeats > 0) {
        const char *wrong = bench_set_run(e, count, start, ns, &at.state);
        return wrong != NULL ? wrong : check_one(e, &at);
    }
    bench_patch_reset(e->patch, e->n_patches);
    if (e->op->write != NULL) {
        size_t offset = start % e->window;
        if (run_writes(e, count, offset, &at, ns) != expect_writes(e, count, offset)) {
            return "the running value of the outputs is not that of the references";
        }
    } else {
        size_t probe = e->payload->n_probes ? start % e->payload->n_probes : 0;
        if (run_reads(e, count, probe, &at, ns) != expect_reads(e, count, probe)) {
            return "the running value of the messages is not that of the references";
        }
    }
    return check_one(e, &at);
}

const char *bench_entry_cycle(bench_entry *writer, bench_entry *reader, uint64_t count,
                              uint64_t *ns)
{
    const bench_payload *p = writer->payload;
    void (*release)(void *, const void *) = reader->op->release;
    cursor at = {0, 0, 0};
    uint64_t running = 0, expected = 0, done = 0;
    bench_patch_reset(writer->patch, writer->n_patches);
    uint64_t begin = bench_cpu_ns();
    for (; done < count; done++) {
        bench_patch_apply(&writer->patch[at.site], at.value);
        cw_bytes out = writer->op->write(writer->state, writer->source[0]);
        const void *m = out.data != NULL ? reader->op->read(reader->state, out) : NULL;
        if (CW_UNLIKELY(m == NULL)) {
            break;
        }
        if (p->n_sites > 0) {
            running = bench_fold(running, bench_probe_load(&reader->site_probe[at.site], m));
        }
        if (release != NULL) {
            release(reader->state, m);
        }
        advance(writer, &at);
    }
    *ns = bench_cpu_ns() - begin;
    at = (cursor){0, 0, 0};
    for (uint64_t i = 0; i < done && p->n_sites > 0; i++, advance(writer, &at)) {
        expected = bench_fold(expected, p->site_value[at.state][at.state % p->n_sites]);
    }
    return done < count          ? "the operation failed"
           : running != expected ? "the running value of the cycles is not that of the references"
                                 : NULL;
}

bench_allocs bench_entry_allocs(bench_entry *e, uint64_t *count)
{
    cursor at;
    uint64_t ns, pass = bench_entry_pass(e);
    unsigned next;
    *count = pass > 1 ? pass : e->payload->is_large ? 2 : 16;
    bench_patch_reset(e->patch, e->n_patches);
    bench_allocs_start();
    if (e->payload->repeats > 0) {
        bench_set_run(e, *count, 0, &ns, &next);
    } else if (e->op->write != NULL) {
        run_writes(e, *count, 0, &at, &ns);
    } else {
        run_reads(e, *count, 0, &at, &ns);
    }
    return bench_allocs_stop();
}
