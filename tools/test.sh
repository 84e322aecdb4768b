#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the sanitizer tree (clang) and the release tree (gcc, plain -O2) below build-test/ and runs
# CTest in both. Leaves "PASSED FAILED SKIPPED" in build-test/totals and the names of what failed, one
# a line, in build-test/failures; fails when a test did.
set -eu
cd "$(dirname "$0")/.."
top=build-test
jobs=$(getconf _NPROCESSORS_ONLN)
passed=0
failed=0
skipped=0
mkdir -p $top
rm -f $top/totals
: >$top/failures

# run_tree NAME OPTION... : a tree that does not build counts as one failure.
run_tree() {
    name=$1
    shift
    echo "== $name: build"
    if ! tools/build.sh "$top/$name" "$@"; then
        failed=$((failed + 1))
        echo "$name: build" >>$top/failures
        return
    fi
    echo "== $name: test"
    log=$top/$name/ctest.log
    ctest --test-dir "$top/$name" --output-on-failure --no-tests=error -j "$jobs" >"$log" 2>&1 ||
        true
    cat "$log"
    # "95% tests passed, 1 tests failed out of 20"
    counts=$(sed -n 's/.*tests passed, \([0-9]*\) tests* failed out of \([0-9]*\).*/\1 \2/p' "$log")
    if [ -z "$counts" ]; then
        failed=$((failed + 1))
        echo "$name: CTest" >>$top/failures
        return
    fi
    # "  75 - net.connection (Failed)", below "The following tests FAILED:"
    sed -n "s/^[[:space:]]*[0-9]* - \([^ ]* ([^)]*)\)\$/$name: \1/p" "$log" | grep -v '(Skipped)$' \
        >>$top/failures || true
    # CTest counts what was skipped among the passed.
    skips=$(grep -c '\*\*\*Skipped' "$log" || true)
    failed=$((failed + ${counts% *}))
    skipped=$((skipped + skips))
    passed=$((passed + ${counts#* } - ${counts% *} - skips))
}

run_tree sanitize -Ccmake/sanitize.cmake
run_tree release "-DCMAKE_C_COMPILER=$(command -v gcc)"

echo "$passed $failed $skipped" >$top/totals
echo "tests: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
