/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mem.h"

enum { LINE = 64 };

static void blocks_begin_with_a_line(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 16, 63, 64, 65, 113, 4096, 100001};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t n = sizes[i];
        uint8_t *block = bench_calloc(n, 1), *other = bench_calloc(1, n);
        assert_int_equal((uintptr_t)block % LINE, 0);
        assert_int_equal((uintptr_t)other % LINE, 0);
        for (size_t k = 0; k < n; k++) {
            assert_int_equal(block[k] | other[k], 0);
        }
        memset(block, 0x5a, n);
        cw_bytes copy = bench_clone(cw_bytes_of(block, n));
        assert_int_equal((uintptr_t)copy.data % LINE, 0);
        assert_int_equal(copy.len, n);
        if (n > 0) {
            assert_memory_equal(copy.data, block, n);
        }
        bench_release(copy);
        free(block);
        free(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_begin_with_a_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
