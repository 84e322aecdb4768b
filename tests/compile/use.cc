/* SPDX-License-Identifier: MIT */
/* A C++ user: sets every kind of field through the generated header, links the C objects, and
 * gets back what was written. Exit code 0, or the line of the first check that failed. */
#include "use.cw.h"

#include <cstring>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            return __LINE__;                                                                       \
        }                                                                                          \
    } while (0)

static int fill(use_All *m, cw_arena *arena)
{
    static const unsigned char blob[] = {0, 1, 255};
    m->ratio = 0.5;
    m->weight = 1.25f;
    m->flag = true;
    m->big = -7;
    m->blob = cw_bytes_of(blob, sizeof blob);
    use_All_set_note(m, CW_STR("n"));
    m->colour = use_COLOUR_MINUS;
    m->mode = use_All_ON;
    use_Part *part = use_All_mut_part(m, arena);
    CHECK(part != nullptr);
    part->name = CW_STR("bolt");
    part->weight = 2.5f;
    use_Part *element = use_All_add_parts(m, arena);
    CHECK(element != nullptr);
    element->name = cw_str_from("nut");
    use_All_set_tint(m, use_COLOUR_RED);
    CHECK(m->choice_case == 15 && m->choice.tint == use_COLOUR_RED);
    use_Part *piece = use_All_mut_piece(m, arena);
    CHECK(piece != nullptr && m->choice_case == 14);
    use_All_set_text(m, CW_STR("t"));
    CHECK(m->choice_case == 13 && cw_str_equal(m->choice.text, CW_STR("t")));
    return 0;
}

static int round_trip(cw_arena *arena)
{
    use_All in;
    use_All out;
    use_All_init(&in);
    int line = fill(&in, arena);
    CHECK(line == 0);

    unsigned char buf[256];
    size_t len = 0;
    CHECK(use_All_encode(&in, buf, sizeof buf, &len, nullptr) == CW_OK);
    CHECK(len == use_All_size(&in));
    CHECK(use_All_decode(&out, buf, len, arena, nullptr, nullptr) == CW_OK);
    CHECK(use_All_equal(&in, &out));
    CHECK(out.colour == use_COLOUR_MINUS && out.mode == use_All_ON && out.has.note);
    CHECK(out.part != nullptr && cw_str_equal(out.part->name, CW_STR("bolt")));
    CHECK(out.parts.len == 1 && cw_str_equal(out.parts.data[0].name, CW_STR("nut")));

    cw_str json;
    use_All again;
    CHECK(use_All_to_json(&out, arena, nullptr, &json, nullptr) == CW_OK);
    CHECK(std::strstr(json.data, "\"colour\":\"COLOUR_MINUS\"") != nullptr);
    CHECK(use_All_from_json(&again, json.data, json.len, arena, nullptr, nullptr) == CW_OK);
    CHECK(use_All_equal(&in, &again));
    return 0;
}

int main()
{
    cw_arena arena;
    cw_arena_init(&arena, nullptr);
    int line = round_trip(&arena);
    cw_arena_free(&arena);
    return line > 255 ? 255 : line;
}
