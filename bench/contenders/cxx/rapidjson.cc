/* SPDX-License-Identifier: MIT */
/*
 * rapidjson: its writer prints from cwire's structs, its SAX reader fills them. It reads doubles
 * exactly only when told to, which it is here; it does not check UTF-8 unless told to, which it is
 * not.
 */
#ifdef __SSE2__
#define RAPIDJSON_SSE2
#endif
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <memory>
#include <vector>

#include "bench_cxx.h"

#include "../json_build.h"

namespace
{

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

struct State {
    bench_cwire_state base; /* first: shared code takes it for the state */
    bench_json_table *table;
    bench_builder builder;
    std::vector<uint64_t> message; /* a struct of cwire's */
    rapidjson::StringBuffer buffer;
    rapidjson::Reader reader;
};

State *state_of(void *state)
{
    return static_cast<State *>(state);
}

rapidjson::SizeType size_of(size_t n)
{
    return static_cast<rapidjson::SizeType>(n);
}

/* ---- printing ----------------------------------------------------------------------------------
 */

bool print_message(Writer &w, cw_arena *a, const bench_json_type *t, const void *m);

bool print_value(Writer &w, cw_arena *a, const bench_json_field *f, const void *at)
{
    const cw_kind kind = f->field->kind;
    switch (kind) {
    case CW_KIND_MESSAGE:
    case CW_KIND_GROUP:
        return print_message(w, a, f->sub, at);
    case CW_KIND_STRING: {
        const cw_str text = bench_load_str(at);
        return w.String(text.len > 0 ? text.data : "", size_of(text.len));
    }
    case CW_KIND_BYTES: {
        size_t len;
        const char *text = bench_base64(a, bench_load_bytes(at), &len);
        return text != nullptr && w.String(text, size_of(len));
    }
    case CW_KIND_BOOL:
        return w.Bool(*static_cast<const uint8_t *>(at) != 0);
    case CW_KIND_DOUBLE:
        return w.Double(bench_load_double(at));
    case CW_KIND_FLOAT:
        return w.Double(static_cast<double>(bench_load_float(at)));
    default: {
        const uint64_t v = bench_load_integer(at, kind);
        return bench_is_signed(kind) ? w.Int64(static_cast<int64_t>(v)) : w.Uint64(v);
    }
    }
}

bool print_list(Writer &w, cw_arena *a, const bench_json_field *f, const void *at)
{
    const cw_list_view list = cw_list_load(at);
    const char *element = static_cast<const char *>(list.data);
    bool ok = w.StartArray();
    for (size_t i = 0; i < list.len && ok; i++, element += f->field->element_size) {
        ok = print_value(w, a, f, element);
    }
    return ok && w.EndArray();
}

bool print_key(Writer &w, const cw_field *key, const void *at)
{
    if (key->kind == CW_KIND_STRING) {
        const cw_str text = bench_load_str(at);
        return w.Key(text.len > 0 ? text.data : "", size_of(text.len));
    }
    char digits[32], *end = digits + sizeof digits;
    const char *begin = bench_integer_text(end, at, key->kind);
    return w.Key(begin, static_cast<rapidjson::SizeType>(end - begin));
}

bool print_map(Writer &w, cw_arena *a, const bench_json_field *f, const void *at)
{
    const cw_list_view list = cw_list_load(at);
    const bench_json_field *key = &f->sub->fields[0], *value = &f->sub->fields[1];
    const char *entry = static_cast<const char *>(list.data);
    bool ok = w.StartObject();
    for (size_t i = 0; i < list.len && ok; i++, entry += f->field->element_size) {
        ok = print_key(w, key->field, entry + key->field->offset) &&
             print_value(w, a, value, entry + value->field->offset);
    }
    return ok && w.EndObject();
}

bool print_field(Writer &w, cw_arena *a, const bench_json_type *t, const bench_json_field *f,
                 const void *m)
{
    const char *at = static_cast<const char *>(m) + f->field->offset;
    if (!w.Key(f->name, size_of(f->name_len))) {
        return false;
    }
    if (f->field->shape == CW_SHAPE_MAP) {
        return print_map(w, a, f, at);
    }
    if (f->field->shape == CW_SHAPE_REPEATED) {
        return print_list(w, a, f, at);
    }
    const bool nested = bench_is_message_kind(f->field->kind);
    return print_value(w, a, f, nested ? bench_submessage(t->type, f->field, m) : at);
}

bool print_message(Writer &w, cw_arena *a, const bench_json_type *t, const void *m)
{
    bool ok = w.StartObject();
    for (uint32_t i = 0; i < t->n_fields && ok; i++) {
        if (bench_is_present(t->type, i, m)) {
            ok = print_field(w, a, t, &t->fields[i], m);
        }
    }
    return ok && w.EndObject();
}

cw_bytes json_print(void *state, const void *message)
{
    State *s = state_of(state);
    cw_arena_reset(&s->base.arena); /* base64 */
    s->buffer.Clear();
    Writer writer(s->buffer);
    if (!print_message(writer, &s->base.arena, bench_json_table_root(s->table), message)) {
        return cw_bytes_of(nullptr, 0);
    }
    return cw_bytes_of(s->buffer.GetString(), s->buffer.GetSize());
}

/* ---- parsing -----------------------------------------------------------------------------------
 */

struct Handler {
    bench_builder *b;

