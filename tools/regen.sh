#!/bin/sh
# SPDX-License-Identifier: MIT
# regen.sh PLUGIN ROOT: writes with that protoc-gen-cwire, from schemas/, ROOT/generated, and from
# protoc's own google/protobuf/*.proto the well-known types that ship with the runtime,
# ROOT/runtime/include/cwire/wkt and ROOT/runtime/core/wkt. Run by `make regen` with ROOT the tree
# itself, and by a test with a scratch folder to compare.
set -eu
plugin=$(realpath "$1")
root=$(realpath "$2")
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# generate OUT PROTOC-ARGUMENT...
generate() {
    mkdir -p "$1"
    out=$1
    shift
    protoc --plugin="protoc-gen-cwire=$plugin" --cwire_out="$out" "$@"
}

# replace FOLDER FILE...: the files take the place of all generated ones of the folder.
replace() {
    folder=$1
    shift
    mkdir -p "$folder"
    rm -f "$folder"/*.cw.[ch] "$folder"/*.cw_*.c
    mv "$@" "$folder"
}

generate "$scratch/schemas" -I schemas schemas/*.proto
replace "$root/generated" "$scratch"/schemas/*

well_known=
for name in any api duration empty field_mask source_context struct timestamp type wrappers; do
    well_known="$well_known google/protobuf/$name.proto"
done
# shellcheck disable=SC2086
generate "$scratch/wkt" $well_known
replace "$root/runtime/include/cwire/wkt" "$scratch"/wkt/cwire/wkt/*.h
replace "$root/runtime/core/wkt" "$scratch"/wkt/cwire/wkt/*.c
