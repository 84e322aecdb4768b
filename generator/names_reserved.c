/* SPDX-License-Identifier: MIT */
/* names_reserved.c: rule 3 of names.h. */
#include <string.h>

#include "names.h"

typedef struct reserved {
    const char *name;
    bool in_members;
} reserved;

/* The words are only ever stringified: some of them are macros where this is compiled. */
#define KEYWORD(word) {#word, true},
#define TYPE(word)    {#word, true},
#define MACRO(word)   {#word, true},
#define CALL(word)    {#word, false},
#define LIBC(word)    {#word, false},
#define LOCAL(word)   {#word, false},
static const reserved list[] = {
#include "names_reserved.inc"
};

cwg_strmap cwg_reserved_words(cwg_arena *a)
{
    cwg_strmap words = {0};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const char *where = list[i].in_members ? "all" : "file";
        cwg_map_put(a, &words, list[i].name, cwg_dup(a, where));
    }
    return words;
}

bool cwg_is_reserved(const cwg_strmap *words, const char *name, cwg_scope scope)
{
    const char *where = cwg_map_get(words, name);
    return where && (scope == CWG_SCOPE_FILE || strcmp(where, "all") == 0);
}

bool cwg_is_reserved_pattern(const char *name, cwg_scope scope)
{
    bool upper = name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z';
    if (scope == CWG_SCOPE_MEMBER)
        return upper || strncmp(name, "__", 2) == 0;
    bool ours = strncmp(name, "cw_", 3) == 0 || strncmp(name, "CW_", 3) == 0 ||
                strcmp(name, "cw") == 0 || strcmp(name, "CW") == 0;
    return ours || upper || strstr(name, "__") != NULL;
}
