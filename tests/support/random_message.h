/* SPDX-License-Identifier: MIT */
/* random_message.h: any message filled with random values, by its type table. */
#ifndef CWIRE_TESTS_RANDOM_MESSAGE_H
#define CWIRE_TESTS_RANDOM_MESSAGE_H

#include "cwire/cwire.h"

/* A generator of numbers: the same seed gives the same message on every machine. */
typedef struct test_random {
    uint64_t state;
    unsigned most;  /* most elements of a list or map; 0: 3 */
    unsigned empty; /* of 8 members so many are left out; 0: 3 */
} test_random;

/* The next number of the sequence, below n (n > 0). */
uint64_t test_random_below(test_random *r, uint64_t n);

/*
 * Initialises m, a message of type t, and fills it from the arena; at most `depth` messages are
 * open below it. Strings are valid UTF-8, map entries sorted and unique, closed enums known, no
 * float is a NaN, required fields are set (messages only while depth lasts), so that the message
 * survives every format. Fails the test when there is no memory.
 */
void test_random_fill(const cw_type *t, void *m, cw_arena *a, test_random *r, int depth);

/* The value of one field at `to`: an element (a message itself, no pointer to it), or a list of
 * such. element_size must be set. */
void test_random_value(const cw_field *f, void *to, cw_arena *a, test_random *r, int depth);

#endif
