#!/bin/sh
# SPDX-License-Identifier: MIT
# fuzz.sh SECONDS: runs each libFuzzer target for that long, starting from its corpus. New inputs
# stay in build-test/new/NAME; what crashes a target is kept in build-test/crashes/.
set -eu
cd "$(dirname "$0")/.."
seconds=$1
tree=build-test/sanitize
tools/build.sh $tree -Ccmake/sanitize.cmake fuzzers

mkdir -p build-test/crashes
status=0
ran=0
for program in "$tree"/tests/bin/fuzz_*; do
    [ -x "$program" ] || continue
    name=${program##*/fuzz_}
    mkdir -p "build-test/new/$name"
    echo "== fuzz $name, $seconds s"
    "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -verbosity=0 -artifact_prefix="build-test/crashes/$name-" \
        "build-test/new/$name" "tests/fuzz/corpus/$name" || status=1
    ran=$((ran + 1))
done
echo "fuzz: $ran targets, $([ $status -eq 0 ] && echo "no findings" || echo "findings in build-test/crashes")"
[ $status -eq 0 ] && [ $ran -gt 0 ]
