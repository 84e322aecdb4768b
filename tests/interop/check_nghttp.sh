#!/bin/sh
# SPDX-License-Identifier: MIT
# nghttp (its own frame-level view) against our server: many streams, uploads, trailers.
. "$(dirname "$0")/common.sh"
make_certificate

round() {
    nghttp -nv $1 "$url/" >log 2>&1
    grep -q ':status: 200' log && echo "ok: GET" || { cat log; fail "GET"; }
    grep -q 'SETTINGS_MAX_CONCURRENT_STREAMS' log && echo "ok: SETTINGS" || fail "no stream limit told"
    curl -s --cacert cert.pem -H 'accept: application/x-protobuf' "$url/many" -o many
    nghttp $1 -d many -H 'content-type: application/x-protobuf' -H 'accept-encoding: identity' \
        --trailer 'x-end: yes' "$url/batch" >body 2>log
    cmp many body && echo "ok: upload with trailers" || { cat log; fail "upload with trailers"; }
    # 200 requests on one connection
    nghttp -ns -m 200 $1 "$url/" >log 2>&1
    expect "requests on one connection" 200 "$(grep -cE '^ *[0-9]+ .* 200 ' log)"
}

start_server
round ""
stop_server
start_server --tls --cert cert.pem --key key.pem
url=https://localhost:$port
round ""
stop_server
finish
