#!/bin/sh
# SPDX-License-Identifier: MIT
# check_growth.sh CC PLUGIN PROTOC OUT: no message makes its generated code quadratic in its fields.
# Twice the fields, of all shapes, make at most 2.3 times the source (up to 800 fields) and 2.3
# times the code and read-only data (up to 200 fields; the compilers' own time is not ours to
# bound, `make bench-cost` shows it). Both for speed and for size.
set -eu
cc=$1 plugin=$2 protoc=$3 out=$4
include=$(pwd)/runtime/include
rm -rf "$out"
mkdir -p "$out"

# schema N: N fields, ten shapes in turn.
schema() {
    echo 'syntax = "proto2";'
    echo 'package growth;'
    echo 'enum Kind { A = 0; B = 1; }'
    echo 'message Leaf { optional int32 x = 1; }'
    echo 'message Wide {'
    i=1
    while [ $i -le "$1" ]; do
        case $((i % 10)) in
        1) type='optional string' ;;
        2) type='optional uint64' ;;
        3) type='repeated int32' ;;
        4) type='optional Leaf' ;;
        5) type='optional Kind' ;;
        6) type='map<string, int32>' ;;
        7) type='repeated Leaf' ;;
        8) type='optional double' ;;
        9) type='repeated string' ;;
        0) type='required bytes' ;;
        esac
        printf '  %s some_field_%04d = %d;\n' "$type" $i $i
        i=$((i + 1))
    done
    echo '}'
}

# compare WHAT FIELDS BEFORE AFTER: AFTER is at most 2.3 times BEFORE.
compare() {
    if [ $((10 * $4)) -gt $((23 * $3)) ]; then
        echo "$1 of $2 fields: $4 bytes, of half as many: $3"
        exit 1
    fi
    echo "$1 of $2 fields: $4 bytes"
}

for mode in speed size; do
    for part in cw cw_json cw_type; do
        rm -f "$out/source" "$out/text"
        for n in 50 100 200 400 800; do
            schema $n >"$out/wide$n.proto"
            [ -f "$out/$mode-$n/wide$n.cw.h" ] || {
                mkdir -p "$out/$mode-$n"
                "$protoc" --plugin=protoc-gen-cwire="$plugin" --cwire_out="$out/$mode-$n" \
                    --cwire_opt=optimize=$mode -I "$out" "$out/wide$n.proto"
            }
            file=$out/$mode-$n/wide$n.$part
            bytes=$(wc -c <"$file.c")
            [ ! -f "$out/source" ] || compare "$mode, source of $part.c" $n "$(cat "$out/source")" "$bytes"
            echo "$bytes" >"$out/source"
            [ $n -le 200 ] || continue
            "$cc" -std=c11 -O1 -w -I "$out/$mode-$n" -I "$include" -c "$file.c" -o "$file.o"
            bytes=$(size -A "$file.o" |
                awk '$1 ~ /^\.(text|rodata|data\.rel\.ro)/ { n += $2 } END { print n + 0 }')
            [ ! -f "$out/text" ] || compare "$mode, object of $part.c" $n "$(cat "$out/text")" "$bytes"
            echo "$bytes" >"$out/text"
        done
    done
done
