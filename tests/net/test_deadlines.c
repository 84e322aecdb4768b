/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "deadlines.h"

enum { N = 300 };

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void is_heap(const cw__deadlines *h)
{
    for (size_t i = 0; i < h->len; i++) {
        assert_int_equal(h->heap[i]->place, i + 1);
        if (i > 0) {
            assert_true(h->heap[(i - 1) / 2]->due_ms <= h->heap[i]->due_ms);
        }
    }
}

/* Any order of setting, moving and removing; what is left comes out in the order of time. */
static void the_earliest_is_first(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        cw__deadlines h = {.heap = NULL};
        cw__deadline all[N] = {{.place = 0}};
        uint32_t random = seed;
        size_t set = 0;
        assert_null(cw__deadlines_first(&h));
        for (int i = 0; i < 4 * N; i++) {
            cw__deadline *d = &all[next_random(&random) % N];
            bool was = d->place != 0;
            if (next_random(&random) % 4 == 0) {
                cw__deadlines_remove(&h, d);
                set -= was ? 1 : 0;
                assert_int_equal(d->place, 0);
            } else {
                assert_true(
                    cw__deadlines_set(&h, d, next_random(&random) % (seed % 2 ? 10 : 5000)));
                set += was ? 0 : 1;
            }
            assert_int_equal(h.len, set);
            is_heap(&h);
        }
        uint64_t last = 0;
        for (cw__deadline *d; (d = cw__deadlines_first(&h)) != NULL; set--) {
            for (size_t i = 0; i < N; i++) {
                assert_true(all[i].place == 0 || all[i].due_ms >= d->due_ms);
            }
            assert_true(d->due_ms >= last);
            last = d->due_ms;
            cw__deadlines_remove(&h, d);
        }
        assert_int_equal(set, 0);
        cw__deadlines_free(&h);
    }
}

static void the_same_time_is_no_trouble(void **state)
{
    (void)state;
    cw__deadlines h = {.heap = NULL};
    cw__deadline all[N] = {{.place = 0}};
    for (size_t i = 0; i < N; i++) {
        assert_true(cw__deadlines_set(&h, &all[i], UINT64_MAX));
    }
    assert_int_equal(h.len, N);
    assert_true(cw__deadlines_set(&h, &all[N - 1], 0));
    assert_ptr_equal(cw__deadlines_first(&h), &all[N - 1]);
    for (size_t i = 0; i < N; i++) {
        cw__deadlines_remove(&h, &all[i]);
        cw__deadlines_remove(&h, &all[i]);
        is_heap(&h);
    }
    assert_null(cw__deadlines_first(&h));
    cw__deadlines_free(&h);
    assert_int_equal(h.cap, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_earliest_is_first),
        cmocka_unit_test(the_same_time_is_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
