/* SPDX-License-Identifier: MIT */
/*
 * fuzz_plugin.c: any bytes as a CodeGeneratorRequest. The generator answers, with files or an
 * error, and gives the same answer twice.
 */
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cwg_arena first = {0}, second = {0};
    size_t first_len = 0, second_len = 0;
    const uint8_t *a = cwg_plugin_run(data, size, &first, &first_len);
    if (!a || first_len == 0) {
        abort(); /* supported_features, at least */
    }
    const uint8_t *b = cwg_plugin_run(data, size, &second, &second_len);
    if (first_len != second_len || memcmp(a, b, first_len) != 0) {
        abort();
    }
    cwg_arena_free(&first);
    cwg_arena_free(&second);
    return 0;
}
