#!/bin/sh
# SPDX-License-Identifier: MIT
# conformance.sh [-CFILE] [-DOPTION...]: the official conformance suite on this tree, and its
# performance tests; then random messages of its types against another implementation. Prints the
# runner's own summaries; fails unless every test there is passes, with none skipped and no list of
# expected failures. The options are for CMake (a tree with sanitizers: -Ccmake/sanitize.cmake; the
# schemas made for size: -DCWIRE_OPTIMIZE=size). Exit code 2 and one line: the runner is not to be
# had here.
set -eu
cd "$(dirname "$0")/.."
top=$PWD/build-test/conformance
case ${1:-} in
-C*) tree=$top/$(basename "${1#-C}" .cmake) ;;
-DCWIRE_OPTIMIZE=*) tree=$top/${1#*=} ;;
*) tree=$top/release ;;
esac

if [ "$(uname -s) $(uname -m)" != "Linux x86_64" ]; then
    echo "conformance: the runner is not to be had on $(uname -s) $(uname -m): npm has it for Linux x86_64"
    exit 2
fi
tools/setup.sh conformance || exit 1
tests/conformance/install.sh "$top"
tools/build.sh "$tree" "$@" -DCWIRE_BUILD_BENCH=OFF -DCWIRE_BUILD_NET=OFF \
    -DCWIRE_BUILD_TESTS=OFF "-DCWIRE_CONFORMANCE=$top" testee >"$top/build.log" 2>&1 || {
    cat "$top/build.log"
    exit 1
}

# suites NAME FIRST SECOND OPTION...: both suites have to pass, with this many tests each (the
# runner is pinned). The second one is not even started when the first fails.
status=0
suites() {
    name=$1 want="$2 $3"
    shift 3
    rm -rf "${tree:?}/$name"
    mkdir -p "$tree/$name"
    log=$tree/$name/log
    "$top/runner" --enforce_recommended --maximum_edition 2024 "$@" --output_dir "$tree/$name" \
        "$tree/bin/testee" >"$log" 2>&1 || true
    echo "== $name"
    grep -a '^CONFORMANCE SUITE' "$log" || tail -n 20 "$log"
    passed=$(sed -n 's/^CONFORMANCE SUITE PASSED: \([0-9]*\) successes, 0 skipped, 0 .* 0 .*/\1/p' \
        "$log" | tr '\n' ' ')
    if [ "$passed" != "$want " ]; then
        cat "$tree/$name"/*failing_tests.txt 2>/dev/null | head -n 20
        echo "conformance: $name is to pass with $want tests, none skipped; all failures are in $log"
        status=1
    fi
}

suites suite 5567 883
suites performance 74 48 --performance
[ $status -ne 0 ] ||
    echo "conformance: 5567 + 883 tests and 74 + 48 performance tests passed, no failure list"

echo "== differential"
tests/differential_js/check.sh "$top" "$tree/bin/testee" "$top/differential" 3000 || {
    echo "conformance: cwire and @bufbuild/protobuf differ"
    status=1
}
exit $status
