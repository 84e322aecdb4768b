#!/bin/sh
# SPDX-License-Identifier: MIT
# h2load and wrk against our server: every request is answered, and with success.
. "$(dirname "$0")/common.sh"
make_certificate
requests=${REQUESTS:-3000}

# h2load_round OPTION...
h2load_round() {
    h2load -n "$requests" "$@" >log 2>&1
    found=$(sed -n 's/^requests: .* \([0-9]*\) succeeded, \([0-9]*\) failed, \([0-9]*\) errored.*/\1 \2 \3/p' log)
    expect "h2load $*" "$requests 0 0" "$found"
}

round() {
    curl -s --cacert cert.pem -H 'accept: application/x-protobuf' "$url/one" -o one
    h2load_round -c 1 -m 1 "$url/"
    h2load_round -c 1 -m 50 "$url/"
    h2load_round -c 10 -m 20 -d one -H 'content-type: application/x-protobuf' "$url/batch"
    h2load_round --h1 -c 50 -m 1 -d one -H 'content-type: application/x-protobuf' "$url/batch"
    h2load_round --h1 -c 5 -m 8 "$url/" # pipelined
    wrk -t 1 -c 20 -d 2 "$url/" >log 2>&1
    grep -qE 'Requests/sec: *[1-9]' log && echo "ok: wrk" || { cat log; fail "wrk"; }
    ! grep -qE 'Socket errors|Non-2xx' log || { cat log; fail "wrk saw errors"; }
}

start_server
round
stop_server
start_server --tls --cert cert.pem --key key.pem
url=https://127.0.0.1:$port
round
stop_server
finish
