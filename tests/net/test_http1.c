/* SPDX-License-Identifier: MIT */
/* The HTTP/1.1 core as a server: requests in, responses out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "http1_support.h"

#define HOST "host: example.org\r\n"

static void one_exchange(void **state)
{
    (void)state;
    record r = {.core = NULL};
    http1_server(&r, NULL);
    assert_true(r.core->ops->wants_read(r.core));
    assert_false(r.core->ops->wants_write(r.core));
    assert_int_equal(record_feed_text(&r, "POST /a?b=c HTTP/1.1\r\nHost: example.org:80\r\n"
                                          "X-Empty:\r\nAccept: \t a, b \t\r\n"
                                          "content-length: 5\r\n\r\nhello"),
                     CW_NET_OK);
    assert_text(record_log(&r), "stream 1\n"
                                "head 1 POST http example.org:80 /a?b=c 1.1\n"
                                "  x-empty: \n"
                                "  accept: a, b\n"
                                "  content-length: 5\n"
                                "end 1 5 hello\n");
    assert_int_equal(r.core->ops->streams(r.core), 1);
    assert_true(r.core->ops->wants_write(r.core));
    assert_int_equal(r.core->ops->unsent(record_find(&r, 1)), 17 + 13 + 19 + 2 + 5);
    assert_int_equal(record_drain(&r), CW_NET_OK);
    assert_text(record_sent(&r),
                "HTTP/1.1 200 OK\r\nx-number: 1\r\ncontent-length: 5\r\n\r\nhello");
    assert_int_equal(r.closed, 1);
    assert_int_equal(r.why.status, CW_NET_OK);
    assert_int_equal(r.core->ops->streams(r.core), 0);
    assert_false(r.core->ops->wants_write(r.core));
    assert_false(r.core->ops->is_done(r.core));
    record_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_exchange),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
