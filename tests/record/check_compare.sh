#!/bin/sh
# SPDX-License-Identifier: MIT
# check_compare.sh BENCH SCRATCH: `cwire-bench compare` on records of known content and on real ones.
set -u
bench=$1
scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# compare STATUS OLD NEW [OPTION...]: the tables are in out, the complaints in err.
compare() {
    wanted=$1
    shift
    "$bench" compare "$@" >out 2>err
    status=$?
    [ $status -eq "$wanted" ] || {
        fail "compare $*: status $status, not $wanted"
        cat out err
    }
}

# says FILE TEXT: blanks count as one.
says() {
    tr -s ' ' <"$1" | grep -qF -- "$2" || {
        fail "$1 does not say: $2"
        cat "$1"
    }
}

silent() {
    ! grep -qF -- "$2" "$1" || fail "$1 says: $2"
}

# record NAME COMPILER ROW...
record() {
    name=$1
    printf '{"machine": {"cpu": "Test", "cpus": 2, "compiler": "%s", "date": "%s"},\n "rows": [\n' \
        "$2" "day-$1" >"$name.json"
    shift 2
    separator=
    for row in "$@"; do
        printf '%s{%s}' "$separator" "$row" >>"$name.json"
        separator=',
'
    done
    printf '\n]}\n' >>"$name.json"
}

# codec OP MEDIAN MIN MAX [ALLOCS]
codec() {
    printf '"suite": "codec", "payload": "one", "contender": "cwire", "op": "%s", ' "$1"
    printf '"ns_median": %s, "ns_min": %s, "ns_max": %s, "allocs": %s' "$2" "$3" "$4" "${5:-null}"
}

size() {
    printf '"suite": "size", "payload": "one", "contender": "json", "op": "size", "bytes": %s' "$1"
}

# http RUNS MS MIN MAX RATE
http() {
    printf '"suite": "http", "table": "t%s", "transport": "HTTP/2", "in_flight": 50, "runs": %s, ' \
        "$1" "$1"
    printf '"ms_median": %s, "ms_min": %s, "ms_max": %s, "req_per_s": %s' "$2" "$3" "$4" "$5"
}

cost() {
    printf '"suite": "cost", "compiler": "gcc", "schema": "order", "code": "c", "part": "p", '
    printf '"text": %s, "compile_ms": %s' "$1" "$2"
}

record old "GNU 12" "$(codec encode 100 98 110 0)" "$(codec decode 200 190 220)" \
    "$(codec gone 5 5 5)" "$(size 327)" "$(http 9 20 18 24 5000)" "$(http 1 30 30 30 9000)" \
    "$(cost 1000 50)"

# --- the same, and what is no regression ---
compare 0 old.json old.json
says out "- the same machine and build"
says out "| one/cwire/encode | 100 | 12.0 % | 100 | 12.0 % | 1.000 | |"
says out "9 values in both: 0 worse, 0 better."
silent out "Only in"
record overlap "GNU 12" "$(codec encode 130 109 140 0)" # more, and less than both noises
compare 0 old.json overlap.json
says out "| one/cwire/encode | 100 | 12.0 % | 130 | 23.8 % | 1.300 | |"
record small "GNU 12" "$(codec encode 115 114 116 0)"
compare 1 old.json small.json
compare 0 old.json small.json --tolerance 16

# --- each kind of regression by itself, and its mirror ---
record slow "GNU 12" "$(codec encode 150 140 160 0)" "$(codec decode 200 190 220)"
compare 1 old.json slow.json
says out "| one/cwire/encode | 100 | 12.0 % | 150 | 13.3 % | 1.500 | WORSE |"
says out "| one/cwire/decode | 200 | 15.0 % | 200 | 15.0 % | 1.000 | |"
says out "3 values in both: 1 worse, 0 better."
says out "## Only in old.json"
says out "- codec: one/cwire/gone"
compare 0 old.json slow.json --filter decode
compare 0 slow.json old.json
says out "| 0.667 | better |"
says out "## Only in old.json"
record heap "GNU 12" "$(codec encode 100 98 110 1)"
compare 1 old.json heap.json
says out "## codec: heap requests an operation"
says out "| one/cwire/encode | 0 | - | 1 | - | - | WORSE |"
record large "GNU 12" "$(size 328)"
compare 1 old.json large.json
says out "| one/json/size | 327 | - | 328 | - | 1.003 | WORSE |"
record slow_http "GNU 12" "$(http 9 30 28 33 3000)" "$(http 1 60 60 60 4500)"
compare 1 old.json slow_http.json
says out "| t9/HTTP/2/in_flight 50 | 20 | 30.0 % | 30 | 16.7 % | 1.500 | WORSE |"
says out "| t1/HTTP/2/in_flight 50 | 9000 | - | 4500 | - | 2.000 | ? |"
compare 0 old.json slow_http.json --filter t1
record fat "GNU 12" "$(cost 1001 90)"
compare 1 old.json fat.json
says out "1000 | - | 1001 | - | 1.001 | WORSE |"
says out "50 | - | 90 | - | 1.800 | ? |"

# --- another build is said ---
record other "Clang 14" "$(codec encode 100 98 110 0)"
compare 0 old.json other.json
says out '- **other compiler**: `GNU 12`, then `Clang 14`'
says out "- The ratios say as much of these differences as of cwire."

# --- what cannot be compared ---
printf '{"machine": {},\n "rows": [\n  {"suite": "codec",, }]}\n' >broken.json
compare 2 old.json broken.json
says err "cwire-bench: broken.json:3:21: "
compare 2 old.json missing.json
says err "cwire-bench: missing.json: No such file or directory"
compare 2 . old.json
says err "cwire-bench: .: Is a directory"
echo '{"machine": {}}' >norows.json
compare 2 norows.json old.json
says err 'cwire-bench: norows.json: no record of cwire-bench: it has no list "rows"'
echo '{"rows": [{"suite": "codec"}, 7]}' >badrow.json
compare 2 old.json badrow.json
says err 'rows[1] names no suite'
: >empty.json
compare 2 old.json empty.json
says err "cwire-bench: empty.json:1:1: "
record none "GNU 12"
compare 2 old.json none.json
says err "cwire-bench: old.json and none.json have no row in common"
compare 2 old.json
says err "NEW.json: has to follow it"
compare 2 old.json old.json old.json
says err "one word too many"
compare 2 old.json old.json --tolerance many
says err "not a number"

# --- two of the bench's own ---
"$bench" codec --quick --filter document/cwire/ --json real.json >/dev/null || fail "codec"
compare 0 real.json real.json
says out "values in both: 0 worse, 0 better." # heap requests too where they are counted
sed 's/"ns_\([a-z]*\)": /&9/g' real.json >slower.json # a nine in front: more than twice of anything
compare 1 real.json slower.json
says out "values in both: 8 worse, 0 better."
"$bench" size --json sizes.json >/dev/null || fail "size"
compare 0 sizes.json sizes.json
silent out WORSE

[ $failures -eq 0 ] || exit 1
echo "all as it should be"
