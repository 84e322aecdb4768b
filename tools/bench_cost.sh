#!/bin/bash
# SPDX-License-Identifier: MIT
# bench_cost.sh BUILD OUT.json: what generated code costs besides time, for each schema of schemas/
# (without twin, the order once more) and each message: bytes of code and read-only data in -O2
# objects, and user CPU time to compile them (median of 5), with each compiler that is here, beside
# protobuf-c's and nanopb's generated code. BUILD has protoc-gen-cwire, codegen_io and libcwire.a.
# bash, because its `time` knows milliseconds of user time.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "$1")
json=$2
root=$PWD
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
TIMEFORMAT=%3U
repeats=5
plugin=$build/bin/protoc-gen-cwire
pbc_archive=$(cc -print-file-name=libprotobuf-c.a)

compilers=
for cc in gcc clang; do
    ! command -v $cc >/dev/null || compilers="$compilers $cc"
done
schemas=
for proto in schemas/*.proto; do
    name=$(basename "$proto" .proto)
    [ "$name" = twin ] || schemas="$schemas $name"
done

# --- generating ----------------------------------------------------------------------------------

# The modes of our code: what --cwire_opt=optimize=MODE takes.
modes=
for mode in speed size; do
    mkdir -p "$out/$mode"
    ! protoc --plugin="protoc-gen-cwire=$plugin" --cwire_out="$out/$mode" \
        --cwire_opt=optimize=$mode -I schemas schemas/*.proto 2>"$out/refused" ||
        modes="$modes $mode"
done
"$root/bench/tools/pbc_generate.sh" protoc protoc-gen-c "$(find "$build" -name codegen_io -type f)" \
    gcc "$out/pbc" cost schemas schemas/*.proto
nanopb=
if command -v protoc-gen-nanopb >/dev/null; then
    for dir in /usr/include/nanopb /usr/local/include/nanopb /usr/include /usr/local/include; do
        [ ! -f "$dir/pb.h" ] || nanopb=$dir
    done
fi
if [ -n "$nanopb" ]; then
    mkdir -p "$out/nanopb"
    protoc -I schemas --nanopb_out="$out/nanopb" schemas/*.proto 2>/dev/null
fi

# --- measuring -----------------------------------------------------------------------------------

# text OBJECT...: bytes of code and read-only data (also where the data's pointers are relocated).
text() {
    size -A "$@" | awk '$1 ~ /^\.(l?text|l?rodata|data\.rel\.ro)/ { n += $2 } END { print n + 0 }'
}

# compile CC OBJECT SOURCE FLAG...: prints the milliseconds of user time, the median.
compile() {
    local cc=$1 object=$2 source=$3
    shift 3
    for _ in $(seq $repeats); do
        { time $cc -std=c11 -O2 -w -ffunction-sections -fdata-sections "$@" -c "$source" \
            -o "$object"; } 2>&1
    done | sort -n | awk -v n=$repeats 'NR == int(n / 2) + 1 { printf "%.0f\n", $1 * 1000 }'
}

# Encode and decode alone: what the linker keeps of order.cw.c for them, all messages.
codec_text() {
    local object=$1 roots
    roots=$(nm "$object" | awk '$2 == "T" && $3 ~ /_(encode|decode)$/ { print "-u " $3 }')
    # shellcheck disable=SC2086  # roots are words
    ld -r --gc-sections $roots "$object" -o "$out/kept.o"
    text "$out/kept.o"
}

rows=$out/rows
: >"$rows"
first_row=1
# row CC SCHEMA CODE PART TEXT MS
row() {
    [ $first_row = 1 ] || printf ',\n' >>"$rows"
    first_row=0
    printf '  {"suite": "cost", "compiler": "%s", "schema": "%s", "code": "%s", "part": "%s", ' \
        "$1" "$2" "$3" "$4" >>"$rows"
    printf '"text": %s, "compile_ms": %s}' "$5" "$6" >>"$rows"
}

# one CC SCHEMA CODE PART SOURCE FLAG...: compiles, writes the row, sets $bytes and $ms.
one() {
    local cc=$1 schema=$2 code=$3 part=$4 source=$5
    shift 5
    object=$out/$cc-$schema-$code-$part.o
    ms=$(compile "$cc" "$object" "$source" "$@")
    bytes=$(text "$object")
    row "$cc" "$schema" "$code" "$part" "$bytes" "$ms"
}

# Ours: sets $t_c $t_json $t_type $t_all $t_codec and the times $m_c $m_json $m_type $m_all.
ours() {
    local cc=$1 schema=$2 mode=$3 flags="-I $out/$3 -I $root/runtime/include"
    # shellcheck disable=SC2086
    {
        one "$cc" "$schema" "cwire-$mode" codec_file "$out/$mode/$schema.cw.c" $flags
        t_c=$bytes m_c=$ms t_codec=$(codec_text "$object")
        row "$cc" "$schema" "cwire-$mode" encode_decode "$t_codec" null
        one "$cc" "$schema" "cwire-$mode" json_file "$out/$mode/$schema.cw_json.c" $flags
        t_json=$bytes m_json=$ms
        one "$cc" "$schema" "cwire-$mode" type_file "$out/$mode/$schema.cw_type.c" $flags
        t_type=$bytes m_type=$ms
    }
    t_all=$((t_c + t_json + t_type))
    m_all=$((m_c + m_json + m_type))
}

# theirs CC SCHEMA CODE SOURCE FLAG...: sets $t_other and $m_other, "-" when there is no source.
theirs() {
    t_other=- m_other=-
    [ -f "$4" ] || return 0
    one "$1" "$2" "$3" all "${@:4}"
    t_other=$bytes m_other=$ms
}

# --- tables --------------------------------------------------------------------------------------

machine() {
    echo "# cost of generated code, $(date +%F)"
    echo
    sed -n 's/^model name[[:space:]]*: /- /p' /proc/cpuinfo | head -n 1
    for cc in $compilers; do
        echo "- $($cc --version | head -n 1), -std=c11 -O2"
    done
    echo "- cwire $("$plugin" --version 2>/dev/null | awk '{ print $NF }')," \
        "protobuf-c $(protoc-c --version | awk 'NR == 1 { print $2 }')" \
        "${nanopb:+, nanopb $(dpkg-query -W -f '${Version}' libnanopb-dev 2>/dev/null || true)}"
    echo
    echo "Bytes of code and read-only data, milliseconds of user CPU time (median of $repeats)."
    echo "cwire has three files: X.cw.c (init, size, encode, decode, merge, copy, equal, check, lists"
    echo "and maps), X.cw_json.c (JSON both ways), X.cw_type.c (tables for generic code; who uses none"
    echo "does not link it, unless the mode is \`size\`). protobuf-c and nanopb have size, encode and"
    echo "decode over tables and no JSON: compare them with \"enc+dec\", what a linker keeps of X.cw.c"
    echo "for _encode and _decode. nanopb's strings and lists are callbacks that the user writes."
}

schema_table() {
    local cc=$1
    echo
    printf '## %s\n\n' "$cc"
    printf '| %-11s | %5s | %7s | %7s | %7s | %7s | %8s | %10s | %6s | %5s | %5s | %5s | %5s | %10s | %6s |\n' \
        schema mode enc+dec .cw.c json type all protobuf-c nanopb \
        "ms .c" json type all protobuf-c nanopb
    echo '|-------------|-------|--------:|--------:|--------:|--------:|---------:|-----------:|-------:|------:|------:|------:|------:|-----------:|-------:|'
    for schema in $schemas; do
        theirs "$cc" "$schema" protobuf-c "$out/pbc/$schema.pb-c.c" -I "$out/pbc"
        local t_pbc=$t_other m_pbc=$m_other
        theirs "$cc" "$schema" nanopb "$out/nanopb/$schema.pb.c" -I "$out/nanopb" -I "$nanopb"
        for mode in $modes; do
            ours "$cc" "$schema" "$mode"
            printf '| %-11s | %5s | %7s | %7s | %7s | %7s | %8s | %10s | %6s | %5s | %5s | %5s | %5s | %10s | %6s |\n' \
                "$schema" "$mode" "$t_codec" "$t_c" "$t_json" "$t_type" "$t_all" "$t_pbc" \
                "$t_other" "$m_c" "$m_json" "$m_type" "$m_all" "$m_pbc" "$m_other"
        done
    done
}

# Bytes of the symbols of each message: "NAME BYTES" from objects, by the longest name that fits.
# Strings without a name of their own are nobody's.
by_message() {
    local names=$1
    shift
    nm -S -t d "$@" | awk -v names="$names" '
        BEGIN { n = split(names, name, " ") }
        $3 ~ /^[tTrRdD]$/ {
            best = ""
            for (i = 1; i <= n; i++)
                if (index($4, name[i] "_") == 1 && length(name[i]) > length(best))
                    best = name[i]
            if (best != "")
                sum[best] += $2
        }
        END { for (i = 1; i <= n; i++) print name[i], sum[name[i]] + 0 }'
}

message_table() {
    local cc=$1 schema object
    printf '\n## %s, by message (named symbols; strings are left out)\n\n' "$cc"
    printf '| %-22s | %6s |' message fields
    for mode in $modes; do
        printf ' %8s | %8s | %8s |' "$mode .c" json type
    done
    printf ' %10s |\n|------------------------|-------:|' protobuf-c
    for mode in $modes; do
        printf '%s' '---------:|---------:|---------:|'
    done
    echo '-----------:|'
    for schema in $schemas; do
        local header=$out/speed/$schema.cw.h names line c_name
        names=$(sed -n 's/^extern const cw_type \(.*\)_type;$/\1/p' "$header" | tr '\n' ' ')
        for c_name in $names; do
            line=$(printf '| %-22s | %6s |' "$c_name" "$(sed -n "/^struct ${c_name} {/,/^}/p" \
                "$header" | grep -c '= [0-9]* \*/\|= [0-9]*.*\*/')")
            for mode in $modes; do
                for part in codec_file json_file type_file; do
                    object=$out/$cc-$schema-cwire-$mode-$part.o
                    bytes=$(by_message "$names" "$object" | awk -v n="$c_name" '$1 == n { print $2 }')
                    row "$cc" "$c_name" "cwire-$mode" "$part.symbols" "$bytes" null
                    line+=$(printf ' %8s |' "$bytes")
                done
            done
            object=$out/$cc-$schema-protobuf-c-all.o
            bytes=-
            if [ -f "$object" ]; then # shop_Order -> shop__order
                local pbc_names
                pbc_names=$(echo "$names" | sed 's/_/__/g; s/\([A-Z]\)/_\L\1/g; s/__*_\([a-z]\)/__\1/g; s/ _*/ /g')
                bytes=$(by_message "$pbc_names" "$object" | paste -d' ' - <(tr ' ' '\n' <<<"$names" |
                    sed '/^$/d') | awk -v n="$c_name" '$3 == n { print $2 }')
                row "$cc" "$c_name" protobuf-c symbols "${bytes:-0}" null
            fi
            printf '%s %10s |\n' "$line" "$bytes"
        done
    done
}

