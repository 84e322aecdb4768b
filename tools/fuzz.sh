#!/bin/sh
# SPDX-License-Identifier: MIT
# fuzz.sh SECONDS: runs each libFuzzer target for that long, starting from its corpus. New inputs
# stay in build-test/fuzz/new/NAME; what crashes a target is kept in build-test/fuzz/crashes/.
set -eu
cd "$(dirname "$0")/.."
seconds=$1
tree=build-test/fuzz
tools/build.sh $tree "-DCMAKE_C_COMPILER=$(command -v clang)" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS=-O1 -DCWIRE_SANITIZE=address,undefined,float-cast-overflow \
    -DCWIRE_FUZZ=ON -DCWIRE_BUILD_BENCH=OFF fuzzers

mkdir -p $tree/crashes
status=0
ran=0
for program in "$tree"/tests/bin/fuzz_*; do
    [ -x "$program" ] || continue
    name=${program##*/fuzz_}
    mkdir -p "$tree/new/$name"
    echo "== fuzz $name, $seconds s"
    "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -verbosity=0 -artifact_prefix="$tree/crashes/$name-" \
        "$tree/new/$name" "tests/fuzz/corpus/$name" || status=1
    ran=$((ran + 1))
done
echo "fuzz: $ran targets, $([ $status -eq 0 ] && echo "no findings" || echo "findings in $tree/crashes")"
[ $status -eq 0 ] && [ $ran -gt 0 ]
