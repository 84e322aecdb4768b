/* SPDX-License-Identifier: MIT */
/*
 * make_extension_seeds.c: writes the seeds of fuzz_extension: `make_extension_seeds FOLDER`.
 * Records of random extensions, and cases by hand. The same files every time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extension_family.h"
#include "random_message.h"
#include "support.h"

typedef struct hand_case {
    const char *name;
    unsigned flags;
    const char *hex;
} hand_case;

static const hand_case cases[] = {
    {"empty", 0, ""},
    {"tags_overlong", 0, "c8 87 00 01 d2 87 80 00 81 00 78"},
    {"packed_and_not", 0, "b0 08 01 b2 08 02 02 03 b2 08 00 b8 09 01 ba 09 01 02"},
    {"closed_enum", 0, "98 07 07 98 07 01 88 09 07 8a 09 03 07 02 08"},
    {"group", 0, "bb 07 08 02 bc 07 a3 09 12 02 08 01 a4 09 bb 07 12 01 78 bc 07"},
    {"group_wrong_inside", 0, "bb 07 1b 24 bc 07"},
    {"group_open", 0, "bb 07 08 02"},
    {"merged", EXTENSION_ALIAS, "b2 07 05 0a 01 74 10 01 b2 07 06 10 02 22 02 0a 00"},
    {"required_apart", 0, "c2 07 02 10 01 c2 07 02 08 01"},
    {"required_missing", EXTENSION_PARTIAL, "c2 07 02 10 01 aa 09 02 08 01 aa 09 00"},
    {"far", 0, "f8 ff ff ff 0f 03 08 01 12 03 c8 07 01"},
    {"malformed_behind", 0, "c8 07 01 00 c8 07 02"},
    {"item", EXTENSION_SET, "0b 10 05 1a 02 08 05 0c 0b 1a 02 08 01 10 06 0c"},
    {"item_largest", EXTENSION_SET, "0b 10 fe ff ff ff 07 1a 00 0c"},
    {"item_twice", EXTENSION_SET, "0b 10 05 1a 02 08 05 1a 02 08 06 10 06 0c 2a 02 08 07"},
    {"item_junk", EXTENSION_SET, "0b 20 01 10 eb 07 2b 10 09 2c 1a 02 08 01 0c"},
    {"item_without_id", EXTENSION_SET, "0b 1a 02 08 05 0c 0b 10 05 0c"},
    {"item_broken", EXTENSION_SET, "0b 10 05 1a 05 08 05 0c"},
};

static void write_seed(const char *folder, const char *name, const uint8_t *head, cw_bytes bytes)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/seed_%s", folder, name);
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(head, 1, EXTENSION_HEADER, out) != EXTENSION_HEADER ||
        fwrite(bytes.data, 1, bytes.len, out) != bytes.len || fclose(out) != 0) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(1);
    }
}

static void write_case(const char *folder, const hand_case *c, size_t index)
{
    uint8_t bytes[128];
    size_t n = 0;
    for (const char *p = c->hex; *p && n < sizeof bytes; p += p[2] ? 3 : 2) {
        char pair[3] = {p[0], p[1], 0};
        bytes[n++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    const uint8_t head[EXTENSION_HEADER] = {(uint8_t)c->flags, (uint8_t)(index * 5),
                                            (uint8_t)index};
    write_seed(folder, c->name, head, cw_bytes_of(bytes, n));
}

/* Every few extensions together, so that each is in some seed. */
static void write_random(const char *folder, bool message_set)
{
    enum { TOGETHER = 8 };
    extension_family f = extension_family_of(message_set);
    cw_arena a;
    cw_arena_init(&a, NULL);
    for (size_t from = 0; from < f.n; from += TOGETHER) {
        cw_unknown *u = NULL;
        for (size_t i = from; i < f.n && i < from + TOGETHER; i++) {
            cw__ext x;
            cw__ext_message type;
            cw__ext_of(f.rows[i], &x, &type);
            cw_field field = *f.rows[i]->field;
            field.element_size = x.element_size;
            test_random r = {.state = i + 1, .most = 2};
            void *value = cw_arena_alloc(&a, sizeof(cw_list_view) + x.element_size);
            FUZZ_CHECK(value);
            test_random_value(&field, value, &a, &r, 2);
            FUZZ_CHECK(cw__ext_add(&u, &x, &a, value, NULL) == CW_OK);
        }
        char name[40];
        snprintf(name, sizeof name, "%s_%zu", message_set ? "set" : "host", from);
        const uint8_t head[EXTENSION_HEADER] = {message_set ? EXTENSION_SET : 0,
                                                (uint8_t)(from + 3), (uint8_t)from};
        write_seed(folder, name, head, u ? cw_bytes_of(u->data, u->len) : cw_bytes_of("", 0));
    }
    cw_arena_free(&a);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: make_extension_seeds FOLDER\n");
        return 1;
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_case(argv[1], &cases[i], i);
    }
    write_random(argv[1], false);
    write_random(argv[1], true);
    return 0;
}
