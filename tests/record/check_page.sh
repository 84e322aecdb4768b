#!/bin/sh
# SPDX-License-Identifier: MIT
# check_page.sh BENCH WORK: pages of a whole race, of parts, and of a record whose names are markup,
# looked at by check_page.cjs in headless Chromium. npm puts playwright-core into WORK, once; where
# it cannot be fetched, or there is no chromium, the test fails.
set -eu
bench=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)
for tool in npm node chromium; do
    if ! command -v $tool >/dev/null; then
        echo "$tool is missing: tools/setup.sh test installs it" >&2
        exit 1
    fi
done
mkdir -p "$work"
cd "$work"
rm -f ./*.html r-*.json
if ! cmp -s "$here/package-lock.json" installed-lock.json; then
    cp "$here/package.json" "$here/package-lock.json" .
    npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error
    cp package-lock.json installed-lock.json
fi

look() {
    echo "--- $1"
    CHROMIUM=$(command -v chromium) node "$here/check_page.cjs" "r-$1.json" "$1.html" node_modules
}

refused() {
    wanted=$1
    shift
    status=0
    "$bench" "$@" >/dev/null 2>err || status=$?
    [ $status -eq "$wanted" ] || { echo "$*: status $status, not $wanted"; cat err; exit 1; }
}

"$bench" all --quick --json r-all.json --html all.html >/dev/null
look all
"$bench" codec --quick --filter document/ --json r-codec.json --html codec.html >/dev/null
look codec
"$bench" size --json r-size.json >/dev/null
"$bench" report r-size.json size.html
look size

# A user's names: nothing of them may become markup.
evil='<img src=//x onerror=alert(1)>&amp;'"'"'\"</title><script>alert(2)</script>'
cat >r-names.json <<END
{"machine": {"cpu": "$evil", "command": "cwire-bench --proto '$evil'"}, "rows": [
{"suite": "size", "payload": "$evil", "contender": "json", "op": "size", "bytes": 200},
{"suite": "size", "payload": "$evil", "contender": "binary", "op": "size", "bytes": 100},
{"suite": "codec", "payload": "$evil", "contender": "cwire", "op": "encode", "ns_median": 10,
 "ns_min": 9, "ns_max": 11, "bytes": 100, "mb_per_s": 1, "allocs": 0, "alloc_bytes": 0},
{"suite": "codec", "payload": "$evil", "contender": "<b>&</b>", "op": "encode", "ns_median": 20,
 "ns_min": 19, "ns_max": 21, "bytes": 100, "mb_per_s": 1, "allocs": 0, "alloc_bytes": 0}]}
END
"$bench" report r-names.json names.html
grep -q '&lt;img src=//x' names.html
look names

# What no other library does: cwire's times, of all (alone) or some (half) of the operations.
cat >r-alone.json <<END
{"machine": {"command": "cwire-bench codec"}, "rows": [
{"suite": "codec", "payload": "alone", "contender": "cwire", "op": "encode", "ns_median": 10,
 "ns_min": 9, "ns_max": 11, "bytes": 100, "mb_per_s": 1, "allocs": 0, "alloc_bytes": 0},
{"suite": "codec", "payload": "alone", "contender": "cwire", "op": "decode_copy", "ns_median": 25,
 "ns_min": 24, "ns_max": 26, "bytes": 100, "mb_per_s": 1, "allocs": 0, "alloc_bytes": 0},
{"suite": "codec", "payload": "alone", "contender": "cwire", "op": "json_print", "ns_median": 30,
 "ns_min": 29, "ns_max": 31, "bytes": 180, "mb_per_s": 1, "allocs": 0, "alloc_bytes": 0},
{"suite": "codec", "payload": "alone", "contender": "cwire", "op": "json_parse", "ns_median": 60,
 "ns_min": 59, "ns_max": 61, "bytes": 180, "mb_per_s": 1, "allocs": 0, "alloc_bytes": 0},
{"suite": "codec", "payload": "alone", "contender": "naive", "op": "encode", "ns_median": 50,
 "ns_min": 49, "ns_max": 51, "bytes": 100, "mb_per_s": 1, "allocs": 3, "alloc_bytes": 90},
{"suite": "codec", "payload": "half", "contender": "cwire", "op": "encode", "ns_median": 11,
 "ns_min": 9, "ns_max": 12, "bytes": 100, "mb_per_s": 1, "allocs": 0, "alloc_bytes": 0},
{"suite": "codec", "payload": "half", "contender": "cwire", "op": "json_print", "ns_median": 30,
 "ns_min": 29, "ns_max": 31, "bytes": 180, "mb_per_s": 1, "allocs": 0, "alloc_bytes": 0},
{"suite": "codec", "payload": "half", "contender": "yajl", "op": "json_print", "ns_median": 90,
 "ns_min": 89, "ns_max": 91, "bytes": 180, "mb_per_s": 1, "allocs": 0, "alloc_bytes": 0}]}
END
"$bench" report r-alone.json alone.html
[ "$(grep -c "No other C library takes part in these" alone.html)" -eq 2 ]
# alone: four times; half: one ratio and one time.
[ "$(grep -o 'class="bar[^>]*data-field="[a-z_]*"' alone.html | grep -o '"[a-z_]*"$' | tr '\n' ' ')" = \
    '"ns_median" "ns_median" "ns_median" "ns_median" "ratio" "ns_median" ' ]
look alone

# The verdict's rates are of the most in flight.
rate() {
    printf '{"suite": "http", "table": "closed", "payload": "one", "transport": "%s", "tls": "none", ' "$1"
    printf '"form": "%s", "coding": "identity", "in_flight": %s, "connections": 1, "req_per_s": %s},\n' "$2" "$3" "$4"
}
{
    echo '{"machine": {"command": "cwire-bench http --full"}, "rows": ['
    n=0
    for transport in HTTP/1.1 HTTP/2; do
        for form in protobuf json; do
            for in_flight in 1 50 6; do
                n=$((n + 1))
                rate $transport $form $in_flight $((n * 100 + in_flight))
            done
        done
    done
    echo '{"suite": "http", "table": "environment"}]}'
} >r-rates.json
"$bench" report r-rates.json rates.html
grep -q 'and 50 in flight JSON over HTTP/2 gets 1,150 requests a second, protobuf over HTTP/2 850: ' rates.html
grep -q 'JSON over HTTP/1.1 (550)' rates.html

refused 2 report missing.json no.html
refused 2 report r-all.json
refused 2 codec --html no.html
refused 1 report r-all.json no-folder/no.html
[ ! -e no.html ]
