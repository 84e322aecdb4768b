/* SPDX-License-Identifier: MIT */
/*
 * JSON of google.protobuf.Any. Its form needs a look into the caller's type registry; until that is
 * built the answer is a clear error rather than a form that no other implementation reads.
 */
#include "cwire/cwire.h"
#include "cwire/wkt.h"

char *google_protobuf_Any__print(const google_protobuf_Any *m, cw__json_writer *w, char *p,
                                 int depth)
{
    (void)m;
    (void)p;
    (void)depth;
    return cw__json_put_fail(w, CW_ERR_UNSUPPORTED,
                             "google.protobuf.Any has no JSON form here yet");
}

const char *google_protobuf_Any__parse(google_protobuf_Any *m, cw__json_reader *r, const char *p,
                                       int depth)
{
    (void)m;
    (void)depth;
    return cw__json_fail(r, CW_ERR_UNSUPPORTED, p, "google.protobuf.Any has no JSON form here yet");
}