# What a program links of a runtime: CC LIBRARY ARCHIVE "ROOT..." OBJECT...
linked() {
    local roots=
    for symbol in $3; do
        roots="$roots -u $symbol"
    done
    # shellcheck disable=SC2086
    ld -r --gc-sections $roots "${@:4}" "$2" -o "$out/linked.o" 2>/dev/null || { echo -; return; }
    local objects=0
    [ $# -lt 4 ] || objects=$(ld -r --gc-sections $roots "${@:4}" -o "$out/alone.o" &&
        text "$out/alone.o")
    echo $(($(text "$out/linked.o") - objects))
}

runtime_table() {
    local archive=$build/lib/libcwire.a mode objects
    echo
    echo "## Runtimes (as built; \"linked\": what an order needs of the archive)"
    echo
    printf '| %-34s | %8s |\n|------------------------------------|---------:|\n' library bytes
    runtime_row "libcwire, all of it" "$(text "$archive")"
    for mode in $modes; do
        objects=("$out/gcc-order-cwire-$mode-codec_file.o")
        [ "$mode" = speed ] || objects+=("$out/gcc-order-cwire-$mode-type_file.o"
            "$out/gcc-order-cwire-$mode-json_file.o")
        runtime_row "libcwire, linked, $mode, enc+dec" \
            "$(linked gcc "$archive" "shop_Batch_encode shop_Batch_decode" "${objects[@]}")"
        objects=("$out/gcc-order-cwire-$mode-codec_file.o" "$out/gcc-order-cwire-$mode-json_file.o"
            "$out/gcc-order-cwire-$mode-type_file.o")
        runtime_row "libcwire, linked, $mode, and JSON" "$(linked gcc "$archive" \
            "shop_Batch_encode shop_Batch_decode shop_Batch_to_json shop_Batch_from_json" \
            "${objects[@]}")"
    done
    [ ! -f "$pbc_archive" ] || runtime_row "libprotobuf-c (no JSON)" "$(text "$pbc_archive")"
    for nano in /usr/lib/*/libprotobuf-nanopb.a /usr/lib/libprotobuf-nanopb.a; do
        [ ! -f "$nano" ] || runtime_row "libprotobuf-nanopb (no JSON)" "$(text "$nano")"
    done
}

runtime_row() {
    printf '| %-34s | %8s |\n' "$1" "$2"
    row as_built runtime "$1" all "${2/-/null}" null
}

# instructions PROGRAM OPERATION: of one, by callgrind; "-" without it.
instructions() {
    command -v valgrind >/dev/null || { echo -; return; }
    valgrind --tool=callgrind --toggle-collect=measured --callgrind-out-file=/dev/null "$@" 2>&1 |
        awk '/Collected/ { n = int($4 / 10) } END { print n ? n : "-" }'
}

# What the modes take for 200 orders.
speed_table() {
    local cc mode operation program n
    echo
    echo "## Speed of 200 orders (decode copies)"
    echo
    echo '| compiler | mode  | operation  | us, least | instructions |'
    echo '|----------|-------|------------|----------:|-------------:|'
    for cc in $compilers; do
        for mode in $modes; do
            program=$out/$cc-$mode-driver
            $cc -std=c11 -O2 -w -I "$out/$mode" -I runtime/include bench/tools/cost_driver.c \
                "$out/$mode"/order.cw*.c runtime/core/*.c runtime/core/wkt/*.c -o "$program"
            "$program" | while read -r operation ns; do
                n=$(instructions "$program" "$operation")
                printf '| %-8s | %-5s | %-10s | %9s | %12s |\n' "$cc" "$mode" "$operation" \
                    "$(awk -v n="$ns" 'BEGIN { printf "%.1f", n / 1000 }')" "$n"
                printf ',\n  {"suite": "cost", "compiler": "%s", "schema": "order", "code": "%s", ' \
                    "$cc" "cwire-$mode" >>"$rows"
                printf '"op": "%s", "ns_min": %s, "instructions": %s}' "$operation" "$ns" \
                    "${n/#-/null}" >>"$rows"
            done
        done
    done
}

machine
for cc in $compilers; do
    schema_table "$cc"
done
for cc in $compilers; do
    message_table "$cc"
done
runtime_table
speed_table
{
    echo "["
    cat "$rows"
    printf '\n]\n'
} >"$json"
echo
echo "Rows: $json"
