/* SPDX-License-Identifier: MIT */
/*
 * C++ protobuf: the generated classes through their common base. It checks UTF-8 on both ways, as
 * proto3 asks. Its JSON has 64-bit integers in quotes, so that its texts are its own.
 */
#include <google/protobuf/arena.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/util/json_util.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench_cxx.h"

namespace
{

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

struct State {
    const Message *prototype;
    std::vector<std::unique_ptr<Message>> sources;
    std::vector<uint8_t> buffer;
    std::vector<char> block; /* the arena's first */
    std::unique_ptr<google::protobuf::Arena> arena;
    std::string text;
    google::protobuf::util::JsonPrintOptions print;
};

State *state_of(void *state)
{
    return static_cast<State *>(state);
}

const Message *find_prototype(const char *full_name)
{
    const auto *type =
        google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(full_name);
    return type == nullptr
               ? nullptr
               : google::protobuf::MessageFactory::generated_factory()->GetPrototype(type);
}

/* ---- where the fields are ----------------------------------------------------------------------
 *
 * The classes hide their layout, and the harness must reach fields without calling anything. So a
 * field's place is looked for: the word of an object that points to what reflection returns, and
 * the bytes that change when reflection sets a number.
 */

constexpr uintptr_t pointer_tag = 3; /* string pointers carry two flags */

size_t size_of(const Message &m)
{
    return find_prototype(m.GetDescriptor()->full_name().c_str())->SpaceUsedLong();
}

/* The offset of a word in the object that is the address, tag aside. */
std::optional<size_t> find_word(const void *object, size_t size, const void *address)
{
    for (size_t i = 0; i + sizeof(uintptr_t) <= size; i += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, static_cast<const char *>(object) + i, sizeof word);
        if ((word & ~pointer_tag) == reinterpret_cast<uintptr_t>(address)) {
            return i;
        }
    }
    return std::nullopt;
}

/* Sets a number, bool or enum to zero or to bits without a zero byte; its width. */
uint32_t set_number(Message *m, const FieldDescriptor *f, bool zero)
{
    const Reflection *r = m->GetReflection();
    const uint64_t wide = zero ? 0 : UINT64_C(0x4142434445464748);
    const uint32_t narrow = zero ? 0 : UINT32_C(0x41424344);
    double wide_float;
    float narrow_float;
    memcpy(&wide_float, &wide, sizeof wide);
    memcpy(&narrow_float, &narrow, sizeof narrow);
    switch (f->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64:
        r->SetInt64(m, f, static_cast<int64_t>(wide));
        return 8;
    case FieldDescriptor::CPPTYPE_UINT64:
        r->SetUInt64(m, f, wide);
        return 8;
    case FieldDescriptor::CPPTYPE_DOUBLE:
        r->SetDouble(m, f, wide_float);
        return 8;
    case FieldDescriptor::CPPTYPE_INT32:
        r->SetInt32(m, f, static_cast<int32_t>(narrow));
        return 4;
    case FieldDescriptor::CPPTYPE_UINT32:
        r->SetUInt32(m, f, narrow);
        return 4;
    case FieldDescriptor::CPPTYPE_FLOAT:
        r->SetFloat(m, f, narrow_float);
        return 4;
    case FieldDescriptor::CPPTYPE_ENUM:
        r->SetEnumValue(m, f, static_cast<int32_t>(narrow));
        return 4;
    case FieldDescriptor::CPPTYPE_BOOL:
        r->SetBool(m, f, !zero);
        return 1;
    default:
        return 0;
    }
}

/* The offset of a singular number in objects of the message's class. */
std::optional<size_t> find_number(const Message &like, const FieldDescriptor *f, uint32_t *width)
{
    const size_t size = size_of(like);
    std::unique_ptr<Message> m(like.New());
    std::vector<unsigned char> before(size);
    *width = set_number(m.get(), f, true);
    memcpy(before.data(), static_cast<const void *>(m.get()), size);
    set_number(m.get(), f, false);
    const auto *after = reinterpret_cast<const unsigned char *>(m.get());
    for (size_t i = 0; i < size; i++) {
        if (after[i] != before[i]) {
            return i;
        }
    }
    return std::nullopt;
}

/* The probe that is being put together: `offset` counts from the last pointer. */
struct Walk {
    bench_probe *out;
    size_t offset;

