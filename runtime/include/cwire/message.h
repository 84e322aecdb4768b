/* SPDX-License-Identifier: MIT */
/*
 * message.h: what generated .cw.c files need besides wire.h: groups, copies of lists, failures of a
 * check. Not for users.
 */
#ifndef CWIRE_MESSAGE_H
#define CWIRE_MESSAGE_H

#include "cwire/arena.h"
#include "cwire/map.h"
#include "cwire/status.h"
#include "cwire/wire.h"

CW_BEGIN_DECLS

/* What T__size answers for a message that is nested too deeply: more than any message may have, and
 * few enough that sums do not wrap. */
#define CW__SIZE_TOO_DEEP ((uint64_t)1 << 40)

/*
 * Groups. A message's decoder does not know whether it reads a group: who meets the start tag opens
 * the group here, calls the decoder with the end of the enclosing message, and closes it. The
 * decoder asks cw__group_ends only for tags that it does not know, so that messages outside of
 * groups pay nothing. A group is known by its message's address: the messages that are open at one
 * time have different ones.
 */
typedef struct cw__group {
    const void *group;
    uint32_t number;
} cw__group;

/* Opens group `number` for message m; returns what was open, for cw__group_close. */
static inline cw__group cw__group_open(cw__decoder *d, const void *m, uint32_t number)
{
    cw__group outer = {d->group, d->group_number};
    d->group = m;
    d->group_number = number;
    return outer;
}

/* Is `tag` the end of the group that m is decoded as? The group is then marked as ended. */
static inline bool cw__group_ends(cw__decoder *d, const void *m, uint32_t tag)
{
    if ((tag & 7) != 4 || d->group != m || d->group_number != tag >> 3) {
        return false;
    }
    d->group = NULL;
    return true;
}

/*
 * Closes the group of m that was opened when p (NULL: its decoder failed) was reached. Fails when
 * the enclosing message, which ends at `end`, was over before the group's end tag.
 */
CW_API const uint8_t *cw__group_close(cw__decoder *d, cw__group outer, const void *m,
                                      const uint8_t *p, const uint8_t *end);

/*
 * Behind a case of a decoder: true when nothing failed and the tag `next` stands at *p. It is then
 * read as the loop would: *start is where it begins, *tag its value, *p behind it. Writers go by
 * number, so that the next case is the likely next one.
 */
CW_ALWAYS_INLINE bool cw__field_follows(const uint8_t **p, const uint8_t *end, uint32_t next,
                                        const uint8_t **start, uint32_t *tag)
{
    const uint8_t *at = *p;
    if (CW_UNLIKELY(at == NULL) || !cw__next_is(p, end, next)) {
        return false;
    }
    *start = at;
    *tag = next;
    return true;
}

/* A copy of len elements of `elem` bytes in the arena; *data is set to NULL for none. False: no
 * memory. */
CW_API bool cw__copy_array(cw_arena *a, const void *from, size_t len, size_t elem, void **data);
/* A deep copy of unknown fields; u may be NULL. False: no memory. */
CW_API bool cw__copy_unknown(cw_arena *a, const cw_unknown *u, cw_unknown **out);
/* The same bytes? NULL is as good as empty. */
CW_API bool cw__equal_unknown(const cw_unknown *a, const cw_unknown *b);
/* The same bytes? For lists of scalars; floats are compared by their bits. */
CW_API bool cw__equal_array(const void *a, size_t a_len, const void *b, size_t b_len, size_t elem);

/* A check failed at the member `name` ([index], SIZE_MAX: none): begins the error; returns false.
 */
CW_API CW_COLD bool cw__check_fail(cw_error *e, cw_status st, const char *name, size_t index);
/* A check failed inside of the member: puts it in front of the path; returns false. */
CW_API CW_COLD bool cw__check_fail_at(cw_error *e, const char *name, size_t index);
/* A message is nested too deeply: begins the error; returns false. */
CW_API CW_COLD bool cw__check_too_deep(cw_error *e);
/* Ends T_check: the answer, with the path rooted. `size` is what the message encodes to. */
CW_API cw_status cw__check_end(cw_error *e, bool ok, uint64_t size, const char *full_name);

CW_END_DECLS
#endif
