#!/bin/sh
# SPDX-License-Identifier: MIT
# make_seeds.sh MAKE_SEEDS CODEGEN_IO PROTOC: writes the seeds of all fuzz targets to tests/fuzz/corpus
# (the target fuzz_seeds of a build tree runs it). Seeds of fuzz_plugin are the requests that protoc
# makes of the files plugin_*.proto beside this script, some of them spoilt (edition_* beside them are
# what buf makes of tests/editions/*.proto).
set -eu
make_seeds=$1 codegen_io=$2 protoc=$3
here=$(cd "$(dirname "$0")" && pwd)
corpus=$here/../corpus
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

mkdir -p "$corpus/decode" "$corpus/json" "$corpus/plugin"
# Not those of http1, http2 and coding, which were made by hand.
for target in decode json plugin extension text; do
    rm -f "$corpus/$target"/seed_*
done
"$make_seeds" "$corpus"

for proto in "$here"/plugin_*.proto; do
    file=${proto##*/}
    name=${file#plugin_}
    name=${name%.proto}
    comments=--include_source_info
    [ "$name" != imports ] || comments= # timestamp.proto has too many
    # shellcheck disable=SC2086
    "$protoc" -I "$here" $comments --include_imports \
        --descriptor_set_out="$scratch/set" "$proto"
    "$codegen_io" request "$scratch/set" "$file" >"$corpus/plugin/seed_$name"
done
# A parameter (field 2), and requests that are cut off or ask for a file that is not there.
{ printf '\022\014json=off,x=y'; cat "$corpus/plugin/seed_small"; } \
    >"$corpus/plugin/seed_option_unknown"
{ printf '\022\015strip_package'; cat "$corpus/plugin/seed_small"; } \
    >"$corpus/plugin/seed_option_strip"
head -c 100 "$corpus/plugin/seed_kinds" >"$corpus/plugin/seed_cut_off"
printf '\012\007a.proto' >"$corpus/plugin/seed_no_file"
