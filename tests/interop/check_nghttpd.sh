#!/bin/sh
# SPDX-License-Identifier: MIT
# Our client against nghttpd: HTTP/2 plain and over TLS; bodies come back as they were sent.
. "$(dirname "$0")/common.sh"
make_certificate
mkdir -p www
head -c 113 /dev/urandom >www/small
head -c 3000000 /dev/urandom >www/large

start_nghttpd() {
    one=$(free_port)
    nghttpd --no-tls -d www --echo-upload "$one" >nghttpd.log 2>&1 &
    pids="$pids $!"
    nghttpd -d www --echo-upload $((one + 1)) key.pem cert.pem >nghttpd_tls.log 2>&1 &
    pids="$pids $!"
    until_listening "$one" && until_listening $((one + 1))
}

start_nghttpd || start_nghttpd || { cat nghttpd.log; fail "nghttpd does not start"; finish; }

drive() {
    if "$bench" drive "$@" >log 2>&1; then
        echo "ok: drive $*"
    else
        cat log
        fail "drive $*"
    fi
}

plain=http://127.0.0.1:$one
tls=https://localhost:$((one + 1))
drive "$plain/small" --http 2 --in-flight 150 --requests 3000
drive "$plain/large" --http 2 --in-flight 20 --requests 60
drive "$plain/echo" --http 2 --in-flight 50 --method POST --payload many --requests 500
drive "$tls/small" --http 2 --in-flight 150 --requests 3000 --ca cert.pem
drive "$tls/large" --http 2 --in-flight 20 --requests 60 --ca cert.pem
drive "$tls/echo" --http 2 --in-flight 50 --method POST --payload many --requests 500 --ca cert.pem
finish
