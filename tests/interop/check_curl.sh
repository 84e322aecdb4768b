#!/bin/sh
# SPDX-License-Identifier: MIT
# curl against our server: both versions, plain and over TLS, codings, uploads of every framing.
. "$(dirname "$0")/common.sh"
make_certificate
"$bench" payload many >many.bin 2>/dev/null || head -c 20000 /dev/zero >many.bin

# status VERSION-OF-THE-ANSWER STATUS ARGUMENTS...
status() {
    version=$1
    wanted=$2
    shift 2
    found=$(curl -sS --max-time 20 --cacert cert.pem -o body -w '%{http_version} %{http_code}' "$@" 2>curl.err)
    expect "curl $*" "$version $wanted" "$found"
}

round() {
    status "$1" 200 $2 "$url/"
    curl -sS --max-time 20 --cacert cert.pem $2 -H 'accept: application/x-protobuf' "$url/many" -o many
    expect "payload of many with $2" 22823 "$(wc -c <many)"
    status "$1" 200 $2 -H 'content-type: application/x-protobuf' --data-binary @many "$url/batch"
    cmp many body && echo "ok: the batch came back" || fail "the batch came back otherwise"
    status "$1" 200 $2 -H 'transfer-encoding: chunked' -H 'content-type: application/x-protobuf' \
        -H 'expect: 100-continue' --data-binary @many "$url/batch"
    cmp many body && echo "ok: chunked" || fail "chunked came back otherwise"
    status "$1" 200 $2 --compressed -H 'content-type: application/x-protobuf' --data-binary @many "$url/batch"
    cmp many body && echo "ok: compressed answer" || fail "compressed answer is another"
    gzip -c many >many.gz
    status "$1" 200 $2 -H 'content-encoding: gzip' -H 'content-type: application/x-protobuf' \
        --data-binary @many.gz "$url/batch"
    cmp many body && echo "ok: compressed request" || fail "compressed request was read otherwise"
    status "$1" 404 $2 "$url/nothing"
    status "$1" 400 $2 -H 'content-type: application/x-protobuf' --data-binary 'no message' "$url/batch"
    status "$1" 415 $2 -H 'content-type: text/plain' --data-binary 'no message' "$url/batch"
    status "$1" 200 $2 -I "$url/"
}

start_server
round 1.1 --http1.1
round 2 --http2-prior-knowledge
stop_server
start_server --tls --cert cert.pem --key key.pem
url=https://localhost:$port
round 1.1 --http1.1
round 2 --http2
stop_server
finish