    void follow(size_t at)
    {
        out->offset[out->n++] = offset + at;
        offset = 0;
    }
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored                                                                     \
    "-Wdeprecated-declarations" /* GetRepeated*: nothing else has data() */

/* Elements that are pointed to: the list points to a block that begins with one word. */
template <typename T>
bool follow_pointers(Walk *w, const Message &m, const FieldDescriptor *f, uint32_t index)
{
    const auto &list = m.GetReflection()->GetRepeatedPtrField<T>(m, f);
    const auto at =
        find_word(&list, sizeof list, reinterpret_cast<const char *>(list.data()) - sizeof(void *));
    const auto base = reinterpret_cast<const char *>(&list) - reinterpret_cast<const char *>(&m);
    if (!at.has_value()) {
        return false;
    }
    w->follow(static_cast<size_t>(base) + *at);
    w->follow((1 + static_cast<size_t>(index)) * sizeof(void *));
    return true;
}

template <typename T>
bool follow_numbers(Walk *w, const Message &m, const FieldDescriptor *f, uint32_t index)
{
    const auto &list = m.GetReflection()->GetRepeatedField<T>(m, f);
    const auto at = find_word(&list, sizeof list, list.data());
    const auto base = reinterpret_cast<const char *>(&list) - reinterpret_cast<const char *>(&m);
    if (!at.has_value()) {
        return false;
    }
    w->follow(static_cast<size_t>(base) + *at);
    w->offset = index * sizeof(T);
    w->out->width = sizeof(T);
    return true;
}

#pragma GCC diagnostic pop

bool follow_list_of_numbers(Walk *w, const Message &m, const FieldDescriptor *f, uint32_t index)
{
    switch (f->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64:
        return follow_numbers<int64_t>(w, m, f, index);
    case FieldDescriptor::CPPTYPE_UINT64:
        return follow_numbers<uint64_t>(w, m, f, index);
    case FieldDescriptor::CPPTYPE_DOUBLE:
        return follow_numbers<double>(w, m, f, index);
    case FieldDescriptor::CPPTYPE_INT32:
        return follow_numbers<int32_t>(w, m, f, index);
    case FieldDescriptor::CPPTYPE_UINT32:
        return follow_numbers<uint32_t>(w, m, f, index);
    case FieldDescriptor::CPPTYPE_FLOAT:
        return follow_numbers<float>(w, m, f, index);
    case FieldDescriptor::CPPTYPE_ENUM:
        return follow_numbers<int>(w, m, f, index);
    case FieldDescriptor::CPPTYPE_BOOL:
        return follow_numbers<bool>(w, m, f, index);
    default:
        return false;
    }
}

bool follow_string(Walk *w, const Message &m, const FieldDescriptor *f, uint32_t index)
{
    std::string scratch;
    const Reflection *r = m.GetReflection();
    const bool repeated = f->is_repeated();
    const std::string &s =
        repeated ? r->GetRepeatedStringReference(m, f, static_cast<int>(index), &scratch)
                 : r->GetStringReference(m, f, &scratch);
    const auto contents = find_word(&s, sizeof s, s.data());
    if (!contents.has_value()) {
        return false;
    }
    if (repeated) {
        if (!follow_pointers<std::string>(w, m, f, index)) {
            return false;
        }
    } else {
        const auto at = find_word(&m, size_of(m), &s);
        if (!at.has_value()) {
            return false;
        }
        w->follow(*at);
    }
    w->follow(*contents);
    w->out->width = 1;
    return true;
}

/* One step; *m moves on to the submessage. */
bool follow_field(Walk *w, const Message **m, const FieldDescriptor *f, uint32_t index)
{
    const Reflection *r = (*m)->GetReflection();
    const Message &here = **m;
    switch (f->cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
        return follow_string(w, here, f, index);
    case FieldDescriptor::CPPTYPE_MESSAGE:
        if (f->is_repeated()) {
            *m = &r->GetRepeatedMessage(here, f, static_cast<int>(index));
            return follow_pointers<Message>(w, here, f, index);
        }
        *m = &r->GetMessage(here, f);
        if (const auto at = find_word(&here, size_of(here), *m)) {
            w->follow(*at);
            return true;
        }
        return false;
    default:
        if (f->is_repeated()) {
            return follow_list_of_numbers(w, here, f, index);
        }
        if (const auto at = find_number(here, f, &w->out->width)) {
            w->offset = *at;
            return true;
        }
        return false;
    }
}

bool probe(void *state, const bench_leaf *leaf, bench_probe *out)
{
    const Message *m = state_of(state)->sources[0].get();
    Walk w{out, 0};
    *out = bench_probe{};
    out->tag = pointer_tag;
    for (uint32_t i = 0; i < leaf->n_steps; i++) {
        const auto *f =
            m->GetDescriptor()->FindFieldByNumber(static_cast<int>(leaf->steps[i].number));
        if (f == nullptr || !follow_field(&w, &m, f, leaf->steps[i].index)) {
            return false;
        }
    }
    w.follow(leaf->byte); /* 0 but in strings */
    return out->width != 0;
}

/* ---- operations --------------------------------------------------------------------------------
 */

bool parse(Message *m, cw_bytes input)
{
    return m->ParseFromArray(input.data, static_cast<int>(input.len));
}

bool matches(void *, const void *message, cw_bytes binary)
{
    const std::string again = static_cast<const Message *>(message)->SerializeAsString();
    return cw_bytes_equal(cw_bytes_of(again.data(), again.size()), binary);
}

/* SerializeToArray asks for the size itself. */
cw_bytes encode(void *state, const void *message)
{
    State *s = state_of(state);
    const auto *m = static_cast<const Message *>(message);
    if (!m->SerializeToArray(s->buffer.data(), static_cast<int>(s->buffer.size()))) {
        return cw_bytes_of(nullptr, 0);
    }
    return cw_bytes_of(s->buffer.data(), static_cast<size_t>(m->GetCachedSize()));
}

const void *decode_heap(void *state, cw_bytes input)
{
    std::unique_ptr<Message> m(state_of(state)->prototype->New());
    return parse(m.get(), input) ? m.release() : nullptr;
}

void release_heap(void *, const void *message)
{
    delete static_cast<const Message *>(message);
}

const void *decode_arena(void *state, cw_bytes input)
{
    State *s = state_of(state);
    s->arena->Reset();
    Message *m = s->prototype->New(s->arena.get());
    return parse(m, input) ? m : nullptr;
}

cw_bytes json_print(void *state, const void *message)
{
    State *s = state_of(state);
    s->text.clear();
    if (!google::protobuf::util::MessageToJsonString(*static_cast<const Message *>(message),
                                                     &s->text, s->print)
             .ok()) {
        return cw_bytes_of(nullptr, 0);
    }
    return cw_bytes_of(s->text.data(), s->text.size());
}

const void *json_parse(void *state, cw_bytes input)
{
    std::unique_ptr<Message> m(state_of(state)->prototype->New());
    const google::protobuf::StringPiece text(reinterpret_cast<const char *>(input.data), input.len);
    return google::protobuf::util::JsonStringToMessage(text, m.get()).ok() ? m.release() : nullptr;
}

/* ---- the row ------------------------------------------------------------------------------------
 */

const char *version(char *out, size_t cap)
{
    constexpr int v = GOOGLE_PROTOBUF_VERSION;
    snprintf(out, cap, "C++ protobuf %d.%d.%d", v / 1000000, v / 1000 % 1000, v % 1000);
    return out;
}

bool has_maps(const google::protobuf::Descriptor *type, int depth)
{
    for (int i = 0; depth > 0 && i < type->field_count(); i++) {
        const FieldDescriptor *f = type->field(i);
        if (f->is_map() ||
            (f->message_type() != nullptr && has_maps(f->message_type(), depth - 1))) {
            return true;
        }
    }
    return false;
}

const char *refuses(const bench_payload *p)
{
    const Message *prototype = p->is_users ? nullptr : find_prototype(p->type->full_name);
    if (prototype == nullptr) {
        return "protoc made no code for this type";
    }
    return has_maps(prototype->GetDescriptor(), 5)
               ? "its maps are hash tables: their entries have no order and no place"
               : nullptr;
}

void *setup(const bench_payload *p)
{
    auto s = std::make_unique<State>();
    google::protobuf::ArenaOptions options;
    s->prototype = find_prototype(p->type->full_name);
    for (size_t i = 0; i < p->n_messages; i++) {
        s->sources.emplace_back(s->prototype->New());
        if (!parse(s->sources.back().get(), bench_payload_binary(p, i))) {
            bench_die("payload %s: C++ protobuf cannot parse it", p->name);
        }
    }
    s->buffer.resize(p->longest[BENCH_BINARY]);
    s->block.resize(65536 + 64 * p->longest[BENCH_BINARY]);
    options.initial_block = s->block.data();
    options.initial_block_size = s->block.size();
    s->arena = std::make_unique<google::protobuf::Arena>(options);
    s->print.preserve_proto_field_names = true;
    s->print.always_print_enums_as_ints = true;
    return s.release();
}

void teardown(void *state)
{
    delete state_of(state);
}

void *source(void *state, size_t index)
{
    return state_of(state)->sources[index].get();
}

constexpr bench_op ops[] = {
    {"encode", BENCH_BINARY, encode, nullptr, nullptr},
    {"decode_heap", BENCH_BINARY, nullptr, decode_heap, release_heap},
    {"decode_arena", BENCH_BINARY, nullptr, decode_arena, nullptr},
    {"json_print", BENCH_TEXT, json_print, nullptr, nullptr},
    {"json_parse", BENCH_TEXT, nullptr, json_parse, release_heap},
};

} // namespace

const bench_contender bench_protobuf_cxx = {
    .name = "protobuf-c++",
    .version = version,
    .refuses = refuses,
    .setup = setup,
    .teardown = teardown,
    .source = source,
    .probe = probe,
    .matches = matches,
    .own_text = true,
    .is_cxx = true,
    .is_lesson = false,
    .is_twin = false,
    .ops = ops,
    .n_ops = sizeof ops / sizeof ops[0],
};
