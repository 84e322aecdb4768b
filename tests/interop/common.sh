# SPDX-License-Identifier: MIT
# common.sh (sourced with the arguments BENCH SCRATCH): a fresh scratch folder, our server, checks.
set -u
PATH=$PATH:/usr/sbin
bench=$1
scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch" || exit 1
failures=0
pids=

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect WHAT EXPECTED FOUND
expect() {
    if [ "$2" = "$3" ]; then
        echo "ok: $1"
    else
        fail "$1: expected '$2', found '$3'"
    fi
}

# start_server [OPTION...]: our server; sets url, port and server. --cert and --key once made serve for all.
start_server() {
    rm -f serve.out
    "$bench" serve "$@" >serve.out 2>serve.err &
    server=$!
    pids="$pids $server"
    for _ in $(seq 100); do
        url=$(sed -n 's|.*\(https*://[^ ]*[0-9]\).*|\1|p' serve.out | head -n 1)
        [ -z "$url" ] || break
        sleep 0.1
    done
    [ -n "$url" ] || { cat serve.out serve.err; fail "the server does not start"; finish; }
    port=${url##*:}
}

# Ends it in order; leaks and undefined behaviour show in its exit code.
stop_server() {
    kill -TERM "$server"
    wait "$server"
    code=$?
    expect "server ends in order" 0 "$code"
    [ "$code" -eq 0 ] || cat serve.err
}

# until_listening PORT: something of others' takes connections.
until_listening() {
    for _ in $(seq 100); do
        curl -s -o /dev/null --max-time 1 "telnet://127.0.0.1:$1" </dev/null
        [ $? -eq 7 ] || return 0 # 7: not connected
        sleep 0.1
    done
    return 1
}

free_port() {
    shuf -i 20000-32000 -n 1
}

make_certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
        -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
        -keyout key.pem -out cert.pem 2>openssl.log || { cat openssl.log; fail "openssl"; finish; }
}

finish() {
    for pid in $pids; do
        kill -KILL "$pid" 2>/dev/null
    done
    [ "$failures" -eq 0 ] && exit 0
    exit 1
}