    bool store(uint64_t wide, double number)
    {
        const bench_json_field *f;
        char *slot = bench_build_slot(b, &f);
        if (slot == nullptr) {
            return false;
        }
        const cw_kind kind = f->field->kind;
        const float narrow_number = static_cast<float>(number);
        const uint32_t narrow = static_cast<uint32_t>(wide);
        if (kind == CW_KIND_DOUBLE) {
            memcpy(slot, &number, sizeof number);
        } else if (kind == CW_KIND_FLOAT) {
            memcpy(slot, &narrow_number, sizeof narrow_number);
        } else if (bench_kind_size(kind) == 4) {
            memcpy(slot, &narrow, sizeof narrow);
        } else if (bench_kind_size(kind) == 8) {
            memcpy(slot, &wide, sizeof wide);
        } else {
            return false;
        }
        return true;
    }

    bool Null()
    {
        return false;
    }
    bool Bool(bool v)
    {
        return bench_build_bool(b, v);
    }
    bool Int(int v)
    {
        return store(static_cast<uint64_t>(v), v);
    }
    bool Uint(unsigned v)
    {
        return store(v, v);
    }
    bool Int64(int64_t v)
    {
        return store(static_cast<uint64_t>(v), static_cast<double>(v));
    }
    bool Uint64(uint64_t v)
    {
        return store(v, static_cast<double>(v));
    }
    bool Double(double v)
    {
        return store(0, v);
    }
    bool RawNumber(const char *, rapidjson::SizeType, bool)
    {
        return false;
    }
    bool String(const char *text, rapidjson::SizeType len, bool)
    {
        return bench_build_string(b, text, len);
    }
    bool StartObject()
    {
        return bench_build_object(b);
    }
    bool Key(const char *text, rapidjson::SizeType len, bool)
    {
        return bench_build_key(b, text, len);
    }
    bool EndObject(rapidjson::SizeType)
    {
        return bench_build_end(b);
    }
    bool StartArray()
    {
        return bench_build_array(b);
    }
    bool EndArray(rapidjson::SizeType)
    {
        return bench_build_end(b);
    }
};

/* Inputs are followed by zero bytes (mem.h), so the stream that ends at one can be used. */
const void *json_parse(void *state, cw_bytes input)
{
    State *s = state_of(state);
    Handler handler{&s->builder};
    rapidjson::StringStream stream(reinterpret_cast<const char *>(input.data));
    cw_arena_reset(&s->base.arena);
    bench_build_begin(&s->builder);
    const bool ok = !s->reader.Parse<rapidjson::kParseFullPrecisionFlag>(stream, handler).IsError();
    return ok && s->builder.complete && stream.Tell() == input.len ? s->message.data() : nullptr;
}

/* ---- the row ------------------------------------------------------------------------------------
 */

const char *version(char *out, size_t cap)
{
    snprintf(out, cap, "rapidjson %s", RAPIDJSON_VERSION_STRING);
    return out;
}

const char *refuses(const bench_payload *p)
{
    return p->has_well_known ? "well-known types have a JSON form of their own" : nullptr;
}

void *setup(const bench_payload *p)
{
    auto s = std::make_unique<State>();
    bench_cwire_state_init(&s->base, p);
    s->table = bench_json_table_make(p->type);
    s->message.resize(p->type->struct_size / sizeof(uint64_t) + 1);
    s->builder.arena = &s->base.arena;
    s->builder.root = bench_json_table_root(s->table);
    s->builder.message = s->message.data();
    return s.release();
}

void teardown(void *state)
{
    State *s = state_of(state);
    bench_json_table_free(s->table);
    bench_cwire_state_free(&s->base);
    delete s;
}

constexpr bench_op ops[] = {
    {"json_print", BENCH_TEXT, json_print, nullptr, nullptr},
    {"json_parse", BENCH_TEXT, nullptr, json_parse, nullptr},
};

} // namespace

const bench_contender bench_rapidjson = {
    .name = "rapidjson",
    .version = version,
    .refuses = refuses,
    .setup = setup,
    .teardown = teardown,
    .source = bench_cwire_source,
    .probe = bench_cwire_probe,
    .matches = bench_cwire_matches,
    .own_text = true,
    .is_cxx = true,
    .is_lesson = false,
    .is_twin = false,
    .ops = ops,
    .n_ops = sizeof ops / sizeof ops[0],
};
