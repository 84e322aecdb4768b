/* SPDX-License-Identifier: MIT */
/*
 * simdjson: cwire's structs are filled from its DOM, whose parser is chosen for the CPU at run
 * time. (Its on-demand front end is compiled here, for the same portable target as everything else,
 * and took 116 us for the 200 orders where this takes less.) It checks UTF-8.
 */
#include <simdjson.h>

#include <memory>
#include <string_view>
#include <vector>

#include "bench_cxx.h"

namespace
{

namespace dom = simdjson::dom;

/* bench_clone leaves that many bytes behind every input. */
static_assert(BENCH_SPARE >= simdjson::SIMDJSON_PADDING, "simdjson reads beyond the input");

struct State {
    bench_cwire_state base; /* first: shared code takes it for the state */
    bench_json_table *table;
    std::vector<uint64_t> message; /* a struct of cwire's */
    dom::parser parser;
};

State *state_of(void *state)
{
    return static_cast<State *>(state);
}

bool read_message(cw_arena *a, const bench_json_type *t, void *m, const dom::object &object);

template <typename T> bool get(const dom::element &value, T *out)
{
    return value.get(*out) == simdjson::SUCCESS;
}

bool read_integer(void *at, cw_kind kind, const dom::element &value)
{
    uint64_t wide = 0;
    int64_t negative = 0;
    if (bench_is_signed(kind)) {
        if (!get(value, &negative)) {
            return false;
        }
        wide = static_cast<uint64_t>(negative);
    } else if (!get(value, &wide)) {
        return false;
    }
    const uint32_t narrow = static_cast<uint32_t>(wide);
    if (bench_kind_size(kind) == 4) {
        memcpy(at, &narrow, sizeof narrow);
    } else {
        memcpy(at, &wide, sizeof wide);
    }
    return true;
}

bool read_value(cw_arena *a, const bench_json_field *f, void *at, const dom::element &value)
{
    const cw_kind kind = f->field->kind;
    std::string_view text;
    dom::object object;
    cw_str copy;
    cw_bytes bytes;
    double number = 0;
    float narrow;
    bool yes = false;
    switch (kind) {
    case CW_KIND_MESSAGE:
    case CW_KIND_GROUP:
        bench_init_message(f->sub->type, at);
        return get(value, &object) && read_message(a, f->sub, at, object);
    case CW_KIND_STRING:
        if (!get(value, &text) || !cw_arena_str(a, cw_str_of(text.data(), text.size()), &copy)) {
            return false;
        }
        memcpy(at, &copy, sizeof copy);
        return true;
    case CW_KIND_BYTES:
        if (!get(value, &text) || !bench_unbase64(a, text.data(), text.size(), &bytes)) {
            return false;
        }
        memcpy(at, &bytes, sizeof bytes);
        return true;
    case CW_KIND_BOOL:
        if (!get(value, &yes)) {
            return false;
        }
        memcpy(at, &yes, sizeof yes);
        return true;
    case CW_KIND_DOUBLE:
    case CW_KIND_FLOAT:
        if (!get(value, &number)) {
            return false;
        }
        narrow = static_cast<float>(number);
        memcpy(at, kind == CW_KIND_FLOAT ? static_cast<void *>(&narrow) : &number,
               bench_kind_size(kind));
        return true;
    default:
        return read_integer(at, kind, value);
    }
}

bool read_list(cw_arena *a, const bench_json_field *f, void *at, const dom::element &value)
{
    cw_list_view list = {nullptr, 0, 0};
    dom::array array;
    if (!get(value, &array)) {
        return false;
    }
    for (const dom::element element : array) {
        void *to = bench_list_add(a, &list, f->field->element_size);
        if (to == nullptr || !read_value(a, f, to, element)) {
            return false;
        }
    }
    cw_list_store(at, list);
    return true;
}

/* Keys come sorted, because cwire's maps are: nothing is sorted here, to simdjson's advantage. */
bool read_map(cw_arena *a, const bench_json_field *f, void *at, const dom::element &value)
{
    const bench_json_field *key = &f->sub->fields[0], *mapped = &f->sub->fields[1];
    cw_list_view list = {nullptr, 0, 0};
    dom::object object;
    if (!get(value, &object)) {
        return false;
    }
    for (const auto [name, element] : object) {
        char *entry = static_cast<char *>(bench_list_add(a, &list, f->field->element_size));
        if (entry == nullptr) {
            return false;
        }
        memset(entry, 0, f->field->element_size);
        if (!bench_store_key(entry + key->field->offset, key->field->kind, name.data(), name.size(),
                             a) ||
            !read_value(a, mapped, entry + mapped->field->offset, element)) {
            return false;
        }
    }
    cw_list_store(at, list);
    return true;
}

bool read_field(cw_arena *a, const bench_json_type *t, const bench_json_field *f, void *m,
                const dom::element &value)
{
    char *at = static_cast<char *>(m) + f->field->offset;
    if (f->field->shape == CW_SHAPE_MAP) {
        return read_map(a, f, at, value);
    }
    if (f->field->shape == CW_SHAPE_REPEATED) {
        return read_list(a, f, at, value);
    }
    bench_mark_present(t, f, m);
    if (bench_is_message_kind(f->field->kind)) {
        char *sub = static_cast<char *>(cw_arena_alloc(a, f->field->element_size));
        if (sub == nullptr) {
            return false;
        }
        memcpy(at, &sub, sizeof sub);
        at = sub;
    }
    return read_value(a, f, at, value);
}

bool read_message(cw_arena *a, const bench_json_type *t, void *m, const dom::object &object)
{
    uint32_t expected = 0;
    for (const auto [key, value] : object) {
        const bench_json_field *f = bench_json_find(t, key.data(), key.size(), &expected);
        if (f == nullptr || !read_field(a, t, f, m, value)) {
            return false;
        }
    }
    return true;
}

const void *json_parse(void *state, cw_bytes input)
{
    State *s = state_of(state);
    const bench_json_type *root = bench_json_table_root(s->table);
    dom::element document;
    dom::object object;
    cw_arena_reset(&s->base.arena);
    bench_init_message(root->type, s->message.data());
    /* false: the bytes behind the input are there, nothing is copied */
    if (s->parser.parse(input.data, input.len, false).get(document) ||
        document.get(object) != simdjson::SUCCESS ||
        !read_message(&s->base.arena, root, s->message.data(), object)) {
        return nullptr;
    }
    return s->message.data();
}

/* ---- the row ------------------------------------------------------------------------------------
 */

const char *version(char *out, size_t cap)
{
    snprintf(out, cap, "simdjson %d.%d.%d (%s)", simdjson::SIMDJSON_VERSION_MAJOR,
             simdjson::SIMDJSON_VERSION_MINOR, simdjson::SIMDJSON_VERSION_REVISION,
             simdjson::get_active_implementation()->name().c_str());
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
    {"json_parse", BENCH_TEXT, nullptr, json_parse, nullptr},
};

} // namespace

const bench_contender bench_simdjson = {
    .name = "simdjson",
    .version = version,
    .refuses = refuses,
    .setup = setup,
    .teardown = teardown,
    .source = nullptr,
    .probe = bench_cwire_probe,
    .matches = bench_cwire_matches,
    .own_text = false,
    .is_cxx = true,
    .is_lesson = false,
    .is_twin = false,
    .ops = ops,
    .n_ops = sizeof ops / sizeof ops[0],
};
