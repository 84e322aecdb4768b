#!/bin/sh
# SPDX-License-Identifier: MIT
# regen.sh PLUGIN ROOT [wkt]: writes ROOT/generated/ from schemas/ with that protoc-gen-cwire. Run by
# `make regen` with ROOT the tree itself, and by a test with a scratch folder to compare. With `wkt` also
# the well-known types of the runtime, from the .proto files that came with protoc; no test compares
# these, since another protoc's files may differ.
set -eu
plugin=$(realpath "$1")
root=$(realpath "$2")
cd "$(dirname "$0")/.."

generate_schemas() {
    out=$root/generated
    mkdir -p "$out"
    rm -f "$out"/*.cw.h "$out"/*.cw.c "$out"/*.cw_*.c
    protoc --plugin="protoc-gen-cwire=$plugin" --cwire_out="$out" -I schemas schemas/*.proto
}

generate_wkt() {
    out=$(mktemp -d)
    set --
    for name in any api duration empty field_mask source_context struct timestamp type wrappers; do
        set -- "$@" "google/protobuf/$name.proto"
    done
    protoc --plugin="protoc-gen-cwire=$plugin" --cwire_out="$out" "$@"
    mkdir -p "$root/runtime/include/cwire/wkt" "$root/runtime/core/wkt"
    mv "$out"/cwire/wkt/*.h "$root/runtime/include/cwire/wkt/"
    mv "$out"/cwire/wkt/*.c "$root/runtime/core/wkt/"
    rm -r "$out"
}

generate_schemas
if [ "${3:-}" = wkt ]; then
    generate_wkt
fi
