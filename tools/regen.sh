#!/bin/sh
# SPDX-License-Identifier: MIT
# regen.sh PLUGIN ROOT: writes ROOT/generated/ from schemas/ with that protoc-gen-cwire. Run by
# `make regen` with ROOT the tree itself, and by a test with a scratch folder to compare.
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

generate_schemas
