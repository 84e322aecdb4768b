#!/bin/sh
# SPDX-License-Identifier: MIT
# compare.sh [COMMIT] [OPTION...]: the codec race of another commit and of what is here, in turn on
# this machine, and what became of each row. COMMIT: else the newest of an earlier day than the
# last one's. Options (--quick, --filter TEXT) go to the race. build/ has this tree's program; the
# other's is built below build-compare/ and kept. Exit status: of `cwire-bench compare` (1: something
# became worse); 2: there is no such commit, it does not build, or one of the races fails.
set -eu
cd "$(dirname "$0")/.."
asked=
case ${1:-} in
'' | -*) ;;
*)
    asked=$1
    shift
    ;;
esac
if [ -z "$asked" ]; then
    day=$(git log -1 --format=%cs 2>/dev/null) || day=1970-01-01
    asked=$(git rev-list -1 --first-parent --before="$day 00:00:00" HEAD 2>/dev/null) || asked=
    [ -n "$asked" ] || { echo "compare: no commit here is of an earlier day" && exit 2; }
fi
base=$(git rev-parse --verify --quiet "$asked^{commit}") ||
    { echo "compare: no such commit: $asked" && exit 2; }
tree=build-compare/$base
if [ ! -x "$tree/build/bin/cwire-bench" ]; then
    rm -rf "$tree"
    mkdir -p "$tree"
    git archive "$base" | tar -x -C "$tree"
    echo "compare: building $base"
    if ! "$tree/tools/build.sh" build -DCWIRE_BUILD_TESTS=OFF cwire-bench >"$tree/build.log" 2>&1; then
        tail -n 20 "$tree/build.log"
        echo "compare: $base does not build here"
        exit 2
    fi
fi
for side in old new; do
    bench=build/bin/cwire-bench
    [ $side = new ] || bench=$tree/$bench
    "$bench" codec "$@" --json build-compare/$side.json >/dev/null ||
        { echo "compare: the race of the $side one fails" && exit 2; }
done
echo "compare: old is $(git log -1 --format='%h of %cs, %s' "$base")"
build/bin/cwire-bench compare build-compare/old.json build-compare/new.json
