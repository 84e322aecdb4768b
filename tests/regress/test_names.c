/* SPDX-License-Identifier: MIT */
/*
 * test_names.c: names that public reports on other generators tell of, as far as they need a
 * compiler of their own. The others of the area are in tests/generated/test_names_cases.c; the long
 * list of vendors' macros is tests/compile/vendor_macros.h.
 */
#define _POSIX_C_SOURCE 200809L /* popen */

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* Runs it; it is to succeed without a word. */
static void command(const char *text)
{
    char out[2000];
    FILE *p = popen(text, "r");
    assert_non_null(p);
    out[fread(out, 1, sizeof out - 1, p)] = '\0';
    assert_string_equal(out, "");
    assert_int_equal(pclose(p), 0);
}

/* Identifiers of a header that are macros of common vendors. */
static void b13_vendor_macros(void **state)
{
    (void)state;
    if (!getenv("CWIRE_PLUGIN") || !getenv("CWIRE_PROTOC") || !getenv("CWIRE_SOURCE_DIR")) {
        skip(); /* run by hand, outside of ctest */
    }
    write_file("b13.proto", "syntax = \"proto3\";\n"
                            "enum Rule { OPTIONAL = 0; REQUIRED = 1; PACKED = 2; }\n"
                            "message Limits { Rule BYTES = 1; int32 min = 2; oneof PACKED {\n"
                            "  bool REQUIRED = 3; string OPTIONAL = 4; } }\n");
    write_file("b13.c", "#define PACKED __attribute__((packed))\n"
                        "#define OPTIONAL\n"
                        "#define REQUIRED\n"
                        "#define BYTES 4\n"
                        "#define min(a, b) 0\n"
                        "#include \"cwire/cwire.h\"\n"
                        "#include \"cwire/wkt.h\"\n"
                        "#include \"b13.cw.h\"\n"
                        "int main(void)\n"
                        "{\n"
                        "    Limits m;\n"
                        "    Limits_init(&m);\n"
                        "    return (int)m.min;\n"
                        "}\n");
    command("\"$CWIRE_PROTOC\" --plugin=protoc-gen-cwire=\"$CWIRE_PLUGIN\" --cwire_out=. "
            "b13.proto 2>&1");
    command("cc -std=c11 -Wall -Wextra -Werror -I. -I\"$CWIRE_SOURCE_DIR/runtime/include\" -c "
            "b13.c -o b13.o 2>&1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b13_vendor_macros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
